import type { AdsetSummary } from '@bidwell/contract/adsets/schema';
import type { DefaultRow } from '@bidwell/contract/reports/schema';
import type { Campaign } from '@bidwell/contract/campaigns/schema';
import type { Creative } from '@bidwell/contract/creatives/schema';
import type { CreativeGroup } from '@bidwell/contract/creative-groups/schema';
import { chosenMetricsOf } from '@bidwell/contract/reports/chosen-metrics';
import { FURTHER_METRICS, type Metrics, metricsOf } from '@bidwell/contract/reports/metrics';
import { toMicros } from '@bidwell/contract/lib/money';
import { type Unknown, isUnknown } from '../../../lib/loadable.ts';
import { type RowMetrics, byValue, metricsIn, zeroMetrics } from '../../../entities/reports/row-metrics.ts';

/** A row of the tables of campaigns, ad sets and creatives with its metrics in the range. `id` is unique in the whole tree. */
export type TreeRow = { id: string; name: string; metrics: RowMetrics } & (
  | { kind: 'campaign'; campaign: Campaign; adsets: readonly AdsetSummary[] }
  /**
   * Without `adset` it has left the campaign: its metrics remain, but its settings cannot be edited here. Without
   * `campaign` it is part of none.
   */
  | { kind: 'adset'; campaign: Campaign | undefined; uuid: string; adset: AdsetSummary | undefined }
  /** Without `creative` it is no longer in a group of the ad set; without `adset` the row is for all ad sets. */
  | { kind: 'creative'; creative: Creative | undefined; adset?: string }
  /** Stands for creatives beyond the maximum. */
  | { kind: 'more'; campaign: Campaign }
);

/** Inputs of the tree. */
export interface TreeSource {
  campaigns: readonly Campaign[];
  adsets: readonly AdsetSummary[];
  /** Undefined while they are not known. */
  groups: readonly CreativeGroup[] | undefined;
  /** Report rows by campaign. */
  report: readonly DefaultRow[] | Unknown;
  deepReport: DeepReport | Unknown;
}

/** Report rows by campaign, ad set and creative of some campaigns. */
interface DeepReport {
  /** The campaigns that it is about. */
  campaigns: readonly string[];
  rows: readonly DefaultRow[];
}

/** Maximum number of creatives shown per ad set, by spend. */
const CREATIVES_MAX = 30;

/** The campaign rows, and a function that returns the children of a row. */
export function campaignTree(source: TreeSource): {
  rows: TreeRow[];
  childrenOf: (row: TreeRow) => TreeRow[] | undefined;
} {
  const report = byValue(source.report);
  const groups = new Map(source.groups?.map((group) => [group.uuid, group]));
  const adsets = new Map<string, AdsetSummary[]>();
  for (const adset of source.adsets) {
    if (adset.campaign) adsets.set(adset.campaign.uuid, [...(adsets.get(adset.campaign.uuid) ?? []), adset]);
  }
  const rows = source.campaigns.map((campaign): TreeRow => {
    const { uuid, name } = campaign;
    return {
      kind: 'campaign',
      id: uuid,
      name,
      campaign,
      adsets: adsets.get(uuid) ?? [],
      metrics: metricsIn(report, uuid),
    };
  });
  const childrenOf = (row: TreeRow): TreeRow[] | undefined => {
    if (row.kind === 'campaign') {
      const reported = deepRows(source.deepReport, row.campaign.uuid);
      const children = adsetRows(row.campaign, row.adsets, reported);
      const wasShown = !isUnknown(row.metrics) && row.metrics.impressions > 0;
      return children.length > 0 || wasShown ? children : undefined;
    }
    if (row.kind !== 'adset' || !row.campaign) return undefined;
    const ofCampaign = deepRows(source.deepReport, row.campaign.uuid);
    const reported = isUnknown(ofCampaign)
      ? ofCampaign
      : (ofCampaign.find(({ value }) => value === row.uuid)?.children ?? []);
    const current = row.adset?.creative_groups.flatMap(({ uuid }) => creativesOf(groups.get(uuid))) ?? [];
    const children = creativeRows(row, current, reported);
    // Until the groups are known there may be creatives that the report does not have.
    const mayHaveMore = source.groups === undefined && row.adset !== undefined;
    if (children.length <= CREATIVES_MAX) return children.length > 0 || mayHaveMore ? children : undefined;
    const hidden = children.length - CREATIVES_MAX;
    return [
      ...children.slice(0, CREATIVES_MAX),
      {
        kind: 'more',
        id: `${row.id}/more`,
        name: `and ${hidden} more`,
        campaign: row.campaign,
        metrics: zeroMetrics,
      },
    ];
  };
  return { rows, childrenOf };
}

/** The ad sets of a campaign in the report; one about other campaigns is yet to be replaced. */
function deepRows(report: DeepReport | Unknown, campaign: string): readonly DefaultRow[] | Unknown {
  if (isUnknown(report)) return report;
  if (!report.campaigns.includes(campaign)) return 'loading';
  return report.rows.find(({ value }) => value === campaign)?.children ?? [];
}

