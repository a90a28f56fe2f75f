import type { OperatorHealth } from '@bidwell/contract/operator/health';
import type { Context } from '../../context.ts';
import { type Operator, requireOperatorPermission } from '../../platform/operator.ts';
import { listProcessStates } from '../../platform/postgres/stores/process-states-store.ts';
import { readBidding } from './bidding.ts';
import { readWaiting } from './waiting.ts';
import { clickhouseBytes, lastBackupAt, postgresBytes } from './health-store.ts';

/** State of all processes and databases. A size is null while its database does not respond. */
export async function readHealth(ctx: Context, operator: Operator): Promise<OperatorHealth> {
  requireOperatorPermission(operator, 'server.read');
  const { db, clickhouse } = ctx;
  const [bidding, processes, ownBytes, eventBytes, backup, waiting] = await Promise.all([
    readBidding(ctx, operator),
    listProcessStates(db),
    postgresBytes(db).catch(() => null),
    clickhouseBytes(clickhouse).catch(() => null),
    lastBackupAt(db),
    readWaiting(ctx),
  ]);
  return {
    bidding,
    processes: processes.map(({ started_at, seen_at, ...row }) => ({
      ...row,
      started_at: started_at.toISOString(),
      seen_at: seen_at.toISOString(),
    })),
    postgres_bytes: ownBytes,
    clickhouse_bytes: eventBytes,
    last_backup_at: backup?.toISOString() ?? null,
    waiting: { reviews: waiting.reviews, top_ups: waiting.topUps },
    companies_below_zero: waiting.companiesBelowZero,
  };
}
