import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Responds to a request in place of the server: without hooks, cookies or security headers. Never throws. */
export type RawHandler = (request: IncomingMessage, response: ServerResponse) => void;

/** Requests of a connection that wait for the response to an earlier one; no usual client has any. */
const WAITING_MAX = 16;

const waiting = new WeakMap<Socket, number>();
/** The newest response of each connection. */
const newest = new WeakMap<Socket, ServerResponse>();

/**
 * Counts a request that came before the response to an earlier one of its connection (RFC 9112, 9.3.2), until its own response is
 * complete. False, and the connection is closed, beyond 16: Node.js keeps the response to each until its turn, also where the
 * client reads none.
 */
export function admitPipelined(socket: Socket, response: ServerResponse): boolean {
  newest.set(socket, response);
  // Node.js gives a response its socket when those before it are complete.
  if (response.socket !== null) return true;
  const count = (waiting.get(socket) ?? 0) + 1;
  if (count > WAITING_MAX) {
    socket.destroy();
    return false;
  }
  waiting.set(socket, count);
  response.once('close', () => waiting.set(socket, (waiting.get(socket) ?? 1) - 1));
  return true;
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
