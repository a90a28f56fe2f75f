import type { PGlite } from '@electric-sql/pglite';
import type { CompiledQuery, DatabaseConnection, Dialect, Driver, QueryResult } from 'kysely';
import { PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler } from 'kysely';
import { eventLoopShare } from '../jobs/yielding.ts';

/** The methods of PGlite that this dialect calls. */
export type EmbeddedPostgres = Pick<PGlite, 'query' | 'exec' | 'waitReady' | 'close'>;

/**
 * Kysely dialect for PGlite: one connection, used by one caller at a time, so that transactions do not mix. PGlite runs in
 * this thread and its promises settle without a turn of the event loop, so that statements which follow each other would
 * keep bids waiting until the last of them is done: the event loop gets its turn between them.
 */
export function pgliteDialect(pglite: EmbeddedPostgres): Dialect {
  return {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new PgliteDriver(pglite),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  };
}

class PgliteDriver implements Driver {
  readonly #pglite: EmbeddedPostgres;
  readonly #connection: DatabaseConnection;
  readonly #waiting: (() => void)[] = [];
  #taken = false;

  constructor(pglite: EmbeddedPostgres) {
    this.#pglite = pglite;
    const takeTurn = eventLoopShare();
    this.#connection = {
      async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
        await takeTurn();
        const result = await pglite.query<R>(query.sql, [...query.parameters]);
        return { rows: result.rows, numAffectedRows: BigInt(result.affectedRows ?? 0) };
      },
      streamQuery() {
        throw new Error('PGlite does not stream');
      },
    };
  }

  async init(): Promise<void> {
    await this.#pglite.waitReady;
  }

  async acquireConnection(): Promise<DatabaseConnection> {
    if (this.#taken) await new Promise<void>((free) => this.#waiting.push(free));
    this.#taken = true;
    return this.#connection;
  }

  async releaseConnection(): Promise<void> {
    const next = this.#waiting.shift();
    if (next) next();
    else this.#taken = false;
  }

  async beginTransaction(): Promise<void> {
    await this.#pglite.exec('begin');
  }

  async commitTransaction(): Promise<void> {
    await this.#pglite.exec('commit');
  }

  async rollbackTransaction(): Promise<void> {
    await this.#pglite.exec('rollback');
  }

  async destroy(): Promise<void> {
    await this.#pglite.close();
  }
}
