import type { OperatorHealth } from '@bidwell/contract/operator-health';
import type { Engines } from '../../engines.ts';
import { listProcessStates } from '../../platform/postgres/process-states-store.ts';
import { balanceMicrosOfAll, pendingTopUps } from '../finance/service.ts';
import { countWaiting } from '../moderation/service.ts';
import { readBidding } from './bidding.ts';
import { clickhouseBytes, lastBackupAt, postgresBytes } from './health-store.ts';

/** State of all processes and databases. A size is null while its database does not answer. */
export async function readHealth(engines: Engines): Promise<OperatorHealth> {
  const { db, clickhouse } = engines;
  const [bidding, processes, ownBytes, eventBytes, backup, reviews, topUps, balances] = await Promise.all([
    readBidding(engines),
    listProcessStates(db),
    postgresBytes(db).catch(() => null),
    clickhouseBytes(clickhouse).catch(() => null),
    lastBackupAt(db),
    countWaiting(engines),
    pendingTopUps(engines),
    balanceMicrosOfAll(engines),
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
    waiting: { reviews, top_ups: topUps.length },
    companies_below_zero: [...balances.values()].filter((micros) => micros < 0).length,
  };
}
