import type { ClickHouse } from '../../platform/clickhouse/client.ts';
import { clickhouseTime } from '../../platform/clickhouse/time.ts';
import type { FunnelRow } from './counts.ts';
import type { SampledRequest } from './request-sample.ts';

/** Stores counts of the funnel, of all companies. */
export async function storeFunnel(
  clickhouse: Pick<ClickHouse, 'insert'>,
  rows: readonly FunnelRow[],
): Promise<void> {
  if (rows.length === 0) return;
  await clickhouse.insert(
    'funnel',
    rows.map(({ hourMs, by, ...row }) => ({ hour: Math.floor(hourMs / 1000), outbid_by: by, ...row })),
  );
}

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

/** The newest sampled requests. */
export async function latestSample(
  clickhouse: ClickHouse,
  limit: number,
): Promise<readonly { atMs: number; exchange: string; weight: number; request: string }[]> {
  return clickhouse.query(
    'select toUnixTimestamp64Milli(time) as atMs, exchange, weight, request from request_sample order by time desc limit {limit:UInt32}',
    { limit },
  );
}
