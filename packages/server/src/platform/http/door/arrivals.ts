import type { Socket } from 'node:net';
import { performance } from 'node:perf_hooks';

/** Less idle time than this is not a wait for events. */
const IDLE_MS_MIN = 0.05;
/** Connections that are read again in one turn of the event loop. */
const RESUMED_MAX = 64;
/** A timer ends each idle time after this long, ms. */
const IDLE_MS_MAX = 100;
/** In an idle time that lasts longer, the process did not run, ms. */
const FROZEN_MS = 200;
/** For as long as that, and at most for this long, requests which are read after it may have waited through it, ms. */
const THAW_MS_MAX = 1000;

/** The clocks of {@link Arrivals}; by default of the process's own event loop. */
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

const START: Moment = { atMs: 0, idleMs: 0, polls: 0 };

/**
 * Knows how long requests can have waited unread in their sockets, and leaves connections unread for a while, so that a bounded number of
 * their requests is read in a turn of the event loop, and the others wait where their clients see it.
 *
 * Node.js reads all sockets that have data once a turn, so requests that it reads now arrived after the sockets were last polled; if the loop was
 * idle since, they arrived when the idle time ended. The result is an upper bound: all work of the process counts, regardless of what held the
 * loop. Connections that were paused are read again in their order, which bounds how long their requests can have waited.
 *
 * A process that is frozen while its loop is idle seems to be idle. Since a timer ends each idle time, one that lasts longer shows that it was.
 * Requests that waited through it are read in several turns, as their connections have to be accepted first.
 */
export class Arrivals {
  readonly #times: LoopTimes;
  #immediate: NodeJS.Immediate | null = null;
  /** The last known moment after the work of a turn. */
  #ended: Moment = START;
  /** No later than the last poll before that. */
  #polledMs = 0;
  /** When this turn, or an earlier one, was first queried. */
  #queried: Moment = START;
  /** No later than the arrival of the requests that the turn reads. */
  #oldestMs = 0;
  /** When each connection was paused. Its size is bounded by the number of connections. */
  readonly #paused = new Map<Socket, number>();
  /** Connections resumed in this turn and in the one before: their requests may be read only now. */
  #resumed = new Map<Socket, number>();
  #before = new Map<Socket, number>();
  #isResuming = false;
  #isClosed = false;
  #heartbeat: NodeJS.Timeout | undefined;
  /** When a freeze began, and until when requests that waited through it may be read. */
  #frozen: { sinceMs: number; untilMs: number } | null = null;

  constructor(times: LoopTimes = OF_PROCESS) {
    this.#times = times;
  }

  /** The longest time that data of a connection which is read now can have waited, ms. 0 for the first of the process. */
  waitedMs(socket: Socket): number {
    if (this.#immediate === null) this.#begin();
    if (this.#times.polls() !== this.#queried.polls) this.#query();
    const nowMs = this.#times.now();
    const waitedMs = Math.max(0, nowMs - this.#oldestMs);
    if (this.#resumed.size === 0 && this.#before.size === 0) return waitedMs;
    const pausedMs = this.#resumed.get(socket) ?? this.#before.get(socket) ?? nowMs;
    return Math.max(waitedMs, nowMs - pausedMs);
  }

  /** Call it when the requests of a turn have been handled. */
  endTurn(): void {
    if (this.#immediate !== null) this.#end(this.#moment());
  }

  /** Stops reading a connection for a while. */
  pause(socket: Socket): void {
    if (this.#isClosed || socket.destroyed) return;
    socket.pause();
    this.#paused.set(socket, this.#frozen?.sinceMs ?? this.#times.now());
    this.#resumeLater();
  }

  /** Reads all connections again, and pauses none from now on. */
  resumeAll(): void {
    this.#isClosed = true;
    for (const socket of this.#paused.keys()) socket.resume();
    this.#paused.clear();
  }

  /** Stops following the event loop. */
  close(): void {
    clearInterval(this.#heartbeat);
    clearImmediate(this.#immediate ?? undefined);
    this.#immediate = null;
  }

  #begin(): void {
    this.#ended = this.#moment();
    this.#queried = this.#ended;
    this.#polledMs = this.#ended.atMs;
    this.#oldestMs = this.#ended.atMs;
    this.#heartbeat = setInterval(() => {}, IDLE_MS_MAX).unref();
    this.#follow();
  }

  #resumeLater(): void {
    if (this.#isResuming) return;
    this.#isResuming = true;
    setImmediate(() => {
      this.#isResuming = false;
      this.#resume();
      if (this.#paused.size + this.#resumed.size + this.#before.size > 0) this.#resumeLater();
    });
  }

  #resume(): void {
    this.#before = this.#resumed;
    this.#resumed = new Map();
    for (const [socket, pausedMs] of this.#paused) {
      if (this.#resumed.size === RESUMED_MAX) return;
      this.#paused.delete(socket);
      this.#resumed.set(socket, pausedMs);
      socket.resume();
    }
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
    const isIdle = idleMs > IDLE_MS_MIN;
    this.#oldestMs = isIdle ? this.#ended.atMs + idleMs : this.#polledMs;
    this.#noticeFreeze(this.#queried);
    if (this.#frozen) this.#oldestMs = this.#frozen.sinceMs;
  }

  /** Has to be called of each turn before it is the last one. */
  #noticeFreeze({ atMs, idleMs }: Moment): void {
    const frozenMs = idleMs - this.#ended.idleMs;
    if (frozenMs > FROZEN_MS)
      this.#frozen = { sinceMs: this.#ended.atMs, untilMs: atMs + Math.min(frozenMs, THAW_MS_MAX) };
    else if (this.#frozen && atMs > this.#frozen.untilMs) this.#frozen = null;
  }

  #end(moment: Moment): void {
    this.#noticeFreeze(moment);
    if (moment.polls > this.#ended.polls)
      this.#polledMs = this.#ended.atMs + (moment.idleMs - this.#ended.idleMs);
    this.#ended = moment;
  }

  #moment(): Moment {
    const { now, idle, polls } = this.#times;
    return { atMs: now(), idleMs: idle(), polls: polls() };
  }
}
