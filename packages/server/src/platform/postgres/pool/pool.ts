import type { PostgresPool, PostgresPoolClient } from 'kysely';
import pg from 'pg';
import { isDatabaseUnavailable } from '../../database-unavailable.ts';
import { MIGRATION_LOCK_MS, type PoolSettings } from './pool-settings.ts';
import { getTypeParser } from '../type-parsers.ts';
import { backoffMs } from '../../concurrency/backoff.ts';

/** Default of `connect_timeout` in the address, which is in seconds. */
const CONNECT_MS = 5000;

/** Idle time before keep-alive probes, so that firewalls keep the connection and a cut one is detected. */
const KEEPALIVE_MS = 10_000;
/** Connections that do not close within this time are destroyed. */
const GOODBYE_MS = 1000;

/** Options of every connection. */
export function connectionOptions(
  url: string,
  { name, timeouts }: Pick<PoolSettings, 'name' | 'timeouts'>,
): pg.ClientConfig {
  return {
    connectionString: url,
    connectionTimeoutMillis: connectTimeoutMs(url),
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEPALIVE_MS,
    application_name: name,
    types: { getTypeParser },
    lock_timeout: timeouts?.lock ?? MIGRATION_LOCK_MS,
    ...(timeouts && {
      statement_timeout: timeouts.statement,
      query_timeout: timeouts.query,
      idle_in_transaction_session_timeout: timeouts.idleInTransaction,
    }),
  };
}

/** As in libpq, `connect_timeout` of the address is in seconds. */
function connectTimeoutMs(url: string): number {
  const seconds = Number(new URL(url).searchParams.get('connect_timeout'));
  return seconds > 0 ? seconds * 1000 : CONNECT_MS;
}

/** The socket of a client, which its type does not expose. */
function socketOf(client: pg.ClientBase): { destroy(): void } {
  return (client as unknown as { connection: { stream: { destroy(): void } } }).connection.stream;
}

/**
 * Connection pool for Kysely. An error of a connection fails the statement on it and never the process. A connection that
 * failed or timed out is not used again, nor are the connections that were idle meanwhile. While the server is unavailable, attempts to
 * connect are limited. A connection that was cut without notice is found as {@link watchForSilence} says.
 */
export function openPool(url: string, settings: PoolSettings, limits?: SilenceLimits): PostgresPool {
  const options = connectionOptions(url, settings);
  const pool = new pg.Pool({
    ...options,
    max: settings.max,
    // A new connection costs more than most calls, and the default of ten seconds is short for a person's pauses.
    idleTimeoutMillis: 300_000,
  });
  const open = new Map<pg.PoolClient, { generation: number; lease: PostgresPoolClient }>();
  /** Incremented when a connection is lost; those that were idle then are probably lost too. */
  let generation = 0;
  // A migration has no time limit, since no other work uses its connection.
  const watch = settings.timeouts && watchForSilence(options, (client) => socketOf(client).destroy(), limits);
  pool.on('error', () => {});
  pool.on('connect', (client) => {
    // The pool handles errors only while a client is idle. A running statement rejects with the error itself.
    client.on('error', () => {});
    open.set(client, { generation, lease: leaseOf(client) });
  });
  pool.on('remove', (client) => void open.delete(client));

  const drop = (client: pg.PoolClient): void => {
    socketOf(client).destroy();
    client.release(true);
  };

  const take = connectGate(async () => pool.connect());

  async function connect(): Promise<PostgresPoolClient> {
    for (;;) {
      const client = await take();
      const known = open.get(client);
      if (known?.generation === generation) return known.lease;
      drop(client);
    }
  }

  function leaseOf(client: pg.PoolClient): PostgresPoolClient {
    let lost: Error | null = null;
    const query = async (text: string, values: readonly unknown[]): Promise<pg.QueryResult> => {
      // Further statements of a transaction, such as its rollback, would wait as long again.
      if (lost) throw lost;
      const responded = watch?.sent(client);
      try {
        return await client.query(text, [...values]);
      } catch (error) {
        if (endsConnection(error)) {
          lost = error as Error;
          generation += 1;
        }
        throw error;
      } finally {
        responded?.();
      }
    };
    return {
      query: query as unknown as PostgresPoolClient['query'],
      release: () => (lost ? drop(client) : client.release()),
    };
  }

  return {
    connect,
    async end() {
      watch?.stop();
      const forced = setTimeout(() => {
        for (const client of open.keys()) socketOf(client).destroy();
      }, GOODBYE_MS);
      try {
        await pool.end();
      } finally {
        clearTimeout(forced);
      }
    },
  };
}

/**
 * Whether an error makes its connection unusable; statements that PostgreSQL itself ended leave it usable. A server that
 * rejects a write may have become a standby: a new connection may lead to its successor.
 */
