/** Limits of a process's connections to PostgreSQL; times in ms. */
export interface PoolSettings {
  /** `application_name` of the connections, in pg_stat_activity and in PostgreSQL's log. */
  name: string;
  /** Most connections at once. */
  max: number;
  /** Null lets statements take as long as they need once they have their locks, for migrations. */
  timeouts: PoolTimeouts | null;
}

/**
 * The address may override them, such as `?statement_timeout=60000&query_timeout=62000`. `query` is measured by the client:
 * it ends statements on a connection that was cut silently.
 */
export interface PoolTimeouts {
  lock: number;
  statement: number;
  query: number;
  idleInTransaction: number;
}

const INTERACTIVE = { lock: 10_000, statement: 20_000, query: 22_000, idleInTransaction: 30_000 };

/**
 * By role: a bidder sends few short statements, and its leases are out of date after ten seconds; a counter that stops in a
 * transaction is replaced after five; a job may take long and no caller waits for it.
 */
const BY_ROLE = {
  api: { max: 16, timeouts: INTERACTIVE },
  tracker: { max: 6, timeouts: INTERACTIVE },
  bidder: { max: 4, timeouts: { lock: 5000, statement: 10_000, query: 12_000, idleInTransaction: 15_000 } },
  counter: { max: 4, timeouts: { lock: 5000, statement: 10_000, query: 12_000, idleInTransaction: 5000 } },
  jobs: { max: 4, timeouts: { lock: 10_000, statement: 60_000, query: 62_000, idleInTransaction: 60_000 } },
} as const;

/**
 * Settings of a process with these roles; with several roles it has the settings of `api`. `max` replaces the number of
 * connections.
 */
export function poolSettings(roles: ReadonlySet<keyof typeof BY_ROLE>, max?: number): PoolSettings {
  const [role, ...others] = [...roles];
  const settings = BY_ROLE[role === undefined || others.length > 0 ? 'api' : role];
  const isAll = roles.size === 0 || roles.size === Object.keys(BY_ROLE).length;
  return {
    name: isAll ? 'bidwell' : `bidwell-${[...roles].sort().join('-')}`,
    max: max ?? settings.max,
    timeouts: settings.timeouts,
  };
}

/** Connections to a read replica, whose reads the primary takes over after a second. */
export const REPLICA_POOL: PoolSettings = {
  name: 'bidwell-replica',
  max: 8,
  timeouts: { lock: 1000, statement: 1000, query: 1500, idleInTransaction: 2000 },
};

/**
 * How long a migration waits for a lock, in ms. All later statements on the table wait behind it, also statements of other processes
 * so it gives up soon and is repeated.
 */
export const MIGRATION_LOCK_MS = 1000;

/** A connection of a migration, which may take longer than a statement. */
export const MIGRATION_POOL: PoolSettings = { name: 'bidwell-migration', max: 1, timeouts: null };
