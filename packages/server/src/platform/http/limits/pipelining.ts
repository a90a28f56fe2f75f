import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Responds to a request in place of the server: without hooks, cookies or security headers. Never throws. */
export type RawHandler = (request: IncomingMessage, response: ServerResponse) => void;

/** Requests of a connection that wait for the response to an earlier one; no usual client has any. */
const WAITING_MAX = 16;

/** How long a client that sent too many may take to read the responses, ms. */
const CLOSING_MS = 30_000;

const waiting = new WeakMap<Socket, number>();
/** The newest response of each connection, of the requests that are answered. */
const newest = new WeakMap<Socket, ServerResponse>();
/** Connections that close after the response to the last request that was not too many. */
const closing = new WeakSet<Socket>();

/**
 * Counts a request that came before the response to an earlier one of its connection (RFC 9112, 9.3.2), until its own response is
 * complete. False beyond 16: the connection then closes after the responses to the requests before, and its client sends the others again.
 * Node.js reads all requests of a piece of data at once, and keeps the response to each until its turn, also where the client reads none.
 */
export function admitPipelined(socket: Socket, response: ServerResponse): boolean {
  if (closing.has(socket)) return false;
  // Node.js gives a response its socket when those before it are complete.
  if (response.socket !== null) {
    newest.set(socket, response);
    return true;
  }
  const count = (waiting.get(socket) ?? 0) + 1;
  if (count > WAITING_MAX) {
    closeAfter(socket, newest.get(socket));
    return false;
  }
  newest.set(socket, response);
  waiting.set(socket, count);
  response.once('close', () => waiting.set(socket, (waiting.get(socket) ?? 1) - 1));
  return true;
}

function closeAfter(socket: Socket, last: ServerResponse | undefined): void {
  closing.add(socket);
  socket.pause();
  const timer = setTimeout(() => socket.destroy(), CLOSING_MS).unref();
  socket.once('close', () => clearTimeout(timer));
  if (!last || last.closed) socket.destroySoon();
  else last.once('close', () => socket.destroySoon());
}

/** Returns a handler that takes the requests of a connection one after another, each after the response to the one before it. */
export function oneAfterAnother(handle: RawHandler): RawHandler {
  return (request, response) => {
    const { socket } = request;
    const earlier = newest.get(socket);
    if (!admitPipelined(socket, response)) return;
    if (response.socket !== null || !earlier || earlier.closed) return handle(request, response);
    earlier.once('close', () => {
      if (!socket.destroyed) handle(request, response);
    });
  };
}
