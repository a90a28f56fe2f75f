import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';

/** How long to wait for running requests once no new ones are accepted. */
const RUNNING_MS = 3000;

/**
 * Drains keep-alive connections: for `graceMs` requests are answered as before, each with `Connection: close`, so that no
 * connection is closed while its client sends a request.
 */
export async function drain(server: Server, graceMs: number): Promise<void> {
  server.prependListener('request', (_request: IncomingMessage, response: ServerResponse) => {
    response.shouldKeepAlive = false;
  });
  if (graceMs > 0) await pause(graceMs);
}

/** Waits for `close`, which lets running requests end; after three seconds their connections are cut. */
export async function closeWithin(server: Server, close: () => Promise<void>): Promise<void> {
  const cut = setTimeout(() => server.closeAllConnections(), RUNNING_MS);
  try {
    await close();
  } finally {
    clearTimeout(cut);
  }
}
