import type { ClickHouse } from '../../platform/clickhouse/client.ts';
import type { FunnelRow } from './counts.ts';

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
