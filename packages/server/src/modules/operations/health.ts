import type { OperatorHealth } from '@bidwell/contract/operator/health';
import type { Context } from '../../context.ts';
import { type Operator, requireOperatorPermission, SERVER } from '../../platform/operator.ts';
import { listProcessStates } from '../../platform/postgres/stores/process-states-store.ts';
import type { BiddingState } from '@bidwell/contract/operator/schema';
import { transact, type Db } from '../../platform/postgres/transaction.ts';
import { recordAuditEntry } from '../changes/public.ts';
import { type Selectable, sql } from 'kysely';
import type { BiddingStopTable } from '../../platform/postgres/schema.ts';
import type { ClickHouse } from '../../platform/clickhouse/client.ts';
import { companiesBelowZero, topUpsWaiting, lastLedgerCheck } from '../money/public.ts';
import { countWaiting } from '../moderation/public.ts';

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

/** Whether all bidding is stopped, by whom and why. */
export async function readBidding({ db }: Context, operator: Operator): Promise<BiddingState> {
  requireOperatorPermission(operator, 'server.read');
  const row = await findBiddingStop(db);
  return {
    stopped: row ? { operator: row.operator, reason: row.reason, at: row.stopped_at.toISOString() } : null,
  };
}

/** Stops all bidding, or lets it go on. Every bidder obeys within two seconds while PostgreSQL responds. */
export async function switchBidding(
  ctx: Context,
  operator: Operator,
  { stopped, reason }: { stopped: boolean; reason: string },
): Promise<BiddingState> {
  requireOperatorPermission(operator, 'bidding.write');
  await transact(ctx.db, async (tx) => {
    const before = await findBiddingStop(tx.db);
    if ((before !== undefined) === stopped) return;
    if (stopped) await insertBiddingStop(tx.db, { operator: operator.login, reason, stopped_at: ctx.now() });
    else await deleteBiddingStop(tx.db);
    await recordAuditEntry(ctx, tx, operator, {
      action: stopped ? 'Stopped' : 'Resumed',
      entity: 'bidding',
      entityId: null,
      name: 'of all companies',
      reason,
      before: { stopped: !stopped },
      after: { stopped },
    });
  });
  ctx.onInstallationChanged();
  return readBidding(ctx, operator);
}

type BiddingStopRow = Pick<Selectable<BiddingStopTable>, 'operator' | 'reason' | 'stopped_at'>;

/** Who stopped all bidding; undefined while it is running. */
async function findBiddingStop(db: Db): Promise<BiddingStopRow | undefined> {
  return db.selectFrom('bidding_stop').select(['operator', 'reason', 'stopped_at']).executeTakeFirst();
}

/** Stops all bidding; the first stop stays. */
export async function insertBiddingStop(db: Db, row: BiddingStopRow): Promise<void> {
  await db
    .insertInto('bidding_stop')
    .values(row)
    .onConflict((conflict) => conflict.column('one').doNothing())
    .execute();
}

/** Resumes bidding. */
export async function deleteBiddingStop(db: Db): Promise<void> {
  await db.deleteFrom('bidding_stop').execute();
}

/** Bytes of this database. */
async function postgresBytes(db: Db): Promise<number> {
  const { rows } = await sql<{ bytes: string }>`
    select pg_database_size(current_database()) as bytes`.execute(db);
  return Number(rows[0]!.bytes);
}

/** Bytes of this database's tables on disk, on the server that runs the query. */
async function clickhouseBytes(clickhouse: ClickHouse): Promise<number> {
  const rows = await clickhouse.query<{ bytes: number | string }>(
    'select sum(bytes_on_disk) as bytes from system.parts where active and database = currentDatabase()',
  );
  return Number(rows[0]?.bytes ?? 0);
}

/** Free part of the fullest disk of the ClickHouse servers. */
async function clickhouseFreeRatio(clickhouse: ClickHouse): Promise<number | null> {
  const { cluster } = clickhouse;
  const disks = cluster ? `clusterAllReplicas('${cluster.name}', 'system', 'disks')` : 'system.disks';
  const rows = await clickhouse.query<{ ratio: number | null }>(
    `select minOrNull(free_space / total_space) as ratio from ${disks} where total_space > 0`,
  );
  return rows[0]?.ratio ?? null;
}

/** When the first tables were made. */
async function installedAt(db: Db): Promise<Date> {
  const { rows } = await sql<{ at: string }>`select min(timestamp) as at from kysely_migration`.execute(db);
  return new Date(rows[0]!.at);
}

/** When the last complete backup was made. */
async function lastBackupAt(db: Db): Promise<Date | undefined> {
  const row = await db
    .selectFrom('operator_acts')
    .select('created_at')
    .where('entity', '=', 'backup')
    .orderBy('created_at', 'desc')
    .executeTakeFirst();
  return row?.created_at;
}

/** The items that wait for operators, of all companies. */
export interface Waiting {
  /** Versions of ads. */
  reviews: number;
  topUps: number;
  companiesBelowZero: number;
}

/** Counts the items that wait for operators. */
export async function readWaiting(ctx: Context): Promise<Waiting> {
  const [reviews, topUps, belowZero] = await Promise.all([
    countWaiting(ctx),
    topUpsWaiting(ctx),
    companiesBelowZero(ctx),
  ]);
  return { reviews, topUps, companiesBelowZero: belowZero };
}

/** The installation's warnings to operators. */
export interface Safety {
  /** Age of the last backup, or of the installation if there is none. */
  backupAgeSeconds: number;
  /** Disagreements in the last check of the ledger; null before the first. */
  ledgerDisagreements: number | null;
  /** Free part of the fullest disk of the ClickHouse servers; null where it is embedded or does not respond. */
  clickhouseFreeRatio: number | null;
}

/** Reads the facts that operators are warned of. Throws when PostgreSQL does not respond. */
export async function readSafety(ctx: Context): Promise<Safety> {
  const { db, clickhouse, config, now } = ctx;
  const [backupAt, check, freeRatio] = await Promise.all([
    lastBackupAt(db),
    lastLedgerCheck(ctx, SERVER),
    config.clickhouseUrl === undefined ? null : clickhouseFreeRatio(clickhouse).catch(() => null),
  ]);
  const sinceMs = (backupAt ?? (await installedAt(db))).getTime();
  return {
    backupAgeSeconds: Math.max(0, (now().getTime() - sinceMs) / 1000),
    ledgerDisagreements: check && check.disagreements.length,
    clickhouseFreeRatio: freeRatio,
  };
}
