import type { Logger } from 'pino';
import { repeat } from '../../platform/jobs/repeat.ts';
import type { Database } from '../../platform/postgres/client.ts';
import { listenToPostgres } from '../../platform/postgres/listener.ts';
import { CHANGES_CHANNEL, readChanges } from './changes-store.ts';

/** Polling interval. Polling supplements notifications, which may be lost or not forwarded by a connection pooler. */
const POLL_EVERY_MS = 1500;

/**
 * Calls `changed` after another process has changed something that bids depend on: at once where PostgreSQL's
 * notifications arrive, otherwise within two seconds.
 */
export function followChanges(options: {
  db: Database;
  /** Connection string for notifications; null for polling only. */
  url: string | null;
  log: Logger;
  changed: { snapshot: () => void; funds: () => void };
}): { stop(): Promise<void> } {
  const { db, url, log, changed } = options;
  let seen: Map<string, string> | null = null;
  const poll = repeat(POLL_EVERY_MS, 'poll for changes', log, async () => {
    const now = await readChanges(db);
    const isNew = (kind: string): boolean => seen === null || seen.get(kind) !== now.get(kind);
    const [snapshot, funds] = [isNew('snapshot'), isNew('funds')];
    seen = now;
    if (snapshot) changed.snapshot();
    if (funds) changed.funds();
  });
  const listener =
    url === null
      ? null
      : listenToPostgres({
          url,
          channel: CHANGES_CHANNEL,
          log,
          onNotification: (kind) => (kind === 'funds' ? changed.funds() : changed.snapshot()),
          // Notifications sent while disconnected are lost, so a change is assumed.
          connected: () => changed.snapshot(),
        });
  return {
    async stop() {
      await Promise.all([poll.stop(), listener?.close()]);
    },
  };
}
