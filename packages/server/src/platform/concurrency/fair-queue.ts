import { apiMessages } from '@bidwell/contract/text/api-messages';
import { RateLimited, Unavailable } from '../errors.ts';
import { addToSum } from '../group-by.ts';

/** Limits of a {@link FairQueue}. */
export interface FairQueueLimits {
  /** Concurrent work, of all owners and of one. */
  running: number;
  runningEach: number;
  /**
   * Waiting work, of all owners and of one. Beyond the limit of one owner its work is rejected; beyond the limit of all, the
   * newest work of the owner with the most.
   */
  waiting: number;
  waitingEach: number;
  /** A caller that has waited this long is rejected. */
  waitMs: number;
}

export interface FairQueue {
  /**
   * Runs work when it is its owner's turn: owners are served round robin, and the work of one owner in order. Callers
   * with the same `key` share work that has not started yet. Leaves the queue when `signal` aborts; the signal that `work` gets aborts
   * once the signals of all sharing callers have. Throws RateLimited
   * when the owner has too much waiting, Unavailable when all owners together have and none has more than this one.
   */
  run<T>(
    owner: string,
    work: (signal?: AbortSignal) => Promise<T>,
    options?: { key?: string; signal?: AbortSignal | undefined },
  ): Promise<T>;
  /**
   * Like `run`, for work whose end the caller reports by calling the returned function. With a pause, ms, the owner's place
   * is free only after it; the place that all owners share is free at once.
   */
  enter(owner: string, signal?: AbortSignal): Promise<EndWork>;
  /** Number of waiting callers. */
  readonly waiting: number;
}

type EndWork = (pauseMs?: number) => void;

interface Waiting {
  begin(): void;
  giveUp(error: unknown): void;
}

/** Callers of waiting work after the first one, per owner and in total: this many times the limits of waiting work. */
const SHARERS = 4;

/** Creates a {@link FairQueue}. `what` names the work in error messages; `ownerFull` replaces that to an owner with too much. */
export function fairQueue(
  limits: FairQueueLimits,
  what: string,
  ownerFull = apiMessages.queueFullForCompany(what),
): FairQueue {
  const errors: QueueErrors = {
    ofOwner: () => new RateLimited(ownerFull, 5),
    ofAll: () => new Unavailable(apiMessages.queueFull(what)),
    late: () => new Unavailable(apiMessages.queueSlow(what), 10),
  };
  const turns = new Turns(limits, errors);
  const shared = new SharedWork(limits, errors);
  const enter = async (owner: string, signal?: AbortSignal): Promise<EndWork> => {
    signal?.throwIfAborted();
    await turns.of(owner, signal);
    let ended = false;
    return (pauseMs) => {
      if (!ended) turns.end(owner, pauseMs);
      ended = true;
    };
  };
  return {
    enter,
    get waiting() {
      return turns.waiting;
    },
    async run(owner, work, { key, signal } = {}) {
      signal?.throwIfAborted();
      const name = `${owner} ${key}`;
      const start = async (ownSignal?: AbortSignal) => {
        const done = await enter(owner, ownSignal);
        if (key !== undefined) shared.delete(name);
        try {
          return await work(ownSignal);
        } finally {
          done();
        }
      };
      if (key === undefined || turns.admits(owner)) return start(signal);
      return shared.join({ name, owner, start, signal });
    },
  };
}

/** The errors for rejected callers. */
interface QueueErrors {
  ofOwner(): Error;
  ofAll(): Error;
  late(): Error;
}

/** The slots for running work, and the callers that wait for one. */
class Turns {
  readonly #limits: FairQueueLimits;
  readonly #errors: QueueErrors;
  /** Waiting callers by owner; the owner whose turn is next comes first. */
  readonly #queues = new Map<string, Waiting[]>();
  readonly #running = new Map<string, number>();
  #runningAll = 0;
  #waitingAll = 0;

