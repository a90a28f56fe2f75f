import type { Counts, ReportKey } from '@bidwell/contract/reports/metrics';
import { measureSql } from '../../../platform/clickhouse/aggregates.ts';

/** How a report's key is computed from `events`. Client input reaches SQL only as bound parameters. */
export interface Dimension {
  /** Expression over `columns`, by which the aggregates can group. */
  sql: string;
  columns: readonly string[];
  type: 'UUID' | 'String' | 'UInt32';
}

const column = (name: string, type: Dimension['type'] = 'String'): Dimension => ({
  sql: name,
  columns: [name],
  type,
});

export const dimensions: Readonly<Record<ReportKey, Dimension>> = {
  campaign: column('campaign_id', 'UUID'),
  adset: column('adset_id', 'UUID'),
  app: column('app_id', 'UUID'),
  bundle: column('bundle'),
  os: column('os'),
  country: column('country'),
  creative: column('creative_id', 'UUID'),
  creative_group: column('creative_group_id', 'UUID'),
  creative_width: column('creative_width', 'UInt32'),
  creative_height: column('creative_height', 'UInt32'),
  /** Rounded to seconds. */
  creative_duration: {
    sql: 'toUInt32(round(creative_duration_ms / 1000))',
    columns: ['creative_duration_ms'],
    type: 'UInt32',
  },
  exchange: column('exchange'),
  creative_type: column('creative_type'),
  format: {
    sql: "concat(toString(creative_width), 'x', toString(creative_height))",
    columns: ['creative_width', 'creative_height'],
    type: 'String',
  },
};

export type Measure = Exclude<keyof Counts, 'appEvents' | 'reEngagement'>;

/** How a report's counts follow from the measures that aggregates store. */
export const measures: Readonly<Record<Measure, string>> = {
  // Invalid traffic is counted separately; installs that a partner rejected later are subtracted.
  clicks: measureSql.validClicks,
  installs: `${measureSql.validInstalls} - ${measureSql.validRejectedInstalls}`,
  impressions: measureSql.impressions,
  spendMicros: measureSql.spendMicros,
  wins: measureSql.wins,
  losses: measureSql.losses,
  invalidClicks: `${measureSql.clicks} - ${measureSql.validClicks}`,
  invalidInstalls: `${measureSql.installs} - ${measureSql.validInstalls}`,
};

const BASIC_MEASURES = ['clicks', 'installs', 'impressions', 'spendMicros'] as const;

const EXTENDED_MEASURES = [...BASIC_MEASURES, 'wins', 'losses', 'invalidClicks', 'invalidInstalls'] as const;

/** Measures of a row, in the order of its figures. */
export function measuresOf({ extended }: { extended?: boolean }): readonly Measure[] {
  return extended ? EXTENDED_MEASURES : BASIC_MEASURES;
}
