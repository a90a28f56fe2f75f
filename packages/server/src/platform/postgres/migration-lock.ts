import { setTimeout as pause } from 'node:timers/promises';
import type { DialectAdapter, Kysely, PostgresDialectConfig } from 'kysely';
import { PostgresAdapter, PostgresDialect, sql } from 'kysely';
import { backoffMs } from '../jobs/backoff.ts';

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

/** Key of Kysely's lock, which earlier versions take too. */
const LOCK = '3853314791062309107';
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
    const { onWaiting, limitMs = LIMIT_MS } = this.#wait;
    const beganMs = performance.now();
    for (let failures = 1; ; failures += 1) {
      const { rows } = await sql<{ is_free: boolean }>`
        select pg_try_advisory_lock(${sql.raw(LOCK)}) as is_free`.execute(db);
      if (rows[0]!.is_free) return;
      const waitedMs = performance.now() - beganMs;
      if (waitedMs >= limitMs)
        throw new MigrationTimeout(
          `Another process has been migrating PostgreSQL for ${Math.round(waitedMs / 1000)} seconds.`,
        );
      onWaiting?.(await holderOf(db), waitedMs);
      await pause(backoffMs(RETRY_MS.first, failures, RETRY_MS.most));
    }
  }
}

/** The session that holds the lock; null if it has just ended. */
async function holderOf(db: Kysely<unknown>): Promise<MigrationHolder | null> {
  const key = sql.raw(LOCK);
  const { rows } = await sql<MigrationHolder>`
    select a.pid, coalesce(a.application_name, '') as application, host(a.client_addr) as address,
      coalesce(a.xact_start, a.backend_start) as since
    from pg_locks l join pg_stat_activity a using (pid)
    where l.locktype = 'advisory' and l.granted and l.objsubid = 1
      and l.database = (select oid from pg_database where datname = current_database())
      and (l.classid::bigint << 32 | l.objid::bigint) = ${key}`.execute(db);
  return rows[0] ?? null;
}