function adsetRows(
  campaign: Campaign,
  adsets: readonly AdsetSummary[],
  reported: readonly DefaultRow[] | Unknown,
): TreeRow[] {
  const metrics = byValue(reported);
  const listed = isUnknown(reported) ? [] : reported;
  const known = new Set(adsets.map(({ uuid }) => uuid));
  const row = (uuid: string, name: string, adset: AdsetSummary | undefined): TreeRow => ({
    kind: 'adset',
    // An ad set that moved has rows under two campaigns.
    id: adset ? uuid : `${campaign.uuid}/${uuid}`,
    name,
    campaign,
    uuid,
    adset,
    metrics: metricsIn(metrics, uuid),
  });
  return [
    ...adsets.map((adset) => row(adset.uuid, adset.name, adset)),
    ...listed.filter(({ value }) => !known.has(value)).map(({ value, name }) => row(value, name, undefined)),
  ];
}

function creativeRows(
  { id: parentId, uuid: adset }: { id: string; uuid: string },
  current: readonly Creative[],
  reported: readonly DefaultRow[] | Unknown,
): TreeRow[] {
  const metrics = byValue(reported);
  const listed = isUnknown(reported) ? [] : reported;
  const creatives = new Map(current.map((creative) => [creative.uuid, creative]));
  const row = (uuid: string, name: string): TreeRow => ({
    kind: 'creative',
    id: `${parentId}/${uuid}`,
    name,
    creative: creatives.get(uuid),
    adset,
    metrics: metricsIn(metrics, uuid),
  });
  return [
    ...[...creatives.values()].map(({ uuid, internal_creative }) => row(uuid, internal_creative.name)),
    ...listed.filter(({ value }) => !creatives.has(value)).map(({ value, name }) => row(value, name)),
  ].sort((a, b) => spendOf(b) - spendOf(a));
}

/** Rows of unknown spend keep their order. */
const spendOf = ({ metrics }: TreeRow): number => (isUnknown(metrics) ? 0 : metrics.spends);

/** All creatives of a group, of every type. */
export function creativesOf(group: CreativeGroup | undefined): Creative[] {
  return group
    ? [
        ...group.banner_creatives,
        ...group.video_creatives,
        ...group.native_creatives,
        ...group.playable_creatives,
      ]
    : [];
}

/** Whether a row is of a re-engagement campaign, whose spend is in no CPI. */
const isOfReEngagement = (row: TreeRow): boolean =>
  'campaign' in row && row.campaign?.kind === 're_engagement';

/** The metrics of all rows in total; unknown if the metrics of a row are. */
export function totalOf(rows: readonly TreeRow[]): RowMetrics {
  const known: Metrics[] = [];
  const returning: Metrics[] = [];
  for (const row of rows) {
    const { metrics } = row;
    if (isUnknown(metrics)) return metrics;
    known.push(metrics);
    if (isOfReEngagement(row)) returning.push(metrics);
  }
  const sum = (of: (metrics: Metrics) => number, summed = known) =>
    summed.reduce((total, metrics) => total + of(metrics), 0);
  const counts = {
    clicks: sum(({ clicks }) => clicks),
    installs: sum(({ installs }) => installs),
    impressions: sum(({ impressions }) => impressions),
    spendMicros: sum(({ spends }) => toMicros(spends)),
    invalidClicks: sum(({ invalid_clicks: count = 0 }) => count),
    invalidInstalls: sum(({ invalid_installs: count = 0 }) => count),
  };
  // A person belongs to one row. Where a row's revenue is not known, the known part of the others is a lower bound.
  const isKnown = known.every((row) => row.revenue !== null) || known.some((row) => Boolean(row.revenue));
  const appEvents = {
    events: sum(({ app_events: count = 0 }) => count),
    payers: sum((row) => row.payers ?? 0),
    revenueMicros: sum((row) => toMicros(row.revenue ?? 0)),
    knownRevenues: isKnown ? 1 : 0,
    unknownRevenues: Math.max(
      isKnown ? 0 : 1,
      sum((row) => row.unknown_amounts ?? 0),
    ),
    named: [],
  };
  const reEngagement = {
    impressions: sum(({ impressions }) => impressions, returning),
    clicks: sum(({ clicks }) => clicks, returning),
    spendMicros: sum(({ spends }) => toMicros(spends), returning),
    reattributions: sum(({ reattributions: count = 0 }) => count),
    reinstalls: sum(({ reinstalls: count = 0 }) => count),
    events: sum(({ re_engagement_events: count = 0 }) => count),
    revenueMicros: sum((row) => toMicros(row.re_engagement_revenue ?? 0)),
    knownRevenues: known.some((row) => row.re_engagement_revenue) ? 1 : 0,
    unknownRevenues: known.some((row) => row.re_engagement_revenue === null) ? 1 : 0,
    named: [],
  };
  // The win rate stays unknown: rows have no counts of wins and losses.
  const all = { ...counts, appEvents, reEngagement };
  return { ...metricsOf(all), ...chosenMetricsOf(all, FURTHER_METRICS) };
}
