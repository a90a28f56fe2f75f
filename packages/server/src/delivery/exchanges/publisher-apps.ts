import { bundleError } from '@bidwell/contract/adsets/bundles';
import { CHAIN_STATES, type ChainState } from '@bidwell/contract/campaign-reports/bundles';
import type { ClickHouse } from '../../platform/clickhouse/client.ts';
import { clickhouseTime } from '../../platform/clickhouse/time.ts';
import type { Logger } from 'pino';
import type { Step } from '../../platform/startup.ts';
import { coalesce } from '../../platform/concurrency/coalesce.ts';
import { repeat } from '../../platform/jobs/repeat.ts';

const REPORT_EVERY_MS = 10_000;

/** The publisher's app in which the ad is shown, as the bid request describes it; '' where it does not say. */
export interface PublisherFacts {
  name: string;
  storeLink: string;
  publisher: string;
  chain: ChainState;
  /** Domain and id of the last seller of the supply chain, who sells to the exchange. */
  sellerDomain: string;
  sellerId: string;
}

/** The app of a publisher as an exchange offered it. */
interface PublisherApp extends PublisherFacts {
  bundle: string;
  exchange: string;
  /** When it was offered, Unix ms. */
  atMs: number;
}

interface Seen {
  app: PublisherApp;
  readAtMs: number;
  isStored: boolean;
}

/** Apps that are remembered; the ones that were added first are forgotten, and stored again when they are seen. */
const APPS_MAX = 20_000;
/** Apps that are stored at once, at most; the others wait. */
const STORED_MAX = 2000;
/** The facts of an app are read again after this time. */
const READ_EVERY_MS = 60_000;

/** The apps of publishers for which bids were sent, of all companies. Bounded in size. */
export class PublisherApps {
  readonly #apps = new Map<string, Seen>();

  /** Adds the app of a request that got a bid, unless its bundle is not valid. `read` is called only now and then. */
  add(bundle: string, exchange: string, atMs: number, read: () => PublisherFacts): void {
    const key = `${exchange} ${bundle}`;
    const seen = this.#apps.get(key);
    if (seen ? atMs - seen.readAtMs < READ_EVERY_MS : bundleError(bundle) !== null) return;
    const app = { ...read(), bundle, exchange, atMs };
    if (seen && atMs - seen.app.atMs < STORE_EVERY_MS) {
      seen.readAtMs = atMs;
      // A chain that some requests lack must not seem complete because of the others.
      app.chain = weaker(seen.app.chain, app.chain);
      if (isSame(seen.app, app)) return;
    }
    this.#apps.delete(key);
    this.#apps.set(key, { app, readAtMs: atMs, isStored: false });
    if (this.#apps.size > APPS_MAX) this.#apps.delete(this.#apps.keys().next().value!);
  }

  /** The apps that wait to be stored, at most 2000. `done` marks them as stored. */
  waiting(): { apps: PublisherApp[]; done: () => void } {
    const seen = [...this.#apps.values()].filter(({ isStored }) => !isStored).slice(0, STORED_MAX);
    return {
      apps: seen.map(({ app }) => app),
      done() {
        for (const one of seen) one.isStored = true;
      },
    };
  }
}

function weaker(a: ChainState, b: ChainState): ChainState {
  return CHAIN_STATES.indexOf(a) > CHAIN_STATES.indexOf(b) ? a : b;
}

function isSame(a: PublisherApp, b: PublisherApp): boolean {
  return (
    a.name === b.name &&
    a.storeLink === b.storeLink &&
    a.publisher === b.publisher &&
    a.chain === b.chain &&
    a.sellerDomain === b.sellerDomain &&
    a.sellerId === b.sellerId
  );
}

/** Stores apps of publishers, which belong to no company. */
export async function storePublisherApps(
  clickhouse: Pick<ClickHouse, 'insert'>,
  apps: readonly PublisherApp[],
): Promise<void> {
  if (apps.length === 0) return;
  await clickhouse.insert(
    'publisher_apps',
    apps.map(({ atMs, storeLink, sellerDomain, sellerId, ...app }) => ({
      ...app,
      seen_at: clickhouseTime(atMs),
      store_link: storeLink,
      seller_domain: sellerDomain,
      seller_id: sellerId,
    })),
  );
}

/** Stores the apps of publishers that this bidder bids on: at once after a pause, then every ten seconds. */
export interface PublisherAppReport {
  apps: PublisherApps;
  /** Stores the apps that wait. Throws where ClickHouse does not respond; they are then stored later. */
  flush(): Promise<void>;
  /** Stores the last apps; apps that cannot be stored are lost. */
  stop(): Promise<void>;
}

const CHECK_EVERY_MS = 1000;
/** An app is stored again after this time, and before where its facts have changed. */
const STORE_EVERY_MS = 24 * 3_600_000;

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
      if (performance.now() - storedAtMs >= REPORT_EVERY_MS) await flush();
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
