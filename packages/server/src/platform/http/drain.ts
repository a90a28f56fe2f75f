import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';

/** Requests that run are waited for so long once nothing new is taken. */
const RUNNING_MS = 3000;

/**
 * Asks clients to take their connections elsewhere: for `graceMs` requests are answered as ever, each with `Connection:
 * close`, so that no connection is closed under a request of a client that keeps it open.
 */
export async function drain(server: Server, graceMs: number): Promise<void> {
  server.prependListener('request', (_request: IncomingMessage, response: ServerResponse) => {
    response.shouldKeepAlive = false;
  });
  if (graceMs > 0) await pause(graceMs);
}

/** Waits for `close`, which lets running requests end; cuts those that take too long. */
export async function closeInTime(server: Server, close: () => Promise<void>): Promise<void> {
  const cut = setTimeout(() => server.closeAllConnections(), RUNNING_MS);
  try {
    await close();
  } finally {
    clearTimeout(cut);
  }
}