  constructor(limits: FairQueueLimits, errors: QueueErrors) {
    this.#limits = limits;
    this.#errors = errors;
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
    const waiting = this.#queues.get(owner)?.length ?? 0;
    if (waiting >= this.#limits.waitingEach) throw this.#errors.ofOwner();
    if (this.#waitingAll >= this.#limits.waiting) this.#makeRoom(waiting);
    const queue = this.#queues.get(owner) ?? [];
    return new Promise((resolve, reject) => {
      const done = () => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', aborted);
      };
      const giveUp = (error: unknown) => {
        done();
        this.#leave(owner, one);
        reject(error);
      };
      const one: Waiting = {
        begin: () => {
          done();
          this.#begin(owner);
          resolve();
        },
        giveUp,
      };
      const aborted = () => giveUp(signal!.reason);
      const timer = setTimeout(() => giveUp(this.#errors.late()), this.#limits.waitMs);
      signal?.addEventListener('abort', aborted);
      this.#queues.set(owner, queue);
      queue.push(one);
      this.#waitingAll += 1;
    });
  }

  /** Rejects the newest work of the owner with the most. Throws where none has more than one with `waiting` would have. */
  #makeRoom(waiting: number): void {
    let longest: Waiting[] = [];
    for (const queue of this.#queues.values()) if (queue.length > longest.length) longest = queue;
    if (longest.length <= waiting + 1) throw this.#errors.ofAll();
    longest.at(-1)!.giveUp(this.#errors.ofOwner());
  }

  /** Ends the owner's work and begins the next owner's. Frees the owner's own place after a pause, ms. */
  end(owner: string, pauseMs = 0): void {
    this.#runningAll -= 1;
    if (pauseMs > 0) {
      this.#beginNext();
      setTimeout(() => this.#freePlaceOf(owner), pauseMs).unref();
    } else this.#freePlaceOf(owner);
  }

  #freePlaceOf(owner: string): void {
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
  owner: string;
  callers: number;
  giveUp(reason: unknown): void;
}

/** A call that may share waiting work. */
interface SharedCall<T> {
  name: string;
  owner: string;
  start(signal: AbortSignal): Promise<T>;
  signal: AbortSignal | undefined;
}

/** Waiting work by name, so that callers with the same name get the same result. */
class SharedWork {
  readonly #limits: FairQueueLimits;
  readonly #errors: QueueErrors;
  readonly #byName = new Map<string, Shared>();
  /** Callers after the first one of each work, by owner and in total. */
  readonly #sharers = new Map<string, number>();
  #sharersAll = 0;

  constructor(limits: FairQueueLimits, errors: QueueErrors) {
    this.#limits = limits;
    this.#errors = errors;
  }

  /** Joins the work of a name, or starts it. It is aborted once all of its callers have aborted. Throws as the queue does. */
  join<T>({ name, owner, start, signal }: SharedCall<T>): Promise<T> {
    const known = this.#byName.get(name);
    if (known) this.#addSharer(owner);
    const work = known ?? this.#add(name, owner, start);
    work.callers += 1;
    signal?.addEventListener('abort', () => {
      work.callers -= 1;
      const isWaiting = this.#byName.get(name) === work;
      if (work.callers > 0) return isWaiting && this.#removeSharers(owner, 1);
      if (isWaiting) this.delete(name);
      work.giveUp(signal.reason);
    });
    return work.result as Promise<T>;
  }

  /** Stops further callers from joining the work of a name. */
  delete(name: string): void {
    const work = this.#byName.get(name);
    if (!work) return;
    this.#byName.delete(name);
    this.#removeSharers(work.owner, Math.max(0, work.callers - 1));
  }

  #addSharer(owner: string): void {
    const { waiting, waitingEach } = this.#limits;
    if ((this.#sharers.get(owner) ?? 0) >= SHARERS * waitingEach) throw this.#errors.ofOwner();
    if (this.#sharersAll >= SHARERS * waiting) throw this.#errors.ofAll();
    addToSum(this.#sharers, owner, 1);
    this.#sharersAll += 1;
  }

  #removeSharers(owner: string, count: number): void {
    if (count === 0) return;
    this.#sharersAll -= count;
    const left = this.#sharers.get(owner)! - count;
    if (left === 0) this.#sharers.delete(owner);
    else this.#sharers.set(owner, left);
  }

  #add(name: string, owner: string, start: (signal: AbortSignal) => Promise<unknown>): Shared {
    const abort = new AbortController();
    const result = start(abort.signal);
    const work: Shared = { result, owner, callers: 0, giveUp: (reason) => abort.abort(reason) };
    this.#byName.set(name, work);
    void result.catch(() => {}).finally(() => this.#byName.get(name) === work && this.delete(name));
    return work;
  }
}
