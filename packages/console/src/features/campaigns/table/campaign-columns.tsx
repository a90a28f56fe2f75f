import { ADSET_AMOUNTS, type AdsetAmount } from '@bidwell/contract/adsets/fields';
import type { AdsetSummary } from '@bidwell/contract/adsets/schema';
import { FURTHER_METRICS, type ReportMetric, appliesToKind } from '@bidwell/contract/reports/metrics';
import { lazyPart } from '../../../ui/layout/lazy-part.tsx';
import { flightText } from '@bidwell/contract/campaigns/flight';
import { formatMoney } from '../../../lib/format/format.ts';
import { offerApproval } from '../../../entities/campaigns/offer-approval.ts';
import { updateAdset } from '../../../entities/campaigns/adset-queries.ts';
import type { BidKind } from '../../../entities/campaigns/high-bid.ts';
import { highestPrice } from '../../../entities/campaigns/highest-price.ts';
import { InlineEdit } from '../../../ui/form/inline/inline-edit.tsx';
import { InlineMoney } from '../../../ui/form/inline/inline-money.tsx';
import { AnchorLink } from '../../../ui/layout/links.tsx';
import { metricColumn } from '../../../entities/reports/metric-column.tsx';
import { actionsColumn } from '../../../entities/archive/entity-columns.tsx';
import { Caption, Muted } from '../../../ui/layout/text.tsx';
import type { Column } from '../../../ui/table/table-state.ts';
import { NameCell } from './name-cell.tsx';
import type { Depth } from './open-rows.ts';
import { RowActions } from './row-actions.tsx';
import { adsetField, adsetText, campaignField } from './row-fields.ts';
import type { Startable } from './status-actions.ts';
import { statusOf } from './row-status.ts';
import { StatusCell } from './status-cell.tsx';
import { type TreeRow, totalOf } from './tree-rows.ts';
import { actionCode } from '../../../lib/load-code.ts';

// Only an open dialog needs it.
const BidNote = lazyPart(() => import('../forecast/bid-note.tsx'), 'BidNote', { as: 'hint' });

type MoneyField = Exclude<AdsetAmount, 'cpa'>;

interface ColumnOptions {
  /** The kind of the rows; campaigns have rows below them. */
  list: Depth;
  /** Ids of pending status changes. */
  busy: ReadonlySet<string>;
  onToggle: (one: Startable) => void;
  /** Metrics whose columns are suggested. */
  suggested: readonly ReportMetric[];
}

const titles = { campaign: 'Campaign', adset: 'Ad set', creative: 'Creative' } as const;

/** Columns of a table of campaigns, ad sets or creatives; a cell is empty where its row has no such value. */
export function campaignColumns({ list, busy, onToggle, suggested }: ColumnOptions): Column<TreeRow>[] {
  const hasRevenue = suggested.includes('revenue');
  const hasReturns = suggested.includes('reattributions');
  return [
    {
      id: 'name',
      header: titles[list],
      fixed: true,
      line: 1,
      sortBy: (row) => (row.kind === 'more' ? null : row.name),
      footer: 'Total',
      cell: (row) => <NameCell row={row} flat={list !== 'campaign'} />,
    },
    ...(list === 'adset' ? [campaignColumn] : []),
    {
      id: 'status',
      header: 'Status',
      fixed: true,
      line: 1,
      sortBy: statusOf,
      // With room for the hint, which comes after the row.
      width: 155,
      cell: (row) => <StatusCell row={row} busy={busy} onToggle={onToggle} />,
    },
    ...(list === 'creative' ? [] : [descriptionColumn]),
    {
      id: 'app',
      header: 'App',
      hidden: list !== 'creative',
      line: 2,
      sortBy: appName,
      cell: appName,
    },
    ...(list === 'campaign' ? [datesColumn] : []),
    ...(list === 'creative' ? [] : moneyColumns(list)),
    // On a phone the bid and the budget of an ad set fill a line of its card.
    { ...metric('spends'), line: list === 'adset' ? 3 : 2 },
    metric('installs'),
    { ...metric('cpi'), line: hasRevenue && list === 'adset' ? 'none' : 3 },
    // A card shows ROAS in place of the revenue.
    ...suggested.map((id) => ({
      ...metric(id),
      ...(id !== 'roas' && { line: 'none' as const }),
      hidden: true,
      suggested: true,
    })),
    // The table would scroll sideways at 1440 px; the one of ad sets has a campaign and a bid too.
    {
      ...metric('impressions'),
      line: 'none',
      hidden: hasReturns || (hasRevenue && list === 'adset'),
      wasShown: true,
    },
    { ...metric('clicks'), hidden: true, wasShown: true },
    { ...metric('ctr'), line: hasRevenue || list === 'adset' ? 'none' : 3 },
    { ...metric('cpm'), hidden: true, wasShown: true },
    ...FURTHER_METRICS.filter((id) => !suggested.includes(id)).map((id) => ({ ...metric(id), hidden: true })),
    ...(list === 'creative' ? [] : [rowActions]),
  ];
}

