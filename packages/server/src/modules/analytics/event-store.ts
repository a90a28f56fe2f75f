import type { ClickHouse } from '../../platform/clickhouse/client.ts';
import { clickhouseTime } from '../../platform/clickhouse/time.ts';
import type { Period } from './plan.ts';

/** What an advertiser gets of each event: everything that is theirs. */
const EVENT_COLUMNS = [
  'time',
  'kind',
  'bid_id',
  'app_id',
  'campaign_id',
  'adset_id',
  'creative_id',
  'creative_group_id',
  'creative_type',
  'creative_width',
  'creative_height',
  'creative_duration_ms',
  'exchange',
  'bundle',
  'os',
  'country',
  'language',
  'bid_cpm_micros',
  'spend_micros',
  'loss_reason',
  'test',
] as const;

/** Texts that come from outside: in CSV one that a spreadsheet would run as a formula is made harmless. */
const FOREIGN_TEXTS = new Set<string>(['bundle', 'country', 'language']);

/** Every event of a company in a period, test traffic too, oldest first, in constant memory. CSV has a line of names. */
export async function* streamEvents(
  clickhouse: ClickHouse,
  companyId: string,
  { fromMs, beforeMs }: Period,
  format: 'csv' | 'parquet',
): AsyncGenerator<Uint8Array> {
  const columns = EVENT_COLUMNS.map((name) =>
    format === 'csv' && FOREIGN_TEXTS.has(name)
      ? `if(match(${name}, '^[=+@\\\\-\\\\t\\\\r]'), concat('\\'', ${name}), ${name}) as ${name}_text`
      : name,
  );
  const sql = `
    select ${columns.join(', ')} from events
    where company_id = {company:UUID} and time >= {from:DateTime64(3, 'UTC')} and time < {before:DateTime64(3, 'UTC')}
    order by company_id, time`;
  const params = { company: companyId, from: clickhouseTime(fromMs), before: clickhouseTime(beforeMs) };
  if (format === 'csv') yield new TextEncoder().encode(`${EVENT_COLUMNS.join(',')}\n`);
  yield* clickhouse.stream(sql, params, format === 'csv' ? 'CSV' : 'Parquet');
}
