import type { Socket } from 'node:net';
import { performance } from 'node:perf_hooks';

/** Less idle time than this is not a wait for events. */
const IDLE_MS_MIN = 0.05;
/** Connections that are read again in one turn of the event loop. */
const RESUMED_MAX = 64;
/** A timer ends each idle time after this long, ms. */
const IDLE_MS_MAX = 25;
/** In an idle time that lasts longer, the process did not run, ms. */
const FROZEN_MS = 50;
/** Connections that the system queues for a server until they are accepted: the default of Node.js. */
const BACKLOG = 512;

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
 * New connections wait longer: a turn may accept one of them, and reads what it has sent in the next. A connection arrived after the last turn
 * that accepted none, when the queue was empty, and after the one was accepted that is as far before it as the queue is long.
 *
 * A process that is frozen while its loop is idle seems to be idle. Since a timer ends each idle time, one that lasts longer shows that it was:
 * all that is read in the turn after it may have waited through it.
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
  /** When the last freeze began, and the poll that ended it: system calls that it interrupted may not have looked at the sockets. */
  #frozen = { sinceMs: 0, polls: -2 };
  /** When the connections that are accepted now were queued at the earliest, and the poll in which the last one was. */
  #queuedMs = 0;
  #acceptedPolls = -2;
  /** When connections were accepted, by their number in turns. */
  readonly #acceptedMs = new Float64Array(BACKLOG);
  #accepted = 0;
  /** Connections that were accepted in the last polls, with when they were queued at the earliest, and the poll. */
  #fresh = new WeakMap<Socket, { queuedMs: number; polls: number }>();

  constructor(times: LoopTimes = OF_PROCESS) {
    this.#times = times;
  }

  /** The longest time that data of a connection which is read now can have waited, ms. 0 for the first of the process. */
  waitedMs(socket: Socket): number {
    this.#enterTurn();
    const nowMs = this.#times.now();
    const waitedMs = Math.max(0, nowMs - Math.min(this.#oldestMs, this.#queuedMsOf(socket)));
    if (this.#resumed.size === 0 && this.#before.size === 0) return waitedMs;
    const pausedMs = this.#resumed.get(socket) ?? this.#before.get(socket) ?? nowMs;
    return Math.max(waitedMs, nowMs - pausedMs);
  }

  /** Call it when a connection is accepted. Does nothing before the first request. */
  accepted(socket: Socket): void {
    if (this.#immediate === null) return;
    this.#enterTurn();
    const { polls } = this.#queried;
    // The poll before accepted none, so the queue was empty.
    if (polls > this.#acceptedPolls + 1) this.#queuedMs = this.#oldestMs;
    this.#acceptedPolls = polls;
    const place = this.#accepted % BACKLOG;
    if (this.#accepted >= BACKLOG) this.#queuedMs = Math.max(this.#queuedMs, this.#acceptedMs[place]!);
    this.#acceptedMs[place] = this.#times.now();
    this.#accepted += 1;
    this.#fresh.set(socket, { queuedMs: this.#queuedMs, polls });
  }

  /** Call it when the requests of a turn have been handled. */
  endTurn(): void {
    if (this.#immediate !== null) this.#end(this.#moment());
  }

  /** Stops reading a connection for a while. */
  pause(socket: Socket): void {
    if (this.#isClosed || socket.destroyed) return;
    socket.pause();
    this.#paused.set(socket, this.#isThawing() ? this.#frozen.sinceMs : this.#times.now());
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

  #enterTurn(): void {
    if (this.#immediate === null) this.#begin();
    if (this.#times.polls() !== this.#queried.polls) this.#query();
  }

  #query(): void {
    // A turn whose requests needed no work ends without notice.
    if (this.#queried.polls > this.#ended.polls) this.#end(this.#queried);
    this.#queried = this.#moment();
    const idleMs = this.#idleMsUntil(this.#queried);
    this.#oldestMs = idleMs > IDLE_MS_MIN ? this.#ended.atMs + idleMs : this.#polledMs;
    if (this.#isThawing()) this.#oldestMs = this.#frozen.sinceMs;
  }

  /** The idle time since the last known turn; notes whether it was a freeze. */
  #idleMsUntil({ idleMs: totalMs, polls }: Moment): number {
    const idleMs = totalMs - this.#ended.idleMs;
    if (idleMs > FROZEN_MS && polls > this.#frozen.polls) this.#frozen = { sinceMs: this.#ended.atMs, polls };
    return idleMs;
  }

  /** Whether what is read in this turn may have waited through a freeze. */
  #isThawing(): boolean {
    return this.#queried.polls <= this.#frozen.polls + 1;
  }

  /** When a connection was queued at the earliest, if this turn reads the first that it has sent. */
  #queuedMsOf(socket: Socket): number {
    const { polls } = this.#queried;
    if (polls > this.#acceptedPolls + 1) return Infinity;
    const fresh = this.#fresh.get(socket);
    return fresh && polls <= fresh.polls + 1 ? fresh.queuedMs : Infinity;
  }

  #end(moment: Moment): void {
    const idleMs = this.#idleMsUntil(moment);
    if (moment.polls > this.#ended.polls) this.#polledMs = this.#ended.atMs + idleMs;
    this.#ended = moment;
  }

  #moment(): Moment {
    const { now, idle, polls } = this.#times;
    return { atMs: now(), idleMs: idle(), polls: polls() };
  }
}
