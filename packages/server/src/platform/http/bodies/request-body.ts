import type { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';

/** Timeout of a body, and of a pause within an upload. */
const BODY_MS_MAX = 30_000;
/** Bytes of an upload that have to arrive in a period while others wait for its place. */
const CROWDED_MS = 10_000;
const CROWDED_BYTES_MIN = 32 * 1024;

const TIMEOUT = 'HTTP/1.1 408 Request Timeout\r\nConnection: close\r\nContent-Length: 0\r\n\r\n';

/** Sends 408 and closes the connection of a request whose body has not arrived within `maxMs`, 30 seconds if not given. */
export function limitBodyTime(request: IncomingMessage, maxMs = BODY_MS_MAX): void {
  if (!hasBody(request)) return;
  const timer = setTimeout(() => cut(request), maxMs).unref();
  const stop = () => clearTimeout(timer);
  request.once('end', stop).once('close', stop);
}

/** Like {@link limitBodyTime}, without a timer for the many requests whose body arrives together with their head. */
export function limitSlowBodyTime(request: IncomingMessage, maxMs?: number): void {
  process.nextTick(limitBodyTime, request, maxMs);
}

/**
 * Hooks that keep slow bodies from holding connections: a body is cut after 30 seconds, an upload (a route that takes a
 * form) after 30 seconds without data. The rest of a body whose response was sent early is read and dropped, so that
 * the client receives the response and the connection can be reused; after 30 seconds it is cut as well.
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
  checkBytes(request, BODY_MS_MAX, (bytes) => bytes === 0);
}

/**
 * Sends 408 and closes the connection of an upload with less than 32 KiB in ten seconds, or `everyMs`, if others
 * wait for its place by then.
 */
export function limitSlowUpload(
  request: IncomingMessage,
  isCrowded: () => boolean,
  everyMs = CROWDED_MS,
): void {
  checkBytes(request, everyMs, (bytes) => bytes < CROWDED_BYTES_MIN && isCrowded());
}

/** Cuts a body if too few bytes came in a period. */
function checkBytes(request: IncomingMessage, everyMs: number, areTooFew: (bytes: number) => boolean): void {
  if (!hasBody(request)) return;
  let bytesBefore = request.socket.bytesRead;
  const timer = setInterval(() => {
    const { bytesRead } = request.socket;
    if (areTooFew(bytesRead - bytesBefore)) cut(request);
    bytesBefore = bytesRead;
  }, everyMs).unref();
  const stop = () => clearInterval(timer);
  request.once('end', stop).once('close', stop);
}

/** Chunks of a body after which their size is checked, and the least bytes that they have on average. */
const CHUNKS_MIN = 1000;
const CHUNK_BYTES_MIN = 64;

/**
 * Closes the connection of a body that comes in thousands of tiny chunks: each costs the parser as much as a large one, and the
 * limit of the body's size does not count them.
 */
export function limitChunks(request: IncomingMessage): void {
  if (request.headers['transfer-encoding'] === undefined) return;
  const push = request.push.bind(request);
  let chunks = 0;
  let bytes = 0;
  request.push = (chunk: Buffer | null, encoding) => {
    chunks += 1;
    bytes += chunk?.length ?? 0;
    if (chunks > CHUNKS_MIN && bytes < chunks * CHUNK_BYTES_MIN) request.socket.destroy();
    return push(chunk, encoding);
  };
}

function hasBody(request: IncomingMessage): boolean {
  if (request.complete) return false;
  const { headers } = request;
  const length = headers['content-length'];
  return headers['transfer-encoding'] !== undefined || (length !== undefined && length !== '0');
}

function cut(request: IncomingMessage): void {
  const { socket } = request;
  // An injected request has no real connection to close.
  if (request.complete || socket.destroyed || !(socket instanceof Socket)) return;
  socket.end(TIMEOUT, () => socket.destroy());
}
