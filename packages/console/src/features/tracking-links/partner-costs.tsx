import type { Mmp } from '@bidwell/contract/apps/fields';
import { reportCosts } from '@bidwell/contract/measurement/partner-cost-endpoints';
import type { CostUpload, PartnerCosts } from '@bidwell/contract/measurement/partner-costs';
import { COST_FACTS } from '@bidwell/contract/measurement/partners/costs';
import { partnerInText } from '@bidwell/contract/measurement/partners/partners';
import { CONSOLE_API } from '@bidwell/contract/lib/endpoint';
import { screenMessages } from '@bidwell/contract/text/screen-messages';
import { Group, Modal, Skeleton, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import {
  costUploadsQuery,
  partnerCostsQuery,
  sendPartnerCosts,
} from '../../entities/measurement/partner-queries.ts';
import { useMay } from '../../lib/api/use-may.ts';
import { formatDay, formatMoment, formatNumber, formatPercent } from '../../lib/format/format.ts';
import { useLoadable } from '../../lib/loadable.ts';
import { FigureFrame } from '../../ui/chart/figure-frame.tsx';
import { useSave } from '../../ui/form/use-save.ts';
import { Section } from '../../ui/layout/section.tsx';
import { StatusBadge } from '../../ui/layout/status-badge.tsx';
import { SecretDialog } from '../../ui/secrets/secret-dialog.tsx';
import { type RecordColumn, RecordTable } from '../../ui/table/record-table.tsx';
import { CopyableValue } from '../../ui/layout/copyable-value.tsx';
import { PartnerCostsForm } from './partner-costs-form.tsx';
import { SmallButton } from '../../ui/layout/buttons.tsx';
import { Caption, Muted } from '../../ui/layout/text.tsx';

/** How an app's measurement partner gets the costs of campaigns: settings and a log, or an address to read. */
export function PartnerCostsSection({ mmp }: { mmp: Mmp }) {
  const { way, agree, alternatives, notDocumented } = COST_FACTS[mmp];
  const name = partnerInText(mmp);
  return (
    <Section title={`Costs at ${name}`} description={agree}>
      <Stack gap="sm">
        {way === 'push' && <PushedCosts mmp={mmp} />}
        {way === 'pull' && (
          <CopyableValue
            label="Address of the costs, with the first and last day"
            value={`${window.location.origin}${CONSOLE_API}${reportCosts.path}?start_date=YYYY-MM-DD&end_date=YYYY-MM-DD`}
            copyLabel="Copy: address of the costs"
          />
        )}
        {alternatives !== '' && <Caption>{alternatives}</Caption>}
        {notDocumented !== '' && <Caption>Not documented publicly: {notDocumented}</Caption>}
      </Stack>
    </Section>
  );
}

function PushedCosts({ mmp }: { mmp: Mmp }) {
  const costs = useLoadable(partnerCostsQuery);
  return (
    <FigureFrame figures={costs} what="The settings of costs" skeleton={<Skeleton height={90} />}>
      {(partners) => {
        const own = partners.find((each) => each.mmp === mmp);
        return own && <KnownCosts costs={own} />;
      }}
    </FigureFrame>
  );
}

function KnownCosts({ costs }: { costs: PartnerCosts }) {
  const { mmp, is_enabled: isEnabled, error } = costs;
  const mayWrite = useMay('report_destination.write') ?? false;
  const [editing, { open: edit, close: endEditing }] = useDisclosure(false);
  const [showing, { open: show, close: endShowing }] = useDisclosure(false);
  const { save: send, busy } = useSave({ send: () => sendPartnerCosts(mmp), done: screenMessages.costsSent });
  const name = partnerInText(mmp);
  return (
    <Stack gap="xs">
      <div>
        <Text size="sm">{stateText(costs)}</Text>
        {error !== null && <Text size="sm">The last round sent nothing: {error}</Text>}
        <Text size="sm">{coverageText(costs)}</Text>
      </div>
      <Group gap="xs">
        {mayWrite && <SmallButton onClick={edit}>Set up costs</SmallButton>}
        {mayWrite && isEnabled && (
          <SmallButton loading={busy} onClick={() => send()}>
            Send costs now
          </SmallButton>
        )}
        <SmallButton onClick={show}>Log of costs</SmallButton>
      </Group>
      <SecretDialog opened={editing} onClose={endEditing} title={`Costs at ${name}`}>
        {editing && <PartnerCostsForm costs={costs} onDone={endEditing} />}
      </SecretDialog>
      <Modal opened={showing} onClose={endShowing} title={`Costs sent to ${name}`} size="xl">
        {showing && <UploadLog mmp={mmp} />}
      </Modal>
    </Stack>
  );
}

function stateText({
  is_enabled: isEnabled,
  accepted_at: acceptedAt,
  next_at: nextAt,
}: PartnerCosts): string {
  const accepted = acceptedAt === null ? 'Not accepted yet.' : `Last accepted ${formatMoment(acceptedAt)}.`;
  if (!isEnabled) return `Costs are not sent. ${accepted}`;
  return `Costs of the last seven days are sent every four hours. ${accepted}${nextAt === null ? '' : ` Next ${formatMoment(nextAt)}.`}`;
}

/** How much of the costs the partner can match. */
function coverageText({
  apps,
  apps_here: appsHere,
  links,
  links_with_ids: linksWithIds,
}: PartnerCosts): string {
  const ofLinks = `${formatNumber(linksWithIds)} of ${formatNumber(links)} tracking links pass the ids by which costs are matched.`;
  if (apps === null) return ofLinks;
  return `The partner takes costs for ${formatNumber(apps)} of ${formatNumber(appsHere)} apps. ${ofLinks}`;
}

/** The latest uploads with their outcome. */
function UploadLog({ mmp }: { mmp: Mmp }) {
  const uploads = useLoadable(costUploadsQuery(mmp));
  return (
    <RecordTable
      label="Uploads of costs"
      what="The uploads"
      empty={<Muted>Nothing has been sent yet.</Muted>}
      columns={columns}
      rows={uploads}
      rowId={({ uuid }) => uuid}
      minWidth={560}
      cards
    />
  );
}

/** Six decimal places: sums are compared with the partner’s to the millionth. */
const AMOUNT_DECIMALS = 6;

const columns: readonly RecordColumn<CostUpload>[] = [
  {
    header: 'Day',
    cell: ({ day, time_zone: timeZone, app }) => (
      <>
        <Text size="sm">{formatDay(day)}</Text>
        <Caption>
          {app.name}, {timeZone}
        </Caption>
      </>
    ),
  },
  { header: 'Rows', cell: ({ rows }) => formatNumber(rows), wrap: 'never' },
  {
    header: 'Amount',
    wrap: 'never',
    cell: ({ sent, spend }) => (
      <>
        <Text size="sm">${formatNumber(sent, AMOUNT_DECIMALS)}</Text>
        {sent !== spend && <Caption>of ${formatNumber(spend, AMOUNT_DECIMALS)}</Caption>}
      </>
    ),
  },
  {
    header: 'Status',
    cell: ({ status, matched_percent: matched }) => (
      <>
        <StatusBadge status={status} />
        {matched !== null && <Caption>{formatPercent(matched, 1)} matched</Caption>}
      </>
    ),
  },
  {
    header: 'Outcome',
    wrap: 'anywhere',
    cell: ({ error, finished_at: finishedAt, created_at: createdAt }) => (
      <Caption>{error ?? formatMoment(finishedAt ?? createdAt)}</Caption>
    ),
  },
];
