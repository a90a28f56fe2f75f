import { RateLimited, Unavailable } from '../errors.ts';

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
  /** Waiting callers by owner; the owner whose turn is next comes first. */
  const queues = new Map<string, Waiting[]>();
  const running = new Map<string, number>();
  const shared = new Map<string, Shared>();
  let runningAll = 0;
  let waitingAll = 0;

  const admits = (owner: string) =>
    runningAll < limits.running && (running.get(owner) ?? 0) < limits.runningEach;
  const begin = (owner: string) => {
    runningAll += 1;
    running.set(owner, (running.get(owner) ?? 0) + 1);
  };
  const end = (owner: string) => {
    runningAll -= 1;
    const left = running.get(owner)! - 1;
    if (left === 0) running.delete(owner);
    else running.set(owner, left);
    beginNext();
  };
  const beginNext = () => {
    for (const [owner, queue] of queues) {
      if (!admits(owner)) continue;
      const next = queue.shift()!;
      queues.delete(owner);
      // Moved behind all other waiting owners.
      if (queue.length > 0) queues.set(owner, queue);
      waitingAll -= 1;
      next.begin();
      return;
    }
  };
  const leave = (owner: string, one: Waiting) => {
    const queue = queues.get(owner)!;
    queue.splice(queue.indexOf(one), 1);
    if (queue.length === 0) queues.delete(owner);
    waitingAll -= 1;
  };
  const turnOf = (owner: string, signal?: AbortSignal): Promise<void> => {
    if (admits(owner)) {
      begin(owner);
      return Promise.resolve();
    }
    const queue = queues.get(owner) ?? [];
    if (queue.length >= limits.waitingEach)
      throw new RateLimited(`Your company has too many ${what} waiting. Please wait a moment.`, 5);
    if (waitingAll >= limits.waiting)
      throw new Unavailable(`Too many ${what} are waiting. Please try again in a moment.`);
    return new Promise((resolve, reject) => {
      const done = () => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', aborted);
      };
      const one: Waiting = {
        begin() {
          done();
          begin(owner);
          resolve();
        },
      };
      const giveUp = (error: unknown) => {
        done();
        leave(owner, one);
        reject(error);
      };
      const aborted = () => giveUp(signal!.reason);
      const timer = setTimeout(
        () => giveUp(new Unavailable(`The ${what} before this one took too long. Please try again.`, 10)),
        limits.waitMs,
      );
      signal?.addEventListener('abort', aborted);
      queues.set(owner, queue);
      queue.push(one);
      waitingAll += 1;
    });
  };
  const enter = async (owner: string, signal?: AbortSignal): Promise<() => void> => {
    signal?.throwIfAborted();
    await turnOf(owner, signal);
    let ended = false;
    return () => {
      if (!ended) end(owner);
      ended = true;
    };
  };
  return {
    enter,
    get waiting() {
      return waitingAll;
    },
    async run<T>(
      owner: string,
      work: () => Promise<T>,
      { key, signal }: { key?: string; signal?: AbortSignal } = {},
    ) {
      const start = (ownSignal?: AbortSignal) =>
        enter(owner, ownSignal).then(async (done) => {
          if (key !== undefined) shared.delete(name);
          try {
            return await work();
          } finally {
            done();
          }
        });
      const name = `${owner} ${key}`;
      const waits = !admits(owner);
      if (key === undefined || !waits) return start(signal);
      let known = shared.get(name);
      if (!known) {
        const controller = new AbortController();
        const answer = start(controller.signal);
        known = { answer, callers: 0, giveUp: (reason) => controller.abort(reason) };
        shared.set(name, known);
        void answer.catch(() => {}).finally(() => shared.get(name) === known && shared.delete(name));
      }
      const { answer, giveUp } = known;
      known.callers += 1;
      const one = known;
      signal?.addEventListener('abort', () => {
        one.callers -= 1;
        if (one.callers === 0) giveUp(signal.reason);
      });
      return answer as Promise<T>;
    },
  };
}

/** Work that several callers share. */
interface Shared {
  answer: Promise<unknown>;
  callers: number;
  giveUp(reason: unknown): void;
}
