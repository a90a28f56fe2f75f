import { apiMessages } from '@bidwell/contract/messages';
import { RateLimited, Unavailable } from '../errors.ts';
import { addToSum } from '../group-by.ts';

/** Limits of a {@link FairQueue}. */
export interface FairQueueLimits {
  /** Concurrent work, of all owners and of one. */
  running: number;
  runningEach: number;
  /** Waiting callers, of all owners and of one; further ones are rejected. */
  waiting: number;
  waitingEach: number;
  /** A caller that has waited this long is rejected. */
  waitMs: number;
}

export interface FairQueue {
  /**
   * Runs work when it is its owner's turn: owners are served round robin, and the work of one owner in order. Callers
   * with the same `key` share work that has not started yet. Leaves the queue when `signal` aborts. Throws RateLimited
   * when the owner has too much waiting, Unavailable when all owners together have.
   */
  run<T>(owner: string, work: () => Promise<T>, options?: { key?: string; signal?: AbortSignal }): Promise<T>;
  /** Like `run`, for work whose end the caller reports by calling the returned function. */
  enter(owner: string, signal?: AbortSignal): Promise<() => void>;
  /** Number of waiting callers. */
  readonly waiting: number;
}

interface Waiting {
  begin(): void;
}

/** Creates a {@link FairQueue}. `what` names the work in error messages. */
export function fairQueue(limits: FairQueueLimits, what: string): FairQueue {
  const turns = new Turns(limits, what);
  const shared = new SharedWork();
  const enter = async (owner: string, signal?: AbortSignal): Promise<() => void> => {
    signal?.throwIfAborted();
    await turns.of(owner, signal);
    let ended = false;
    return () => {
      if (!ended) turns.end(owner);
      ended = true;
    };
  };
  return {
    enter,
    get waiting() {
      return turns.waiting;
    },
    async run(owner, work, { key, signal } = {}) {
      const name = `${owner} ${key}`;
      const start = async (ownSignal?: AbortSignal) => {
        const done = await enter(owner, ownSignal);
        if (key !== undefined) shared.delete(name);
        try {
          return await work();
        } finally {
          done();
        }
      };
      if (key === undefined || turns.admits(owner)) return start(signal);
      return shared.join(name, start, signal);
    },
  };
}

/** The slots for running work, and the callers that wait for one. */
class Turns {
  readonly #limits: FairQueueLimits;
  readonly #what: string;
  /** Waiting callers by owner; the owner whose turn is next comes first. */
  readonly #queues = new Map<string, Waiting[]>();
  readonly #running = new Map<string, number>();
  #runningAll = 0;
  #waitingAll = 0;

  constructor(limits: FairQueueLimits, what: string) {
    this.#limits = limits;
    this.#what = what;
  }

  get waiting(): number {
    return this.#waitingAll;
  }

  admits(owner: string): boolean {
    const { running, runningEach } = this.#limits;
    return this.#runningAll < running && (this.#running.get(owner) ?? 0) < runningEach;
  }

  /** Resolves when it is the owner's turn. Throws RateLimited and Unavailable; rejects when `signal` aborts. */
  of(owner: string, signal?: AbortSignal): Promise<void> {
    if (this.admits(owner)) {
      this.#begin(owner);
      return Promise.resolve();
    }
    const queue = this.#queues.get(owner) ?? [];
    if (queue.length >= this.#limits.waitingEach)
      throw new RateLimited(apiMessages.queueFullForCompany(this.#what), 5);
    if (this.#waitingAll >= this.#limits.waiting) throw new Unavailable(apiMessages.queueFull(this.#what));
    return new Promise((resolve, reject) => {
      const done = () => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', aborted);
      };
      const one: Waiting = {
        begin: () => {
          done();
          this.#begin(owner);
          resolve();
        },
      };
      const giveUp = (error: unknown) => {
        done();
        this.#leave(owner, one);
        reject(error);
      };
      const aborted = () => giveUp(signal!.reason);
      const late = apiMessages.queueSlow(this.#what);
      const timer = setTimeout(() => giveUp(new Unavailable(late, 10)), this.#limits.waitMs);
      signal?.addEventListener('abort', aborted);
      this.#queues.set(owner, queue);
      queue.push(one);
      this.#waitingAll += 1;
    });
  }

  /** Ends the owner's work and begins that of the next owner. */
  end(owner: string): void {
    this.#runningAll -= 1;
    const left = this.#running.get(owner)! - 1;
    if (left === 0) this.#running.delete(owner);
    else this.#running.set(owner, left);
    this.#beginNext();
  }

  #begin(owner: string): void {
    this.#runningAll += 1;
    addToSum(this.#running, owner, 1);
  }

  #beginNext(): void {
    for (const [owner, queue] of this.#queues) {
      if (!this.admits(owner)) continue;
      const next = queue.shift()!;
      this.#queues.delete(owner);
      // Moved behind all other waiting owners.
      if (queue.length > 0) this.#queues.set(owner, queue);
      this.#waitingAll -= 1;
      next.begin();
      return;
    }
  }

  #leave(owner: string, one: Waiting): void {
    const queue = this.#queues.get(owner)!;
    queue.splice(queue.indexOf(one), 1);
    if (queue.length === 0) this.#queues.delete(owner);
    this.#waitingAll -= 1;
  }
}

/** Work that several callers share. */
interface Shared {
  result: Promise<unknown>;
  callers: number;
  giveUp(reason: unknown): void;
}

/** Waiting work by name, so that callers with the same name get the same result. */
class SharedWork {
  readonly #byName = new Map<string, Shared>();

  /** Joins the work of a name, or starts it. It is aborted once all of its callers have aborted. */
  join<T>(name: string, start: (signal: AbortSignal) => Promise<T>, signal?: AbortSignal): Promise<T> {
    const work = this.#byName.get(name) ?? this.#add(name, start);
    work.callers += 1;
    signal?.addEventListener('abort', () => {
      work.callers -= 1;
      if (work.callers === 0) work.giveUp(signal.reason);
    });
    return work.result as Promise<T>;
  }

  delete(name: string): void {
    this.#byName.delete(name);
  }

  #add(name: string, start: (signal: AbortSignal) => Promise<unknown>): Shared {
    const abort = new AbortController();
    const result = start(abort.signal);
    const work: Shared = { result, callers: 0, giveUp: (reason) => abort.abort(reason) };
    this.#byName.set(name, work);
    void result.catch(() => {}).finally(() => this.#byName.get(name) === work && this.#byName.delete(name));
    return work;
  }
}
