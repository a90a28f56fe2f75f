import type { AdsetSummary } from '@bidwell/contract/adset';
import type { DefaultRow } from '@bidwell/contract/analytics';
import type { Campaign } from '@bidwell/contract/campaign';
import type { Creative } from '@bidwell/contract/creative';
import type { CreativeGroup } from '@bidwell/contract/creative-group';
import type { Metrics } from '@bidwell/contract/metrics';
import { metricsOf } from '@bidwell/contract/metrics';
import { toMicros } from '@bidwell/contract/money';
import { zeroMetrics } from '../../lib/zero-metrics.ts';

/** A row of the tables of campaigns, ad sets and creatives with its metrics in the range. `id` is unique in the whole tree. */
export type TreeRow = { id: string; name: string; metrics: Metrics } & (
  | { kind: 'campaign'; campaign: Campaign; adsets: readonly AdsetSummary[] }
  /**
   * Without `adset` it has left the campaign: its metrics remain, but its settings cannot be edited here. Without
   * `campaign` it is part of none.
   */
  | { kind: 'adset'; campaign: Campaign | undefined; uuid: string; adset: AdsetSummary | undefined }
  /** Without `creative` it is no longer in a group of the ad set; without `adset` the row stands for all ad sets. */
  | { kind: 'creative'; creative: Creative | undefined; adset?: string }
  /** Stands for creatives beyond the maximum. */
  | { kind: 'more'; campaign: Campaign }
);

/** Inputs of the tree. */
export interface TreeSource {
  campaigns: readonly Campaign[];
  adsets: readonly AdsetSummary[];
  groups: readonly CreativeGroup[];
  /** Report rows by campaign. */
  report: readonly DefaultRow[];
  /** Report rows by campaign, ad set and creative, at least for expanded campaigns. */
  deepReport: readonly DefaultRow[];
}

/** Maximum number of creatives shown per ad set, by spend. */
const CREATIVES_MAX = 30;

/** The campaign rows, and a function that returns the children of a row. */
export function campaignTree(source: TreeSource): {
  rows: TreeRow[];
  childrenOf: (row: TreeRow) => TreeRow[] | undefined;
} {
  const report = byValue(source.report);
  const deep = byValue(source.deepReport);
  const groups = new Map(source.groups.map((group) => [group.uuid, group]));
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
      metrics: report.get(uuid) ?? zeroMetrics,
    };
  });
  const childrenOf = (row: TreeRow): TreeRow[] | undefined => {
    if (row.kind === 'campaign') {
      const reported = deep.get(row.campaign.uuid)?.children ?? [];
      const children = adsetRows(row.campaign, row.adsets, reported);
      return children.length > 0 || row.metrics.impressions > 0 ? children : undefined;
    }
    if (row.kind !== 'adset' || !row.campaign) return undefined;
    const reported = deep.get(row.campaign.uuid)?.children.find(({ value }) => value === row.uuid)?.children;
    const current = row.adset?.creative_groups.flatMap(({ uuid }) => creativesOf(groups.get(uuid))) ?? [];
    const children = creativeRows(row, current, reported ?? []);
    if (children.length <= CREATIVES_MAX) return children.length > 0 ? children : undefined;
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

function adsetRows(
  campaign: Campaign,
  adsets: readonly AdsetSummary[],
  reported: readonly DefaultRow[],
): TreeRow[] {
  const metrics = byValue(reported);
  const known = new Set(adsets.map(({ uuid }) => uuid));
  const row = (uuid: string, name: string, adset: AdsetSummary | undefined): TreeRow => ({
    kind: 'adset',
    // An ad set that moved has rows under two campaigns.
    id: adset ? uuid : `${campaign.uuid}/${uuid}`,
    name,
    campaign,
    uuid,
    adset,
    metrics: metrics.get(uuid) ?? zeroMetrics,
  });
  return [
    ...adsets.map((adset) => row(adset.uuid, adset.name, adset)),
    ...reported
      .filter(({ value }) => !known.has(value))
      .map(({ value, name }) => row(value, name, undefined)),
  ];
}

function creativeRows(
  { id: parentId, uuid: adset }: { id: string; uuid: string },
  current: readonly Creative[],
  reported: readonly DefaultRow[],
): TreeRow[] {
  const metrics = byValue(reported);
  const creatives = new Map(current.map((creative) => [creative.uuid, creative]));
  const row = (uuid: string, name: string): TreeRow => ({
    kind: 'creative',
    id: `${parentId}/${uuid}`,
    name,
    creative: creatives.get(uuid),
    adset,
    metrics: metrics.get(uuid) ?? zeroMetrics,
  });
  return [
    ...[...creatives.values()].map(({ uuid, internal_creative }) => row(uuid, internal_creative.name)),
    ...reported.filter(({ value }) => !creatives.has(value)).map(({ value, name }) => row(value, name)),
  ].sort((a, b) => b.metrics.spends - a.metrics.spends);
}

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

/** The metrics of all rows in total. */
export function totalOf(rows: readonly TreeRow[]): Metrics {
  const sum = (of: (metrics: Metrics) => number) =>
    rows.reduce((total, { metrics }) => total + of(metrics), 0);
  return metricsOf({
    clicks: sum(({ clicks }) => clicks),
    installs: sum(({ installs }) => installs),
    impressions: sum(({ impressions }) => impressions),
    spendMicros: sum(({ spends }) => toMicros(spends)),
  });
}

/** Report rows by the value of their level. */
export function byValue(rows: readonly DefaultRow[]): Map<string, DefaultRow> {
  return new Map(rows.map((row) => [row.value, row]));
}
