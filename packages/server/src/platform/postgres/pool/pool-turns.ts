import { apiMessages } from '@bidwell/contract/text/api-messages';
import type { PostgresPool, PostgresPoolClient } from 'kysely';
import { DomainError } from '../../errors.ts';
import { type FairQueue, type FairQueueLimits, fairQueue } from '../../concurrency/fair-queue.ts';
import { currentRequest } from '../../telemetry/request-id.ts';
import { AsyncLocalStorage } from 'node:async_hooks';

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

/** The name under which work of the process takes turns of its own. */
const ownTurns = new AsyncLocalStorage<string>();

/**
 * Runs `work`, whose calls of the database then wait neither for other jobs of the process nor for other calls of the company that
 * caused it: for work without which bids stop.
 */
export function inOwnTurns<T>(name: string, work: () => T): T {
  return ownTurns.run(name, work);
}

/**
 * Turns at the connections of a pool: each company, all requests without a session together, the jobs of the process, and each work
 * in {@link inOwnTurns}. Resolves, with the function that ends the turn, when a connection is free for the caller. Throws RateLimited and Unavailable as a
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

  async function turnOfProcess(owner: string, signal?: AbortSignal): Promise<() => void> {
    try {
      return await turns.enter(owner, signal);
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
    const own = ownTurns.getStore();
    const request = currentRequest();
    if (own !== undefined || !request) return turnOfProcess(own ?? PROCESS, signal);
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
