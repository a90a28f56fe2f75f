import type { PostgresPool, PostgresPoolClient } from 'kysely';
import pg from 'pg';
import type { EmbeddedPostgres } from './embedded-postgres.ts';
import { EmbeddedSocket } from './embedded-socket.ts';
import { EmbeddedPostgresSilent, EmbeddedWatchdog } from './embedded-watchdog.ts';
import { getTypeParser } from './type-parsers.ts';

/** Most callers that wait for the connection; each is a request or a job. */
const WAITING_MAX = 1000;

/** So many callers wait for the embedded database that no more may. The code is PostgreSQL's for too many connections. */
class TooManyWaiting extends Error {
  readonly code = '53300';
  constructor() {
    super(`${WAITING_MAX} callers wait for the embedded PostgreSQL`);
  }
}

/**
 * Pool of the one connection to an embedded database, used by one caller at a time, in the order of asking, so that
 * transactions do not mix. Its client is that of a server: the same types and errors. While the database is silent for
 * longer than the watchdog allows, callers are refused.
 */
export function embeddedPool(postgres: EmbeddedPostgres, watchdog = new EmbeddedWatchdog()): PostgresPool {
  const waiting: { admit: () => void; refuse: (reason: Error) => void }[] = [];
  let connection: Promise<PostgresPoolClient> | undefined;
  let isTaken = false;
  watchdog.onRefusal((reason) => {
    for (const { refuse } of waiting.splice(0)) refuse(reason);
  });

  async function takeTurn(): Promise<void> {
    const refusal = watchdog.refusal() ?? (waiting.length >= WAITING_MAX ? new TooManyWaiting() : null);
    if (isTaken && refusal) throw refusal;
    if (isTaken) await new Promise<void>((admit, refuse) => waiting.push({ admit, refuse }));
    isTaken = true;
  }

  function endTurn(): void {
    const next = waiting.shift();
    if (next) next.admit();
    else isTaken = false;
  }

  async function open(): Promise<PostgresPoolClient> {
    const client = await connect(postgres);
    let lost: { error: Error; statement: Promise<unknown> } | null = null;
    const query = async (text: string, values: readonly unknown[]): Promise<pg.QueryResult> => {
      // Further statements of a transaction, such as its rollback, would wait as long again.
      if (lost) throw lost.error;
      const statement = client.query(text, [...values]);
      try {
        return await watchdog.watch(statement);
      } catch (error) {
        if (error instanceof EmbeddedPostgresSilent) lost = { error, statement };
        throw error;
      }
    };
    /** Ends what is left of a transaction that was given up, once the database answers again. */
    const recover = async (given: Promise<unknown>): Promise<void> => {
      await given.catch(() => {});
      await watchdog.watch(client.query('rollback')).catch(() => {});
      lost = null;
      endTurn();
    };
    return {
      query: query as unknown as PostgresPoolClient['query'],
      release: () => (lost ? void recover(lost.statement) : endTurn()),
    };
  }

  return {
    async connect() {
      await takeTurn();
      try {
        connection ??= open();
        return await connection;
      } catch (error) {
        endTurn();
        throw error;
      }
    },
    async end() {
      watchdog.stop();
      await postgres.close();
    },
  };
}

async function connect(postgres: EmbeddedPostgres): Promise<pg.Client> {
  const client = new pg.Client({
    stream: () => new EmbeddedSocket(postgres),
    user: 'postgres',
    database: 'postgres',
    ssl: false,
    types: { getTypeParser },
  });
  // A running statement rejects with the error itself.
  client.on('error', () => {});
  await client.connect();
  return client;
}
