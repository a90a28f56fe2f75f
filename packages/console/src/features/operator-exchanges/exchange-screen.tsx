import { rulesOf } from '@bidwell/contract/operator/exchange-profiles';
import type { Ssp, UnpricedNotices } from '@bidwell/contract/operator/schema';
import { Group, Skeleton, Stack, Tabs } from '@mantine/core';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { formatMoment, formatMoney } from '../../lib/format/format.ts';
import { knownData, useLoadable } from '../../lib/loadable.ts';
import { UNREADABLE_DAYS, exchangesQuery, unreadablePricesQuery } from '../../entities/exchanges/queries.ts';
import { useMayCall } from '../../entities/operator-accounts/session-queries.ts';
import { FigureFrame } from '../../ui/chart/figure-frame.tsx';
import { SecondaryButton } from '../../ui/layout/buttons.tsx';
import { EmptyState } from '../../ui/layout/empty-state.tsx';
import { ButtonLink } from '../../ui/layout/links.tsx';
import { PageHeader } from '../../ui/layout/page-header.tsx';
import { numberColumn } from '../../ui/table/number-column.ts';
import { PagedTable } from '../../ui/table/paged-table.tsx';
import type { Column } from '../../ui/table/table-state.ts';
import { BillingIds } from './billing-ids.tsx';
import { Certification } from './certification.tsx';
import { CreativeReview } from './creative-review.tsx';
import { ExchangeAddress, type ServerAddress } from './exchange-address.tsx';
import { ExchangeHealth } from './exchange-health.tsx';
import { ExchangeForm } from './exchange-form.tsx';
import { ExchangeSwitch } from './exchange-switch.tsx';
import { faultTexts } from './exchange-text.ts';
import { ProfileChanges } from './profile-changes.tsx';
import { TestConsole } from './test-console.tsx';

/** /operator/exchanges/$slug: one exchange. */
export function ExchangeScreen() {
  const { slug } = useParams({ strict: false }) as { slug: string };
  const figures = useLoadable(exchangesQuery);
  const list = knownData(figures);
  if (!list)
    return (
      <FigureFrame figures={figures} what="The exchange’s settings" skeleton={<Skeleton height={320} />}>
        {null}
      </FigureFrame>
    );
  const exchange = list.ssps.find((one) => one.slug === slug);
  if (exchange) return <Exchange key={slug} exchange={exchange} server={list} />;
  return (
    <EmptyState
      title="There is no such exchange"
      text={`No exchange has the id ${slug}.`}
      action={
        <ButtonLink to={'/operator/exchanges' as string} variant="default">
          All exchanges
        </ButtonLink>
      }
    />
  );
}

const TABS = [
  { value: 'health', label: 'Health' },
  { value: 'settings', label: 'Settings' },
  { value: 'creatives', label: 'Creatives' },
  { value: 'test', label: 'Test console' },
  { value: 'prices', label: 'Unreadable prices' },
] as const;
const FIRST_TAB = TABS[0].value;

function Exchange({ exchange, server }: { exchange: Ssp; server: ServerAddress }) {
  const navigate = useNavigate();
  const { tab } = useSearch({ strict: false }) as { tab?: string };
  const isReviewing = rulesOf(exchange.profile).creative_review != null;
  const tabs = TABS.filter(({ value }) => value !== 'creatives' || isReviewing);
  const shown = tabs.find(({ value }) => value === tab)?.value ?? FIRST_TAB;
  const mayChange = useMayCall('exchange.write');
  const show = (next: string | null) =>
    void navigate({
      to: `/operator/exchanges/${exchange.slug}` as string,
      search: { tab: next === FIRST_TAB ? undefined : (next ?? undefined) },
    });
  return (
    <>
      <PageHeader
        title={exchange.name}
        description={`Exchange ${exchange.slug}`}
        actions={
          <Group gap="xs">
            <ExchangeSwitch exchange={exchange} mayChange={mayChange} />
          </Group>
        }
      />
      {shown !== 'settings' && (
        <ProfileChanges exchange={exchange}>
          <SecondaryButton size="xs" onClick={() => show('settings')}>
            Show the settings
          </SecondaryButton>
        </ProfileChanges>
      )}
      <Tabs value={shown} onChange={show}>
        <Tabs.List mb="md" style={{ flexWrap: isReviewing ? 'wrap' : 'nowrap' }}>
          {tabs.map(({ value, label }) => (
            <Tabs.Tab key={value} value={value} px={{ base: 7, xs: 'md' }}>
              {label}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value="health">{shown === 'health' && <ExchangeHealth exchange={exchange} />}</Tabs.Panel>
        <Tabs.Panel value="settings">
          <Stack maw={860}>
            {mayChange && <ExchangeAddress exchange={exchange} server={server} />}
            <ExchangeForm exchange={exchange} mayChange={mayChange} />
            <BillingIds exchange={exchange} mayChange={mayChange} />
          </Stack>
        </Tabs.Panel>
        {isReviewing && (
          <Tabs.Panel value="creatives">
            {shown === 'creatives' && <CreativeReview exchange={exchange} mayChange={mayChange} />}
          </Tabs.Panel>
        )}
        <Tabs.Panel value="test">
          <Stack>
            <Certification exchange={exchange} />
            <TestConsole slug={exchange.slug} />
          </Stack>
        </Tabs.Panel>
        <Tabs.Panel value="prices">
          {shown === 'prices' && <UnreadablePrices slug={exchange.slug} />}
        </Tabs.Panel>
      </Tabs>
    </>
  );
}

/** Notices of one exchange that had no price to charge, by reason. */
function UnreadablePrices({ slug }: { slug: string }) {
  const figures = useLoadable(unreadablePricesQuery);
  const rows = knownData(figures)?.filter(({ ssp }) => ssp === slug);
  return (
    <PagedTable
      label="Notices with unreadable prices"
      columns={columns}
      rows={rows}
      figures={figures}
      rowId={({ reason }) => reason}
      minWidth={680}
      empty={
        <EmptyState
          title={`All prices of the last ${UNREADABLE_DAYS} days could be read`}
          text="A notice whose price cannot be read is listed here. It is charged by the rule under Settings, or does not lower what an impression is charged."
        />
      }
    />
  );
}

const columns: readonly Column<UnpricedNotices>[] = [
  { id: 'reason', header: 'Reason', cell: ({ reason }) => faultTexts[reason] ?? reason },
  { id: 'example', header: 'Example', cell: ({ example }) => (example === '' ? '-' : example) },
  numberColumn('notices', `Notices, ${UNREADABLE_DAYS} days`, ({ notices }) => notices),
  numberColumn('charged', 'Charged', ({ charged }) => charged, formatMoney),
  numberColumn('bid', 'By bid price', ({ bid }) => bid, formatMoney),
  { id: 'last', header: 'Last', cell: ({ last_at: lastAt }) => formatMoment(lastAt) },
];
