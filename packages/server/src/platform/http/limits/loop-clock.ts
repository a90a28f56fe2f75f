import { performance } from 'node:perf_hooks';

/** Less idle time than this is not a wait for events. */
const IDLE_MS_MIN = 0.05;

/** The source of a {@link LoopClock}; by default the process's own event loop. */
export interface LoopTimes {
  /** Monotonic time, ms. */
  now: () => number;
  /** How long the event loop has waited for events since the start of the process, ms. */
  idle: () => number;
  /** How often it has polled the sockets. */
  polls: () => number;
}

const OF_PROCESS: LoopTimes = {
  now: () => performance.now(),
  idle: () => performance.nodeTiming.idleTime,
  polls: () => performance.nodeTiming.uvMetricsInfo.loopCount,
};

/** A moment in a turn of the event loop. */
interface Moment {
  atMs: number;
  idleMs: number;
  polls: number;
}

/**
 * Measures how long a request can have waited unread in its socket. Node.js reads all sockets that have data once a turn of the
 * event loop, so requests that it reads now arrived after the sockets were last polled; if the loop was idle since, it arrived when the
 * idle time ended. The result is an upper bound: all work of the process counts, regardless of what held the loop.
 */
export class LoopClock {
  readonly #times: LoopTimes;
  #immediate: NodeJS.Immediate | null = null;
  /** The last known moment after the work of a turn. */
  #ended: Moment;
  /** No later than the last poll before that. */
  #polledMs: number;
  /** When this turn, or an earlier one, was first queried. */
  #queried: Moment;
  /** No later than the arrival of the requests that the turn reads. */
  #oldestMs: number;

  constructor(times: LoopTimes = OF_PROCESS) {
    this.#times = times;
    this.#ended = this.#moment();
    this.#queried = this.#ended;
    this.#polledMs = this.#ended.atMs;
    this.#oldestMs = this.#ended.atMs;
    this.#follow();
  }

  /** The longest time that data read now can have waited, ms. */
  waitedMs(): number {
    if (this.#times.polls() !== this.#queried.polls) this.#query();
    return Math.max(0, this.#times.now() - this.#oldestMs);
  }

  /** Call it when the requests of a turn have been handled. */
  endTurn(): void {
    this.#end(this.#moment());
  }

  close(): void {
    clearImmediate(this.#immediate ?? undefined);
  }

  /** Records each turn, as long as there are any: an immediate without a reference does not keep the loop from waiting. */
  #follow(): void {
    this.#immediate = setImmediate(() => {
      this.endTurn();
      this.#follow();
    }).unref();
  }

  #query(): void {
    // A turn whose requests needed no work ends without notice.
    if (this.#queried.polls > this.#ended.polls) this.#end(this.#queried);
    this.#queried = this.#moment();
    const idleMs = this.#queried.idleMs - this.#ended.idleMs;
    this.#oldestMs = idleMs > IDLE_MS_MIN ? this.#ended.atMs + idleMs : this.#polledMs;
  }

  #end(moment: Moment): void {
    if (moment.polls > this.#ended.polls)
      this.#polledMs = this.#ended.atMs + (moment.idleMs - this.#ended.idleMs);
    this.#ended = moment;
  }

  #moment(): Moment {
    const { now, idle, polls } = this.#times;
    return { atMs: now(), idleMs: idle(), polls: polls() };
  }
}
