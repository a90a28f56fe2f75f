/** SQL of the start of the period of UTC in which an event lies, for each length that aggregates group by. */
export const grainSql = {
  quarterHour: 'toStartOfFifteenMinutes(time)',
  hour: 'toStartOfHour(time)',
  day: 'toDate(time)',
  month: 'toStartOfMonth(time)',
} as const;

const countOf = (kind: string) => `countIf(kind = '${kind}')`;
/** Without invalid traffic. */
const validCountOf = (kind: string) => `countIf(kind = '${kind}' and mark = '')`;
/** Without invalid traffic and implausible installs. */
const trainingCountOf = (kind: string) => `countIf(kind = '${kind}' and mark = '' and untrained = '')`;

/** SQL of the figures that aggregates store. A query reads an aggregate only if it has exactly these expressions. */
export const measureSql = {
  clicks: countOf('click'),
  installs: countOf('install'),
  impressions: countOf('impression'),
  wins: countOf('win'),
  losses: countOf('loss'),
  spendMicros: 'sum(spend_micros)',
  marginMicros: 'sum(margin_micros)',
  validClicks: validCountOf('click'),
  validInstalls: validCountOf('install'),
  validRejectedInstalls: validCountOf('install_rejected'),
  validImpressions: validCountOf('impression'),
  trainingInstalls: trainingCountOf('install'),
  trainingRejectedInstalls: trainingCountOf('install_rejected'),
} as const;

/**
 * A projection of the events table that aggregates by columns and by time. It commits together with its rows. A
 * deployed aggregate never changes: a migration adds one with another name and drops the one that it replaces.
 */
export interface Aggregate<Name extends string = string> {
  name: Name;
  /** What it is sorted by first: the company, for reports; the time, for queries across companies. */
  sortedBy: 'company' | 'time';
  grain: keyof typeof grainSql;
  /** Columns by which it groups, besides the company, `test` and the time. */
  columns: readonly string[];
  measures: readonly (keyof typeof measureSql)[];
}

/** Definition of an aggregate's projection. */
export function projectionSql({ sortedBy, grain, columns, measures }: Aggregate): string {
  const time = grainSql[grain];
  const first = sortedBy === 'company' ? ['company_id', 'test', time] : ['test', time, 'company_id'];
  const keys = [...first, ...columns].join(', ');
  return `( select ${keys}, ${measures.map((measure) => measureSql[measure]).join(', ')} group by ${keys} )`;
}
