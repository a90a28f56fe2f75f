import { apiMessages } from '@bidwell/contract/messages';
import type { PostgresPool, PostgresPoolClient } from 'kysely';
import { setMaxListeners } from 'node:events';
import pg from 'pg';
import { DomainError } from '../errors.ts';
import type { FairQueue, FairQueueLimits } from '../jobs/fair-queue.ts';
import { fairQueue } from '../jobs/fair-queue.ts';
import { currentRequest } from '../telemetry/request-id.ts';
import type { EmbeddedPostgres } from './embedded-postgres.ts';
import { EmbeddedSocket } from './embedded-socket.ts';
import { EmbeddedPostgresSilent, EmbeddedWatchdog } from './embedded-watchdog.ts';
import { getTypeParser } from './type-parsers.ts';

/** Those who wait for the connection: each company, all requests without a session together, and the jobs of the process. */
const LIMITS: FairQueueLimits = {
  running: 1,
  runningEach: 1,
  waiting: 1000,
  waitingEach: 400,
  waitMs: 120_000,
};
const PROCESS = 'process';
const ANONYMOUS = 'anonymous';
/** Requests without a session that wait among those, and the others of their addresses, which take turns before. */
const ANONYMOUS_LIMITS: FairQueueLimits = {
  running: 8,
  runningEach: 2,
  waiting: 500,
  waitingEach: 100,
  waitMs: 30_000,
};

/** The process itself has to wait for too long: to its jobs the database is unavailable. The code is that of too many connections. */
class TooManyWaiting extends Error {
  readonly code = '53300';
  constructor(cause: Error) {
    super('Too many calls wait for the embedded PostgreSQL', { cause });
  }
}

/**
 * Pool of the one connection to an embedded database, used by one caller at a time, so that transactions do not mix: companies,
 * addresses without a session, and the process itself take turns. Its client is that of a server: the same types and errors.
 * While the database is silent for longer than the watchdog allows, callers are refused. Throws RateLimited and Unavailable as a
 * {@link fairQueue}.
 */
export function embeddedPool(postgres: EmbeddedPostgres, watchdog = new EmbeddedWatchdog()): PostgresPool {
  const turns = queueOf(LIMITS);
  const addresses = queueOf(ANONYMOUS_LIMITS);
  let connection: Promise<PostgresPoolClient> | undefined;
  let refusing = newRefusing();
  /** Ends the present turn; null while nobody uses the connection. */
  let end: (() => void) | null = null;
  watchdog.onRefusal((reason) => {
    refusing.abort(reason);
    refusing = newRefusing();
  });

  async function takeTurn(): Promise<void> {
    const refusal = watchdog.refusal();
    if (end && refusal) throw refusal;
    const request = currentRequest();
    if (!request) end = await turnOfProcess();
    else if (request.companyId !== null) end = await turns.enter(request.companyId, refusing.signal);
    else end = await anonymousTurn(request.address);
  }

  async function turnOfProcess(): Promise<() => void> {
    try {
      return await turns.enter(PROCESS, refusing.signal);
    } catch (error) {
      throw error instanceof DomainError ? new TooManyWaiting(error) : error;
    }
  }

  async function anonymousTurn(address: string): Promise<() => void> {
    const { signal } = refusing;
    const leave = await addresses.enter(address, signal);
    try {
      const ended = await turns.enter(ANONYMOUS, signal);
      return () => {
        ended();
        leave();
      };
    } catch (error) {
      leave();
      throw error;
    }
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

/** What refuses all that wait; each of them listens. */
function newRefusing(): AbortController {
  const refusing = new AbortController();
  setMaxListeners(0, refusing.signal);
  return refusing;
}

function queueOf(limits: FairQueueLimits): FairQueue {
  return fairQueue(limits, 'database calls', apiMessages.queueFullForCaller('database calls'));
}
