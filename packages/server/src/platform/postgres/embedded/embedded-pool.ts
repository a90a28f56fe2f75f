import type { PostgresPool, PostgresPoolClient } from 'kysely';
import { setMaxListeners } from 'node:events';
import pg from 'pg';
import type { EmbeddedPostgres } from './embedded-postgres.ts';
import { EmbeddedPostgresSilent, EmbeddedWatchdog } from './embedded-watchdog.ts';
import { poolTurns } from '../pool/pool-turns.ts';
import { getTypeParser } from '../type-parsers.ts';
import { Duplex } from 'node:stream';
import { eventLoopShare } from '../../concurrency/yielding.ts';

/** A caller that has waited this long is rejected; the watchdog rejects all sooner while the database is silent. */
const WAIT_MS = 120_000;

/** Type of the message with which a client takes its leave. */
const TERMINATE = 'X'.codePointAt(0)!;

/**
 * The socket of the PostgreSQL client: the other end is an embedded database. The client writes all messages
 * of a statement at once. Other work of the event loop, such as bids, gets its turn between the parts of a response, because
 * each is parsed at once.
 */
class EmbeddedSocket extends Duplex {
  readonly #postgres: EmbeddedPostgres;
  readonly #takeTurn = eventLoopShare();

  constructor(postgres: EmbeddedPostgres) {
    super();
    this.#postgres = postgres;
  }

  connect(): void {
    process.nextTick(() => this.emit('connect'));
  }

  setNoDelay(): void {}

  override _read(): void {}

  override _write(chunk: Buffer, _encoding: string, done: (error?: Error) => void): void {
    this.#exchange([chunk], done);
  }

  override _writev(chunks: { chunk: Buffer }[], done: (error?: Error) => void): void {
    this.#exchange(
      chunks.map(({ chunk }) => chunk),
      done,
    );
  }

  override _final(done: () => void): void {
    this.push(null);
    done();
  }

  #exchange(chunks: readonly Buffer[], done: (error?: Error) => void): void {
    if (chunks[0]![0] === TERMINATE) return done();
    let pushed: Promise<void> = Promise.resolve();
    const receive = (bytes: Uint8Array): void => {
      pushed = pushed.then(this.#takeTurn).then(() => void this.push(bytes));
    };
    this.#postgres
      .exchange(joined(chunks), receive)
      .then(() => pushed)
      .then(() => done(), done);
  }
}

/**
 * Pool of the one connection to an embedded database, used by one caller at a time, so that transactions do not mix: companies,
 * addresses without a session, and the process itself take turns. Its client equals a server's client: the same types and errors.
 * While the database is silent for longer than the watchdog allows, callers are rejected. Throws as {@link PoolTurns}.
 */
export function embeddedPool(postgres: EmbeddedPostgres, watchdog = new EmbeddedWatchdog()): PostgresPool {
  const turns = poolTurns(1, WAIT_MS);
  let connection: Promise<PostgresPoolClient> | undefined;
  let rejecting = newRejecting();
  /** Ends the present turn; null while no caller uses the connection. */
  let end: (() => void) | null = null;
  watchdog.onRefusal((reason) => {
    rejecting.abort(reason);
    rejecting = newRejecting();
  });

  async function takeTurn(): Promise<void> {
    const refusal = watchdog.refusal();
    if (end && refusal) throw refusal;
    end = await turns(rejecting.signal);
  }

  function endTurn(): void {
    const ended = end;
    end = null;
    ended?.();
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
    /** Ends the rest of a transaction that was given up, once the database responds again. */
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

/** Rejects all waiting callers; each of them listens. */
function newRejecting(): AbortController {
  const rejecting = new AbortController();
  setMaxListeners(0, rejecting.signal);
  return rejecting;
}

/** The chunks one after the other in memory of their own, which can be given to another thread. */
function joined(chunks: readonly Buffer[]): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(chunks.reduce((sum, { length }) => sum + length, 0));
  let length = 0;
  for (const chunk of chunks) {
    all.set(chunk, length);
    length += chunk.length;
  }
  return all;
}
