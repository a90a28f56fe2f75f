import type { ClickHouse, QuerySettings } from '../../platform/clickhouse/client.ts';
import { clickhouseTime } from '../../platform/clickhouse/time.ts';
import type { SampledRequest, StoredRequest } from './request-sample.ts';

/** Limits of one query, so that replays do not slow down reports. */
const SETTINGS: QuerySettings = { max_threads: 1, max_execution_time: 20 };

/** Stores sampled bid requests, which belong to no company. */
export async function storeSample(
  clickhouse: Pick<ClickHouse, 'insert'>,
  requests: readonly SampledRequest[],
): Promise<void> {
  if (requests.length === 0) return;
  await clickhouse.insert(
    'request_sample',
    requests.map(({ atMs, ...request }) => ({ time: clickhouseTime(atMs), ...request })),
  );
}

/** Sampled requests of a period, or of all times, newest first. */
export async function sampleBetween(
  clickhouse: ClickHouse,
  { fromMs = -Infinity, beforeMs = Infinity, limit }: { fromMs?: number; beforeMs?: number; limit: number },
): Promise<readonly StoredRequest[]> {
  return clickhouse.query(
    `select toUnixTimestamp64Milli(time) as atMs, exchange, weight, request from request_sample
     where time >= {from:DateTime64(3, 'UTC')} and time < {before:DateTime64(3, 'UTC')}
     order by time desc limit {limit:UInt32}`,
    { from: clickhouseTime(fromMs), before: clickhouseTime(beforeMs), limit },
    'JSON',
    SETTINGS,
  );
}
