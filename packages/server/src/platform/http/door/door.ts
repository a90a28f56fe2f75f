import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { DRAINING } from '../drain.ts';
import { Connection, type ConnectionDoor, type DoorTerms } from './connection.ts';
import { METHOD } from './read-head.ts';

/** Time between two looks at connections that wait for bytes, ms, and looks until idle ones are closed. */
const LOOK_MS = 250;
const IDLE_LOOKS = 20;
/** How long requests may take once the server is closing, ms. */
const CLOSING_MS = 3000;

type ConnectionListener = (socket: Socket) => void;

/**
 * Reads HTTP/1.1 on the sockets of the clients that send almost all requests, in front of a server of node:http, which costs more than the
 * answer to most of them. A connection is read here as long as its requests are POSTs to `prefix`, in the strict form of
 * `readHead`; one of another form is refused, and its connection closed. With its first request to another address, a connection is passed to
 * the server, which reads it from there on: a proxy may send all requests by one connection.
 */
export class Door implements ConnectionDoor {
  readonly terms: DoorTerms;
  /** First bytes of the requests that are read here. */
  readonly prefix: Buffer;
  readonly #server: Server;
  readonly #passOn: ConnectionListener;
  readonly #connections = new Set<Connection>();
  /** Connections that wait for the rest of a request, or for the client to close its side. */
  readonly #partial = new Set<Connection>();
  #looks = 0;
  #isDraining = false;

  /** Takes the connections of a server from now on. */
  constructor(server: Server, terms: DoorTerms) {
    this.#server = server;
    this.terms = terms;
    this.prefix = Buffer.from(METHOD + terms.prefix, 'latin1');
    // Node.js adds its own listener first.
    const [own, ...others] = server.listeners('connection') as ConnectionListener[];
    this.#passOn = own!;
    server.removeAllListeners('connection').on('connection', (socket: Socket) => {
      this.#connections.add(new Connection(socket, this));
    });
    for (const other of others) server.on('connection', other);
    server.once(DRAINING, () => {
      this.#isDraining = true;
    });
    const timer = setInterval(() => this.#look(performance.now()), LOOK_MS).unref();
    server.once('close', () => clearInterval(timer));
  }

  /** Whether connections close with their next answer. */
  get isDraining(): boolean {
    return this.#isDraining;
  }

  /** Closes idle connections, and the others after their answers or three seconds. */
  close(): void {
    this.#isDraining = true;
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
    for (const connection of this.#partial) connection.cutIfLate(nowMs);
    this.#looks += 1;
    if (this.#looks % IDLE_LOOKS !== 0) return;
    for (const connection of this.#connections) connection.closeIfIdleSince(nowMs - this.terms.keepAliveMs);
  }
}
