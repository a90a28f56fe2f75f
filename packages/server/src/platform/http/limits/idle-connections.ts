import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** When idle connections are closed before their time. */
export interface IdleTerms {
  /** Connections at once. */
  connectionsMax: number;
  /** Time between two looks at the connections, ms. */
  everyMs?: number;
  /** A connection without traffic for this long is idle, ms. */
  idleMs?: number;
}

const EVERY_MS = 1000;
const IDLE_MS = 5000;
/** Share of the connections from which they are looked at, from which idle ones are closed, and until which. */
const LOOK_SHARE = 0.7;
const CLOSE_FROM_SHARE = 0.9;
const CLOSE_UNTIL_SHARE = 0.8;

interface Seen {
  bytes: number;
  /** Since when no more bytes came or went, by the monotonic clock. */
  sinceMs: number;
}

/**
 * Keeps room for new connections: exchanges leave connections open for minutes, so when there is little room left, those that
 * have been idle for longest are closed. Nothing is counted for each request of the routes in front of the router, whose responses take
 * milliseconds; requests of the router are reported to `busy`.
 */
export class IdleConnections {
  readonly #terms: Required<IdleTerms>;
  readonly #seen = new Map<Socket, Seen>();
  readonly #busy = new Map<Socket, number>();
  readonly #timer: NodeJS.Timeout;

  constructor(server: Server, { connectionsMax, everyMs = EVERY_MS, idleMs = IDLE_MS }: IdleTerms) {
    this.#terms = { connectionsMax, everyMs, idleMs };
    server.on('connection', (socket: Socket) => {
      this.#seen.set(socket, { bytes: -1, sinceMs: performance.now() });
      socket.once('close', () => {
        this.#seen.delete(socket);
        this.#busy.delete(socket);
      });
    });
    // Web sockets are silent between their pings. Where nothing handles upgrades, a listener would leave them without a response.
    server.once('listening', () => {
      if (server.listenerCount('upgrade') > 0)
        server.prependListener(
          'upgrade',
          (_request: IncomingMessage, socket: Socket) => void this.#seen.delete(socket),
        );
    });
    this.#timer = setInterval(() => this.#look(performance.now()), everyMs).unref();
    server.once('close', () => clearInterval(this.#timer));
  }

  /** Marks the connection of a request as not idle until its response has ended. */
  busy({ socket }: IncomingMessage, response: ServerResponse): void {
    this.#busy.set(socket, (this.#busy.get(socket) ?? 0) + 1);
    response.once('close', () => {
      const requests = (this.#busy.get(socket) ?? 1) - 1;
      if (requests > 0) this.#busy.set(socket, requests);
      else this.#busy.delete(socket);
    });
  }

  #look(nowMs: number): void {
    const { connectionsMax, idleMs } = this.#terms;
    const open = this.#seen.size;
    if (open < connectionsMax * LOOK_SHARE) return;
    const idle: { socket: Socket; sinceMs: number }[] = [];
    for (const [socket, seen] of this.#seen) {
      const bytes = socket.bytesRead + socket.bytesWritten;
      if (bytes !== seen.bytes || this.#busy.has(socket)) {
        seen.bytes = bytes;
        seen.sinceMs = nowMs;
      } else if (nowMs - seen.sinceMs >= idleMs) idle.push({ socket, sinceMs: seen.sinceMs });
    }
    if (open < connectionsMax * CLOSE_FROM_SHARE) return;
    idle.sort((a, b) => a.sinceMs - b.sinceMs);
    const surplus = Math.ceil(open - connectionsMax * CLOSE_UNTIL_SHARE);
    for (const { socket } of idle.slice(0, surplus)) socket.destroySoon();
  }
}