const rowActions: Column<TreeRow> = {
  ...actionsColumn((row) => <RowActions row={row} />),
  line: 2,
  width: 110,
};

const campaignColumn: Column<TreeRow> = {
  id: 'campaign',
  header: 'Campaign',
  line: 'none',
  sortBy: (row) => (row.kind === 'adset' ? (row.campaign?.name ?? null) : null),
  cell: (row) => <CampaignCell row={row} />,
};

const descriptionColumn: Column<TreeRow> = {
  id: 'description',
  header: 'Description',
  hidden: true,
  cell: (row) => <DescriptionCell row={row} />,
};

const datesColumn: Column<TreeRow> = {
  id: 'dates',
  header: 'Dates',
  hidden: true,
  sortBy: (row) => (row.kind === 'campaign' ? row.campaign.start_date : null),
  cell: (row) => <DatesCell row={row} />,
};

function moneyColumns(list: Depth): Column<TreeRow>[] {
  const columns = [
    // Their rows come after the head, and move no column. Campaigns have no bid.
    { ...money('bet_cpm'), width: 80, hidden: list === 'campaign', wasShown: true },
    { ...money('bet_cpi'), hidden: true },
    { ...money('daily_budget_const'), width: 104 },
    { ...money('all_budget_const'), hidden: true },
  ];
  // Only ad sets have bids and budgets.
  return list === 'adset' ? columns : columns.map(({ sortBy: _sortBy, ...column }) => column);
}

function appName(row: TreeRow): string | null {
  if (row.kind === 'campaign') return row.campaign.app.name;
  if (row.kind === 'adset') return row.adset?.target.app.name ?? null;
  return row.kind === 'creative' ? (row.creative?.app.name ?? null) : null;
}

function metric(id: ReportMetric): Column<TreeRow> {
  const column = metricColumn<TreeRow>(id, {
    metricsOf: (row) => (row.kind === 'more' ? null : row.metrics),
    applies: (row) => {
      const kind = 'campaign' in row ? row.campaign?.kind : undefined;
      return kind === undefined || appliesToKind(id, kind);
    },
    totalOf,
  });
  return { ...column, line: 3 };
}

