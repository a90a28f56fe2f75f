import type { ClickHouse } from '../../platform/clickhouse/client.ts';
import type { FunnelCounts, FunnelRow } from './counts.ts';

/** Rows of one insert: few enough that writing them delays no bid. */
const ROWS_PER_INSERT = 2000;

/**
 * Stores the counts so far, part by part. Those that cannot be stored are retained for the next call. Throws the error of
 * the first insert that failed.
 */
export async function storeFunnel(
  clickhouse: Pick<ClickHouse, 'insert'>,
  counts: Pick<FunnelCounts, 'take' | 'restore'>,
): Promise<void> {
  const rows = counts.take();
  for (let part = nextPart(rows); part.length > 0; part = nextPart(rows)) {
    try {
      await insert(clickhouse, part);
    } catch (error) {
      for (; part.length > 0; part = nextPart(rows)) {
        counts.restore(part);
        await new Promise((resume) => setImmediate(resume));
      }
      throw error;
    }
  }
}

function nextPart(rows: Iterator<FunnelRow>): FunnelRow[] {
  const part: FunnelRow[] = [];
  while (part.length < ROWS_PER_INSERT) {
    const { value, done } = rows.next();
    if (done) break;
    part.push(value);
  }
  return part;
}

async function insert(clickhouse: Pick<ClickHouse, 'insert'>, rows: readonly FunnelRow[]): Promise<void> {
  await clickhouse.insert(
    'funnel',
    rows.map(({ hourMs, by, ...row }) => ({ hour: Math.floor(hourMs / 1000), outbid_by: by, ...row })),
  );
}
