import { setTimeout as pause } from 'node:timers/promises';
import {
  type DialectAdapter,
  Kysely,
  PostgresAdapter,
  PostgresDialect,
  type PostgresDialectConfig,
  sql,
} from 'kysely';
import { backoffMs } from '../concurrency/backoff.ts';
import { openPool } from './pool/pool.ts';
import { MIGRATION_POOL } from './pool/pool-settings.ts';

/** How a process waits while another one migrates. */
export interface MigrationWait {
  /** Called once a second or less often while this process waits, with who migrates. */
  onWaiting?: (holder: MigrationHolder | null, waitedMs: number) => void;
  /** After this long the migration fails; the start retries it. */
  limitMs?: number;
}

/** The session that migrates. */
export interface MigrationHolder {
  pid: number;
  application: string;
  /** Null on a Unix socket. */
  address: string | null;
  since: Date;
}

/** Another process has been migrating for too long. */
export class MigrationTimeout extends Error {}

/** Key of the lock for each database that is migrated; PostgreSQL's is the key of Kysely, which earlier versions take too. */
const LOCKS = { PostgreSQL: '3853314791062309107', ClickHouse: '3853314791062309108' } as const;
type Migrated = keyof typeof LOCKS;
const LIMIT_MS = 15 * 60_000;
const RETRY_MS = { first: 50, most: 1000 } as const;

/** Dialect of a connection that migrates: it polls for the lock, in order to report who holds it, and gives up at last. */
export class MigrationDialect extends PostgresDialect {
  readonly #wait: MigrationWait;

  constructor(config: PostgresDialectConfig, wait: MigrationWait) {
    super(config);
    this.#wait = wait;
  }

  override createAdapter(): DialectAdapter {
    return new MigrationAdapter(this.#wait);
  }
}

class MigrationAdapter extends PostgresAdapter {
  readonly #wait: MigrationWait;

  constructor(wait: MigrationWait) {
    super();
    this.#wait = wait;
  }

  override async acquireMigrationLock(db: Kysely<unknown>): Promise<void> {
    await takeLock(db, 'PostgreSQL', this.#wait);
  }
}

/**
 * Runs `work`, which migrates ClickHouse, under an advisory lock of the PostgreSQL at `url`: of several processes one
 * migrates, and the others wait as `wait` says, because ClickHouse fails a change of a table during another. Throws
 * {@link MigrationTimeout}, and an error of the connection.
 */
export async function migrateAlone(
  url: string,
  wait: MigrationWait,
  work: () => Promise<void>,
): Promise<void> {
  const db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool: openPool(url, MIGRATION_POOL) }) });
  try {
    await db.connection().execute(async (session) => {
      // The end of the session releases it.
      await takeLock(session, 'ClickHouse', wait);
      await work();
    });
  } finally {
    await db.destroy();
  }
}

/** Takes a lock for the session of `db`, polling while another one holds it. Throws {@link MigrationTimeout}. */
async function takeLock(
  db: Kysely<unknown>,
  migrated: Migrated,
  { onWaiting, limitMs = LIMIT_MS }: MigrationWait,
): Promise<void> {
  const beganMs = performance.now();
  for (let failures = 1; ; failures += 1) {
    const { rows } = await sql<{ is_free: boolean }>`
      select pg_try_advisory_lock(${sql.raw(LOCKS[migrated])}) as is_free`.execute(db);
    if (rows[0]!.is_free) return;
    const waitedMs = performance.now() - beganMs;
    if (waitedMs >= limitMs)
      throw new MigrationTimeout(
        `Another process has been migrating ${migrated} for ${Math.round(waitedMs / 1000)} seconds.`,
      );
    onWaiting?.(await holderOf(db, migrated), waitedMs);
    await pause(backoffMs(RETRY_MS.first, failures, RETRY_MS.most));
  }
}

/** The session that holds the lock; null if it has just ended. */
async function holderOf(db: Kysely<unknown>, migrated: Migrated): Promise<MigrationHolder | null> {
  const key = sql.raw(LOCKS[migrated]);
  const { rows } = await sql<MigrationHolder>`
    select a.pid, coalesce(a.application_name, '') as application, host(a.client_addr) as address,
      coalesce(a.xact_start, a.backend_start) as since
    from pg_locks l join pg_stat_activity a using (pid)
    where l.locktype = 'advisory' and l.granted and l.objsubid = 1
      and l.database = (select oid from pg_database where datname = current_database())
      and (l.classid::bigint << 32 | l.objid::bigint) = ${key}`.execute(db);
  return rows[0] ?? null;
}
