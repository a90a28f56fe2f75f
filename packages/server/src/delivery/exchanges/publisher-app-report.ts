import type { Logger } from 'pino';
import type { ClickHouse } from '../../platform/clickhouse/client.ts';
import type { Step } from '../../platform/startup.ts';
import { coalesce } from '../../platform/concurrency/coalesce.ts';
import { repeat } from '../../platform/jobs/repeat.ts';
import { storePublisherApps } from './publisher-app-store.ts';
import { PublisherApps } from './publisher-apps.ts';

/** Stores the apps of publishers that this bidder bids on: at once after a pause, then every ten seconds. */
export interface PublisherAppReport {
  apps: PublisherApps;
  /** Stores the apps that wait. Throws where ClickHouse does not respond; they are then stored later. */
  flush(): Promise<void>;
  /** Stores the last apps; those that cannot be stored are lost. */
  stop(): Promise<void>;
}

const CHECK_EVERY_MS = 1000;
const STORE_EVERY_MS = 10_000;

/** Starts to store the apps of publishers. Nothing here delays or fails a bid. */
export function startPublisherAppReport({
  clickhouse,
  clickhouseReady,
  log,
}: {
  clickhouse: Pick<ClickHouse, 'insert'>;
  /** Done once the tables exist. */
  clickhouseReady: Step;
  log: Logger;
}): PublisherAppReport {
  const apps = new PublisherApps();
  let storedAtMs = -Infinity;
  const flush = coalesce(async () => {
    const waiting = apps.waiting();
    if (waiting.apps.length === 0) return;
    storedAtMs = performance.now();
    await storePublisherApps(clickhouse, waiting.apps);
    waiting.done();
  });
  const job = repeat(
    CHECK_EVERY_MS,
    'store apps of publishers',
    log,
    async () => {
      if (performance.now() - storedAtMs >= STORE_EVERY_MS) await flush();
    },
    [clickhouseReady],
  );
  return {
    apps,
    flush,
    async stop() {
      await job.stop();
      await flush().catch((err: unknown) => log.warn({ err }, 'the last apps of publishers were not stored'));
    },
  };
}
