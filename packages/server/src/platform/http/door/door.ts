import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { DRAINING } from '../drain.ts';
import { Arrivals } from './arrivals.ts';
import { Connection, type ConnectionDoor, type DoorRoute } from './connection.ts';
import type { FrontRoute } from './call.ts';

/** Time between two looks at connections that wait for bytes, ms, and looks until idle ones are closed. */
const LOOK_MS = 250;
const IDLE_LOOKS = 20;
/** How long requests may take once the server is closing, ms. */
const CLOSING_MS = 3000;
const KIND_CHARS_MAX = 32;
const SLASH = 0x2f;

type ConnectionListener = (socket: Socket) => void;

/**
 * Reads HTTP/1.1 on the sockets of the clients that send almost all requests, in front of a server of node:http, which costs more than the
 * answer to most of them. A connection is read here as long as its requests are of the door's routes, in the strict form of
 * `readHead`; one of another form is refused, and its connection closed. With its first request to another address, a connection is passed to
 * the server, which reads it from there on: a proxy may send all requests by one connection.
 */
export class Door implements ConnectionDoor {
  readonly #server: Server;
  readonly #keepAliveMs: number;
  readonly #passOn: ConnectionListener;
  readonly arrivals = new Arrivals();
  readonly #routes: DoorRoute[] = [];
  readonly #connections = new Set<Connection>();
  /** Connections that wait for the rest of a request, or for the client to close its side. */
  readonly #partial = new Set<Connection>();
  #looks = 0;
  #lookedMs = performance.now();
  #isDraining = false;

  /** Takes the connections of a server from now on. */
  constructor(server: Server) {
    this.#server = server;
    this.#keepAliveMs = server.keepAliveTimeout;
    // Node.js adds its own listener first.
    const [own, ...others] = server.listeners('connection') as ConnectionListener[];
    this.#passOn = own!;
    server.removeAllListeners('connection').on('connection', (socket: Socket) => {
      this.arrivals.accepted(socket);
      this.#connections.add(new Connection(socket, this));
    });
    for (const other of others) server.on('connection', other);
    server.once(DRAINING, () => {
      this.#isDraining = true;
    });
    const timer = setInterval(() => this.#look(performance.now()), LOOK_MS).unref();
    server.once('close', () => {
      clearInterval(timer);
      this.arrivals.close();
    });
  }

  /** Reads the requests of a route, too. */
  add(route: FrontRoute): void {
    this.#routes.push({ ...route, start: Buffer.from(`${route.method} ${route.prefix}`, 'latin1') });
  }

  /** Whether the server closes. */
  get isDraining(): boolean {
    return this.#isDraining;
  }

  /** The route of the request that begins at a position; null while too little of it has come, and undefined for none. */
  routeOf(bytes: Buffer, at: number): DoorRoute | null | undefined {
    let isUnknown = false;
    for (const route of this.#routes) {
      const isIts = isOf(route, bytes, at);
      if (isIts) return route;
      isUnknown ||= isIts === null;
    }
    return isUnknown ? null : undefined;
  }

  /** Closes idle connections, and the others after their answers or three seconds. */
  close(): void {
    this.#isDraining = true;
    this.arrivals.resumeAll();
    for (const connection of this.#connections) connection.closeIfIdle();
    setTimeout(() => {
      for (const { socket } of this.#connections) socket.destroy();
    }, CLOSING_MS).unref();
  }

  /** Passes a connection to the server, with bytes that were read of it. */
  passOn(connection: Connection, bytes: Buffer): void {
    this.drop(connection);
    const { socket } = connection;
    socket.unshift(bytes);
    this.#passOn.call(this.#server, socket);
    socket.resume();
  }

  /** Notes whether a connection waits for its client, which has a limited time. */
  setPartial(connection: Connection, isPartial: boolean): void {
    if (isPartial) this.#partial.add(connection);
    else this.#partial.delete(connection);
  }

  /** Drops a connection that is closed or passed on. */
  drop(connection: Connection): void {
    this.#connections.delete(connection);
    this.#partial.delete(connection);
  }

  #look(nowMs: number): void {
    // After a pause of the process, what has come meanwhile is read first.
    const isLate = nowMs - this.#lookedMs > 2 * LOOK_MS;
    this.#lookedMs = nowMs;
    if (!isLate) for (const connection of this.#partial) connection.cutIfLate(nowMs);
    this.#looks += 1;
    if (this.#looks % IDLE_LOOKS !== 0) return;
    for (const connection of this.#connections) connection.closeIfIdleSince(nowMs - this.#keepAliveMs);
  }
}

/** Whether a request belongs to a route; null while too little of it has come. */
function isOf({ start, kinds }: DoorRoute, bytes: Buffer, at: number): boolean | null {
  const known = Math.min(start.length, bytes.length - at);
  for (let index = 0; index < known; index += 1) if (bytes[at + index] !== start[index]) return false;
  if (known < start.length) return null;
  if (!kinds) return true;
  const from = at + start.length;
  let to = from;
  while (to < bytes.length && bytes[to] !== SLASH) to += 1;
  if (to - from > KIND_CHARS_MAX) return false;
  return to === bytes.length ? null : kinds.has(bytes.toString('latin1', from, to));
}
