import { apiMessages } from '@bidwell/contract/text/api-messages';
import type { PostgresPool, PostgresPoolClient } from 'kysely';
import { DomainError } from '../../errors.ts';
import { type FairQueue, type FairQueueLimits, fairQueue } from '../../concurrency/fair-queue.ts';
import { currentRequest } from '../../telemetry/request-id.ts';

const PROCESS = 'process';
const ANONYMOUS = 'anonymous';

/** Limits of requests without a session as one owner among others, and of their addresses, which take turns within it. */
const ANONYMOUS_LIMITS: FairQueueLimits = {
  running: 8,
  runningEach: 2,
  waiting: 500,
  waitingEach: 100,
  waitMs: 30_000,
};

/** The process itself has to wait for too long: to its jobs the database is unavailable. The code is PostgreSQL's for too many connections. */
class TooManyWaiting extends Error {
  readonly code = '53300';
  constructor(cause: Error) {
    super('Too many calls wait for a connection to PostgreSQL', { cause });
  }
}

/**
 * Turns at the connections of a pool: each company, all requests without a session together, and the jobs of the process. Resolves,
 * with the function that ends the turn, when a connection is free for the caller. Throws RateLimited and Unavailable as a
 * {@link fairQueue}; an error that counts as an unavailable database for the process itself.
 */
export type PoolTurns = (signal?: AbortSignal) => Promise<() => void>;

/** Creates the turns at `connections` connections, for which a caller waits for at most `waitMs`. */
export function poolTurns(connections: number, waitMs: number): PoolTurns {
  const turns = queueOf({
    running: connections,
    runningEach: connections,
    waiting: 1000,
    waitingEach: 400,
    waitMs,
  });
  const addresses = queueOf(ANONYMOUS_LIMITS);

  async function turnOfProcess(signal?: AbortSignal): Promise<() => void> {
    try {
      return await turns.enter(PROCESS, signal);
    } catch (error) {
      throw error instanceof DomainError ? new TooManyWaiting(error) : error;
    }
  }

  async function anonymousTurn(address: string, signal?: AbortSignal): Promise<() => void> {
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

  return async (signal) => {
    const request = currentRequest();
    if (!request) return turnOfProcess(signal);
    if (request.companyId !== null) return turns.enter(request.companyId, signal);
    return anonymousTurn(request.address, signal);
  };
}

/** A pool whose callers take turns at its `connections` connections. Throws as {@link PoolTurns}. */
export function inTurnsAtPool(pool: PostgresPool, connections: number, waitMs: number): PostgresPool {
  const takeTurn = poolTurns(connections, waitMs);
  /** The turn in which each client is used. */
  const ends = new WeakMap<PostgresPoolClient, () => void>();
  const clients = new WeakMap<PostgresPoolClient, PostgresPoolClient>();
  const clientOf = (lease: PostgresPoolClient): PostgresPoolClient => {
    const known = clients.get(lease);
    if (known) return known;
    const client: PostgresPoolClient = {
      query: lease.query.bind(lease) as PostgresPoolClient['query'],
      release() {
        lease.release();
        ends.get(lease)?.();
        ends.delete(lease);
      },
    };
    clients.set(lease, client);
    return client;
  };
  return {
    async connect() {
      const end = await takeTurn();
      try {
        const lease = await pool.connect();
        ends.set(lease, end);
        return clientOf(lease);
      } catch (error) {
        end();
        throw error;
      }
    },
    end: async () => pool.end(),
  };
}

function queueOf(limits: FairQueueLimits): FairQueue {
  return fairQueue(limits, 'database calls', apiMessages.queueFullForCaller('database calls'));
}