function money(field: MoneyField): Column<TreeRow> {
  const { label, min, max, none }: { label: string; min: number; max: number; none?: string } =
    ADSET_AMOUNTS[field];
  return {
    id: field,
    header: label,
    numeric: true,
    line: 2,
    sortBy: (row) => (row.kind === 'adset' ? (row.adset?.[field] ?? null) : null),
    cell: (row) => {
      if (row.kind === 'campaign' && field.endsWith('budget_const')) {
        return (
          <Muted title="Total of its active ad sets" style={{ whiteSpace: 'nowrap' }}>
            {budgetOf(row.adsets, field)}
          </Muted>
        );
      }
      if (row.kind !== 'adset' || !row.adset) return null;
      const { name } = row.adset;
      const highest = field === 'bet_cpm' ? highestPrice(row.adset, row.adset.bet_cpm) : null;
      const amount = (
        <InlineMoney
          label={label}
          permission="adset.write"
          of={name}
          field={adsetField<number | null>(row.adset, {
            valueOf: (adset) => (none === undefined ? adset[field] : adset[field] || null),
            send: async (dollars, version, close) =>
              saveAmount(row.adset!, { field, dollars, version, close }),
          })}
          min={min}
          max={max}
          {...(none !== undefined && { emptyText: none })}
          {...(isBid(field) && {
            confirm: async (dollars) => confirmBid(row.adset!, field, dollars),
            note: (dollars) => <BidNote adset={row.adset!} field={field} dollars={dollars} />,
          })}
        />
      );
      if (highest === null || highest <= row.adset.bet_cpm) return amount;
      return (
        <>
          {amount}
          <Caption title="With its bids by country and multipliers" style={{ whiteSpace: 'nowrap' }}>
            up to {formatMoney(highest)}
          </Caption>
        </>
      );
    },
  };
}

/** Saves an amount, and asks whether to request an approval where a budget needs one, which closes the dialog. Throws ApiError. */
async function saveAmount(
  { uuid, campaign }: AdsetSummary,
  {
    field,
    dollars,
    version,
    close,
  }: { field: MoneyField; dollars: number | null; version: string | undefined; close: () => void },
): Promise<unknown> {
  try {
    return await updateAdset(uuid, { [field]: dollars }, version);
  } catch (error) {
    if (campaign) {
      const change = { campaign_uuid: campaign.uuid, adsets: [{ uuid, [field]: dollars }] };
      offerApproval(error, change, close);
    }
    throw error;
  }
}

const isBid = (field: MoneyField): field is BidKind => field === 'bet_cpm' || field === 'bet_cpi';

async function confirmBid(adset: AdsetSummary, field: BidKind, dollars: number | null): Promise<boolean> {
  const { confirmBids } = await actionCode(() => import('../../../entities/campaigns/confirm-bid.tsx'));
  return confirmBids([{ of: adset.name, bids: { [field]: dollars }, before: adset }]);
}

/** Sum of the budgets of active ad sets; Unlimited when one has no limit. */
function budgetOf(adsets: readonly AdsetSummary[], field: MoneyField): string {
  const active = adsets.filter(({ status }) => status === 'Active');
  if (active.length === 0) return '-';
  if (active.some((adset) => !adset[field])) return 'Unlimited';
  return formatMoney(active.reduce((sum, adset) => sum + (adset[field] ?? 0), 0));
}

function DescriptionCell({ row }: { row: TreeRow }) {
  const field =
    row.kind === 'campaign'
      ? campaignField(row.campaign, 'description')
      : row.kind === 'adset' && row.adset && adsetText(row.adset, 'description');
  if (!field) return null;
  return (
    <InlineEdit
      label="Description"
      kind="description"
      permission={row.kind === 'campaign' ? 'campaign.write' : 'adset.write'}
      field={field}
    />
  );
}

function CampaignCell({ row }: { row: TreeRow }) {
  if (row.kind !== 'adset') return null;
  if (!row.campaign) return <span>-</span>;
  return (
    <AnchorLink to="/campaigns/edit" search={{ uuid: row.campaign.uuid }} size="sm" lineClamp={2} miw={120}>
      {row.campaign.name}
    </AnchorLink>
  );
}

function DatesCell({ row }: { row: TreeRow }) {
  if (row.kind !== 'campaign') return null;
  const { start_date: start, start_time: from, end_date: end, end_time: until } = row.campaign;
  return (
    <Caption miw={96}>
      {start || end
        ? `${start ? flightText(start, from) : 'Now'} – ${end ? flightText(end, until) : 'open'}`
        : 'No dates'}
    </Caption>
  );
}
