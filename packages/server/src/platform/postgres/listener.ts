import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import type { Logger } from 'pino';
import { backoffMs } from '../concurrency/backoff.ts';
import { connectionOptions } from './pool/pool.ts';
import { poolSettings } from './pool/pool-settings.ts';

/** The first delay spreads many processes, which poll meanwhile. */
const RETRY_MS = { first: 1000, most: 5000 } as const;
/** Interval and timeout of the query that detects a silently cut connection. */
const PROBE = { everyMs: 5000, timeoutMs: 3000 } as const;

/**
 * Subscribes to a channel of PostgreSQL (LISTEN) on its own connection, and reconnects whenever it is cut.
 * `connected` is called after each connect, the first one included: earlier notifications may have been missed.
 */
export function listenToPostgres(options: {
  url: string;
  channel: string;
  log: Logger;
  onNotification: (payload: string) => void;
  connected: () => void;
}): { close(): Promise<void> } {
  const { url, channel, log, onNotification, connected } = options;
  const settings = { ...poolSettings(new Set()), name: 'bidwell-listener' };
  const closing = new AbortController();
  let failures = 0;

  /** Listens until the connection is lost; rejects with the reason. */
  async function listenOnce(): Promise<void> {
    const client = new pg.Client({ ...connectionOptions(url, settings), query_timeout: PROBE.timeoutMs });
    let lose = (_error: Error): void => {};
    const lost = new Promise<never>((_resolve, reject) => (lose = reject));
    lost.catch(() => {});
    client.on('error', (error) => lose(error));
    client.on('end', () => lose(new Error('Connection terminated')));
    client.on('notification', ({ payload }) => onNotification(payload ?? ''));
    const abort = (): void => lose(new Error('closing'));
    closing.signal.addEventListener('abort', abort, { once: true });
    try {
      await Promise.race([client.connect(), lost]);
      await Promise.race([client.query(`listen ${client.escapeIdentifier(channel)}`), lost]);
      failures = 0;
      connected();
      for (;;) {
        await Promise.race([pause(PROBE.everyMs, undefined, { ref: false }), lost]);
        await Promise.race([client.query('select 1'), lost]);
      }
    } finally {
      closing.signal.removeEventListener('abort', abort);
      // Not closed gracefully, because the connection may be dead.
      (client as unknown as { connection: { stream: { destroy(): void } } }).connection.stream.destroy();
    }
  }

  async function stayConnected(): Promise<void> {
    while (!closing.signal.aborted) {
      await listenOnce().catch((err: unknown) => {
        if (!closing.signal.aborted)
          log.warn({ err }, 'subscribing to PostgreSQL notifications failed; retrying');
      });
      failures += 1;
      const waitMs = backoffMs(RETRY_MS.first, failures, RETRY_MS.most);
      await pause(waitMs, undefined, { signal: closing.signal }).catch(() => {});
    }
  }
  const running = stayConnected();
  return {
    async close() {
      closing.abort();
      await running;
    },
  };
}