function endsConnection(error: unknown): boolean {
  const { code } = error as { code?: unknown };
  return isDatabaseUnavailable(error) && code !== '57014' && code !== '55P03' && code !== '53300';
}

/** Times of {@link watchForSilence}, in ms. */
interface SilenceLimits {
  /** Interval between checks of waiting statements. */
  everyMs: number;
  /** How long a statement waits before the server is queried about it. */
  waitMs: number;
  /** How long the server must have been done with it, longer than a response takes. */
  doneMs: number;
}

/** Statements that wait for a response. */
interface SilenceWatch {
  /** Call it when a statement is sent; returns the function to call at its response. */
  sent(client: pg.ClientBase): () => void;
  stop(): void;
}

interface Waiting {
  client: pg.ClientBase;
  sinceMs: number;
  /** When the server is queried about it. */
  dueMs: number;
}

const LIMITS: SilenceLimits = { everyMs: 1000, waitMs: 2500, doneMs: 1000 };

/**
 * Finds connections that were cut without notice, long before the time limit of their statements: queries the server, on a new
 * connection, which of the backends that owe a response do nothing, and calls `lost` with their clients. Behind PgBouncer
 * the backends are unknown, so that nothing is found there.
 */
function watchForSilence(
  options: pg.ClientConfig,
  lost: (client: pg.ClientBase) => void,
  limits: SilenceLimits = LIMITS,
): SilenceWatch {
  const waiting = new Set<Waiting>();
  let isChecking = false;

  async function check(): Promise<void> {
    const nowMs = performance.now();
    const late = [...waiting].filter(({ dueMs }) => dueMs < nowMs);
    if (late.length === 0) return;
    const idle = await idleBackends(
      options,
      late.map(({ client }) => backendOf(client)),
      limits.doneMs,
    );
    for (const one of late) {
      // A statement that is only slow is checked again when it has waited twice as long.
      one.dueMs = nowMs + (nowMs - one.sinceMs);
      if (waiting.has(one) && idle.has(backendOf(one.client))) lost(one.client);
    }
  }

  const timer = setInterval(() => {
    if (isChecking) return;
    isChecking = true;
    // While the server is unavailable, nothing is known about a statement; its own time limit applies.
    void check()
      .catch(() => {})
      .finally(() => (isChecking = false));
  }, limits.everyMs);
  timer.unref();
  return {
    sent(client) {
      const sinceMs = performance.now();
      const one = { client, sinceMs, dueMs: sinceMs + limits.waitMs };
      waiting.add(one);
      return () => void waiting.delete(one);
    },
    stop: () => clearInterval(timer),
  };
}

const CHECK_MS = 2000;

/** Which of the backends have been waiting for a statement for at least `doneMs`. */
async function idleBackends(
  options: pg.ClientConfig,
  backends: readonly number[],
  doneMs: number,
): Promise<ReadonlySet<number>> {
  const client = new pg.Client({ ...options, connectionTimeoutMillis: CHECK_MS, query_timeout: CHECK_MS });
  client.on('error', () => {});
  try {
    await client.connect();
    const { rows } = await client.query<{ pid: number }>(
      `select pid from pg_stat_activity
       where pid = any($1::int[]) and application_name = $2 and state like 'idle%'
       and state_change < clock_timestamp() - $3 * interval '1 millisecond'`,
      [backends, options.application_name, doneMs],
    );
    return new Set(rows.map(({ pid }) => pid));
  } finally {
    await client.end().catch(() => {});
  }
}

/** Process id of a connection's backend, which the client's type does not expose. */
function backendOf(client: pg.ClientBase): number {
  return (client as unknown as { processID: number }).processID;
}

const pause = async (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

const RETRY_MS = { first: 50, most: 2000 } as const;

/**
 * Limits the attempts to connect while a database is unavailable: one at a time, with backoff and jitter, for all callers
 * that wait meanwhile. This keeps many processes with many requests from flooding a restarted database or reconnecting all
 * at once. Callers wait instead of failing at once, at most two seconds and the time of the attempt.
 */
export function connectGate<T>(connect: () => Promise<T>): () => Promise<T> {
  let failures = 0;
  let probe: Promise<T> | null = null;

  const attempt = async (): Promise<T> => {
    const before = failures;
    try {
      const connection = await connect();
      failures = 0;
      return connection;
    } catch (error) {
      // Attempts that fail together count once.
      if (failures === before && isDatabaseUnavailable(error)) failures += 1;
      throw error;
    }
  };

  return async () => {
    if (failures === 0) return attempt();
    if (probe) {
      await probe;
      return attempt();
    }
    const own = pause(backoffMs(RETRY_MS.first, failures, RETRY_MS.most)).then(attempt);
    probe = own;
    try {
      return await own;
    } finally {
      probe = null;
    }
  };
}
