import type { Counts, ReportLevel } from '@bidwell/contract/metrics';
import type { EventKind } from '../../delivery/events/event.ts';
import type { ClickHouse } from '../../platform/clickhouse/client.ts';

/** What a level of a report is in `events`. Nothing that a client sends reaches SQL but as a bound parameter. */
interface Dimension {
  /** Over columns that the hourly projection groups by. */
  sql: string;
  type: 'UUID' | 'String' | 'UInt32';
}

export const dimensions: Readonly<Record<ReportLevel, Dimension>> = {
  campaign: { sql: 'campaign_id', type: 'UUID' },
  adset: { sql: 'adset_id', type: 'UUID' },
  app: { sql: 'app_id', type: 'UUID' },
  bundle: { sql: 'bundle', type: 'String' },
  os: { sql: 'os', type: 'String' },
  country: { sql: 'country', type: 'String' },
  creative: { sql: 'creative_id', type: 'UUID' },
  creative_group: { sql: 'creative_group_id', type: 'UUID' },
  creative_width: { sql: 'creative_width', type: 'UInt32' },
  creative_height: { sql: 'creative_height', type: 'UInt32' },
  /** Whole seconds. */
  creative_duration: { sql: 'toUInt32(round(creative_duration_ms / 1000))', type: 'UInt32' },
  exchange: { sql: 'exchange', type: 'String' },
  creative_type: { sql: 'creative_type', type: 'String' },
};

const kindOf: Readonly<Record<Exclude<keyof Counts, 'spendMicros'>, EventKind>> = {
  clicks: 'click',
  installs: 'install',
  impressions: 'impression',
};

/** Instants in unix ms, the end excluded, and the zone whose days count. */
export interface Period {
  fromMs: number;
  beforeMs: number;
  timeZone: string;
}

export interface CountsQuery {
  period: Period;
  /** A row for each combination; `day` is the calendar date in the period's zone. */
  by: readonly (ReportLevel | 'day')[];
  /** An absent key does not filter; values that fit the dimension's type. */
  filters: Partial<Record<ReportLevel, readonly string[]>>;
  /** Rows at most, those that spent most first. */
  limit?: number;
}

export interface CountsRow extends Counts {
  /** In the order of `by`. */
  values: string[];
}

/** What was counted of a company's events in a period; test traffic is not. Without `by`: one row, the total. */
export async function countEvents(
  clickhouse: ClickHouse,
  companyId: string,
  query: CountsQuery,
): Promise<CountsRow[]> {
  const { sql, params } = countsSql(companyId, query);
  return clickhouse.query<CountsRow>(sql, params);
}

/** The query behind {@link countEvents}. */
export function countsSql(
  companyId: string,
  { period, by, filters, limit }: CountsQuery,
): { sql: string; params: Record<string, unknown> } {
  // The hourly sums answer only whole hours; zones with half hours read the events themselves.
  // The bounds have the exact type of what they bound: ClickHouse prunes wrongly for a DateTime64 below a DateTime.
  const [time, type] = isWholeHours(period)
    ? ['toStartOfHour(time)', "DateTime('UTC')"]
    : ['time', "DateTime64(3, 'UTC')"];
  const params: Record<string, unknown> = {
    company: companyId,
    from: clickhouseSeconds(period.fromMs),
    before: clickhouseSeconds(period.beforeMs),
  };
  const conditions = [
    'company_id = {company:UUID}',
    'test = 0',
    `${time} >= {from:${type}}`,
    `${time} < {before:${type}}`,
  ];
  for (const level of Object.keys(dimensions) as ReportLevel[]) {
    const values = filters[level];
    if (!values) continue;
    const { sql, type: valueType } = dimensions[level];
    params[`only_${level}`] = valueType === 'UInt32' ? values.map(Number) : values;
    conditions.push(`has({only_${level}:Array(${valueType})}, ${sql})`);
  }
  if (by.includes('day')) params['zone'] = period.timeZone;
  const groups = by.map((key, index) => {
    const sql = key === 'day' ? `toDate(${time}, {zone:String})` : dimensions[key].sql;
    return { select: `${sql} as d${index}, `, key: `d${index}` };
  });
  const keys = groups.map(({ key }) => key);
  const sums = Object.entries(kindOf).map(([name, kind]) => `sumIf(n, kind = '${kind}') as ${name}`);
  return {
    params,
    sql: `
      select ${keys.length > 0 ? `[${keys.map((key) => `toString(${key})`).join(', ')}]` : 'emptyArrayString()'} as values,
        ${sums.join(', ')}, sum(spend) as spendMicros
      from (
        select ${groups.map(({ select }) => select).join('')}kind, count() as n, sum(spend_micros) as spend
        from events
        where ${conditions.join(' and ')}
        group by ${[...keys, 'kind'].join(', ')}
      )
      ${keys.length > 0 ? `group by ${keys.join(', ')} order by spendMicros desc, impressions desc, values` : ''}
      ${limit === undefined ? '' : `limit ${Math.trunc(limit)}`}`,
  };
}

const HOUR_MS = 3_600_000;

/** The event database knows no instant beyond these; no event lies there either. */
const EARLIEST_MS = 0;
const LATEST_MS = Date.UTC(2100, 0, 1);

function clickhouseSeconds(atMs: number): string {
  const held = Math.min(Math.max(atMs, EARLIEST_MS), LATEST_MS);
  return new Date(held).toISOString().slice(0, 19).replace('T', ' ');
}

/** True when every day of the period begins at a whole hour of UTC. */
function isWholeHours({ fromMs, beforeMs, timeZone }: Period): boolean {
  const isWhole = (atMs: number) => atMs % HOUR_MS === 0;
  if (!isWhole(fromMs) || !isWhole(beforeMs)) return false;
  // A zone may change its clocks by half an hour within the period: none does so for less than a month.
  const offsetName = new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longOffset' });
  const from = Math.max(fromMs, EARLIEST_MS);
  const before = Math.min(beforeMs, LATEST_MS);
  for (let atMs = from; atMs < before; atMs += 28 * 24 * HOUR_MS) {
    if (!/GMT([+-]\d\d:00)?$/.test(offsetName.format(atMs))) return false;
  }
  return true;
}
