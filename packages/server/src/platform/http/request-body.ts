import type { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';

/** How long a body may take, and an upload may pause. */
const BODY_MS_MAX = 30_000;

const TIMEOUT = 'HTTP/1.1 408 Request Timeout\r\nConnection: close\r\nContent-Length: 0\r\n\r\n';

/** Closes the connection of a request whose body has not come within 30 seconds: 408. */
export function limitBodyTime(request: IncomingMessage): void {
  if (!hasBody(request)) return;
  const timer = setTimeout(() => cut(request), BODY_MS_MAX).unref();
  const stop = () => clearTimeout(timer);
  request.once('end', stop).once('close', stop);
}

/**
 * Hooks that keep bodies from holding connections: one that comes slowly is cut after 30 seconds, an upload (a route that
 * takes a form) after 30 seconds in which nothing of it came. What is left of a body whose request was answered before its
 * end is read and dropped, so that the client hears the answer and the connection serves the next request; after 30 seconds
 * it is cut as well.
 */
export function limitBodies(http: FastifyInstance): void {
  http.addHook('onRequest', async ({ raw, routeOptions }) => {
    if (routeOptions.config.form) limitPauses(raw);
    else limitBodyTime(raw);
  });
  http.addHook('onResponse', async ({ raw }) => {
    if (raw.complete || raw.destroyed) return;
    raw.unpipe();
    raw.resume();
    limitBodyTime(raw);
  });
}

function limitPauses(request: IncomingMessage): void {
  if (!hasBody(request)) return;
  let bytesBefore = request.socket.bytesRead;
  const timer = setInterval(() => {
    const { bytesRead } = request.socket;
    if (bytesRead === bytesBefore) cut(request);
    bytesBefore = bytesRead;
  }, BODY_MS_MAX).unref();
  const stop = () => clearInterval(timer);
  request.once('end', stop).once('close', stop);
}

function hasBody({ headers, complete }: IncomingMessage): boolean {
  const length = headers['content-length'];
  return (
    !complete && (headers['transfer-encoding'] !== undefined || (length !== undefined && length !== '0'))
  );
}

function cut(request: IncomingMessage): void {
  const { socket } = request;
  // An injected request has no connection of its own that could be cut.
  if (request.complete || socket.destroyed || !(socket instanceof Socket)) return;
  socket.end(TIMEOUT, () => socket.destroy());
}
