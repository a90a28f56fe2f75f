import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';

/** The event of a server whose connections are drained. */
export const DRAINING = 'draining';

/** How long to wait for running requests once no new ones are accepted. */
const RUNNING_MS = 3000;

/**
 * Drains keep-alive connections: for `graceMs` requests get responses as before, each with `Connection: close`, so that no
 * connection is closed while its client sends a request.
 */
export async function drain(server: Server, graceMs: number): Promise<void> {
  server.prependListener('request', (_request: IncomingMessage, response: ServerResponse) => {
    response.shouldKeepAlive = false;
  });
  server.emit(DRAINING);
  if (graceMs > 0) await pause(graceMs);
}

/**
 * Waits for `close`, which closes idle connections and lets running requests end; after three seconds their connections are
 * cut. Requests that have arrived are read before: closing a connection with an unread request would reset it.
 */
export async function closeWithin(server: Server, close: () => Promise<void>): Promise<void> {
  // A turn runs timers before it reads; the rest of this one may be behind its reads.
  await nextTurn();
  await nextTurn();
  const cut = setTimeout(() => server.closeAllConnections(), RUNNING_MS);
  try {
    await close();
  } finally {
    clearTimeout(cut);
  }
}
