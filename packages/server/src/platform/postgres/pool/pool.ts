import type { PostgresPool, PostgresPoolClient } from 'kysely';
import pg from 'pg';
import { isDatabaseUnavailable } from '../../database-unavailable.ts';
import { connectGate } from './connect-gate.ts';
import { MIGRATION_LOCK_MS, type PoolSettings } from './pool-settings.ts';
import { type SilenceLimits, watchForSilence } from './silence.ts';
import { getTypeParser } from '../type-parsers.ts';

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
 * failed or timed out is not used again, nor are those that were idle meanwhile. While the server is unavailable, attempts to
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
  // A migration may take as long as it needs, on a connection that nothing else uses.
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
