import type { PostgresPool, PostgresPoolClient } from 'kysely';
import pg from 'pg';
import type { EmbeddedPostgres } from './embedded-postgres.ts';
import { EmbeddedSocket } from './embedded-socket.ts';
import { getTypeParser } from './type-parsers.ts';

/**
 * Pool of the one connection to an embedded database, used by one caller at a time, in the order of asking, so that
 * transactions do not mix. Its client is that of a server: the same types and errors.
 */
export function embeddedPool(postgres: EmbeddedPostgres): PostgresPool {
  const waiting: (() => void)[] = [];
  let connection: Promise<PostgresPoolClient> | undefined;
  let isTaken = false;

  async function open(): Promise<PostgresPoolClient> {
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
    const query = async (text: string, values: readonly unknown[]) => client.query(text, [...values]);
    return { query: query as unknown as PostgresPoolClient['query'], release };
  }

  function release(): void {
    const next = waiting.shift();
    if (next) next();
    else isTaken = false;
  }

  return {
    async connect() {
      if (isTaken) await new Promise<void>((free) => waiting.push(free));
      isTaken = true;
      try {
        connection ??= open();
        return await connection;
      } catch (error) {
        release();
        throw error;
      }
    },
    end: async () => postgres.close(),
  };
}
