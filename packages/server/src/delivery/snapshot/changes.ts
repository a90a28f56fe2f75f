import type { Logger } from 'pino';
import { every } from '../../platform/jobs/every.ts';
import type { Database } from '../../platform/postgres/client.ts';
import { listenToPostgres } from '../../platform/postgres/listener.ts';
import { CHANGES_CHANNEL, readChanges } from './changes-store.ts';

/** Asked for beside the notifications: those may be lost, and a pooler between may not pass them on. */
const ASK_EVERY_MS = 1500;

/**
 * Calls `changed` for what another process changed of what bids depend on: within moments where PostgreSQL's notifications
 * come through, else within two seconds.
 */
export function followChanges(options: {
  db: Database;
  /** Where to listen; null to ask only. */
  url: string | null;
  log: Logger;
  changed: { snapshot: () => void; funds: () => void };
}): { stop(): Promise<void> } {
  const { db, url, log, changed } = options;
  let seen: Map<string, string> | null = null;
  const ask = every(ASK_EVERY_MS, 'look for changes', log, async () => {
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
          heard: (kind) => (kind === 'funds' ? changed.funds() : changed.snapshot()),
          // What was announced while nobody listened is found by asking.
          connected: () => changed.snapshot(),
        });
  return {
    async stop() {
      await Promise.all([ask.stop(), listener?.close()]);
    },
  };
}
