import type { Ssp } from '@bidwell/contract/operator/schema';
import { Button, Group, Skeleton, Stack, Tabs } from '@mantine/core';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { knownData, useKnown, useLoadable } from '../../lib/loadable.ts';
import { exchangesQuery } from '../../entities/exchanges/queries.ts';
import { mayCall, operatorSessionQuery } from '../../entities/operator-accounts/session-queries.ts';
import { FigureFrame } from '../../ui/chart/figure-frame.tsx';
import { EmptyState } from '../../ui/layout/empty-state.tsx';
import { ButtonLink } from '../../ui/layout/links.tsx';
import { PageHeader } from '../../ui/layout/page-header.tsx';
import { ExchangeAddress } from './exchange-address.tsx';
import { ExchangeHealth } from './exchange-health.tsx';
import { ExchangeForm } from './exchange-form.tsx';
import { ExchangeSwitch } from './exchange-switch.tsx';
import { ProfileChanges } from './profile-changes.tsx';
import { TestConsole } from './test-console.tsx';
import { UnreadablePrices } from './unreadable-prices.tsx';

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
  if (exchange) return <Exchange key={slug} exchange={exchange} publicUrl={list.public_url} />;
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
  { value: 'test', label: 'Test console' },
  { value: 'prices', label: 'Unreadable prices' },
] as const;
const FIRST_TAB = TABS[0].value;

function Exchange({ exchange, publicUrl }: { exchange: Ssp; publicUrl: string }) {
  const operator = useKnown(operatorSessionQuery);
  const navigate = useNavigate();
  const { tab } = useSearch({ strict: false }) as { tab?: string };
  const shown = TABS.find(({ value }) => value === tab)?.value ?? FIRST_TAB;
  const mayChange = mayCall(operator?.role, 'exchange.write');
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
          <Button size="xs" variant="default" onClick={() => show('settings')}>
            Show the settings
          </Button>
        </ProfileChanges>
      )}
      <Tabs value={shown} onChange={show}>
        <Tabs.List mb="md" style={{ flexWrap: 'nowrap' }}>
          {TABS.map(({ value, label }) => (
            <Tabs.Tab key={value} value={value} px={{ base: 7, xs: 'md' }}>
              {label}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value="health">{shown === 'health' && <ExchangeHealth exchange={exchange} />}</Tabs.Panel>
        <Tabs.Panel value="settings">
          <Stack maw={860}>
            {mayChange && <ExchangeAddress exchange={exchange} publicUrl={publicUrl} />}
            <ExchangeForm exchange={exchange} mayChange={mayChange} />
          </Stack>
        </Tabs.Panel>
        <Tabs.Panel value="test">
          <TestConsole slug={exchange.slug} />
        </Tabs.Panel>
        <Tabs.Panel value="prices">
          {shown === 'prices' && <UnreadablePrices slug={exchange.slug} />}
        </Tabs.Panel>
      </Tabs>
    </>
  );
}
