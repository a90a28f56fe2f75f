import type { Socket } from 'node:net';

/** Connections that are read again in one turn of the event loop. */
const RESUMED_MAX = 64;

/**
 * Connections that are not read for a while, so that a bounded number of their requests is read in a turn of the event loop, and
 * the others wait where their clients see it. They are read again in the order in which they were paused, which bounds how long
 * their requests can have waited.
 */
export class PausedConnections {
  /** When each was paused, by the monotonic clock, ms. Its size is bounded by the number of connections. */
  readonly #paused = new Map<Socket, number>();
  /** Connections resumed in this turn and in the one before: their requests may be read only now. */
  #resumed = new Map<Socket, number>();
  #before = new Map<Socket, number>();
  #isFollowing = false;
  #closed = false;

  /** Stops reading a connection. */
  pause(socket: Socket): void {
    if (this.#closed || socket.destroyed) return;
    socket.pause();
    this.#paused.set(socket, performance.now());
    this.#follow();
  }

  /** The longest that a request of a connection can have waited because its connection was paused, ms. */
  waitedMs(socket: Socket, nowMs: number): number {
    if (this.#resumed.size === 0 && this.#before.size === 0) return 0;
    const pausedMs = this.#resumed.get(socket) ?? this.#before.get(socket);
    return pausedMs === undefined ? 0 : nowMs - pausedMs;
  }

  /** Reads all connections again. */
  close(): void {
    this.#closed = true;
    for (const socket of this.#paused.keys()) socket.resume();
    this.#paused.clear();
  }

  #follow(): void {
    if (this.#isFollowing) return;
    this.#isFollowing = true;
    setImmediate(() => {
      this.#isFollowing = false;
      this.#resume();
      if (this.#paused.size + this.#resumed.size + this.#before.size > 0) this.#follow();
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
}
