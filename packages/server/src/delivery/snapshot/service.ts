import type { Micros } from '@bidwell/contract/money';
import type { Logger } from 'pino';
import type { Database } from '../../platform/postgres/client.ts';
import type { AdsetFaults } from '../adset-faults.ts';
import { coalesce } from '../coalesce.ts';
import { inSlices } from '../in-slices.ts';
import { compileSnapshot, snapshotCompilation } from './compile.ts';
import type { PriceRules } from '../events/price.ts';
import { PLAIN_PRICES } from '../events/price.ts';
import type { CurrencyRates } from '../openrtb/read-request.ts';
import { DOLLARS_ONLY } from '../openrtb/read-request.ts';
import type { Ssp } from './store.ts';
import { AdsetReader } from './reader.ts';
import { loadCurrencyRates, loadPriceRules, loadSsps } from './store.ts';
import type { CompiledAdset, Snapshot } from './types.ts';

/** Keeps the compiled snapshot fresh while bids read it. */
export interface SnapshotService {
  current(): Snapshot;
  /** The exchange behind a slug; undefined for one that is unknown or switched off. */
  ssp(slug: string): Ssp | undefined;
  /** How an exchange sends its prices, also one that is switched off. */
  priceRules(this: void, slug: string): PriceRules;
  /** What a running ad set wants to pay for an install; null when it does not say. */
  cpiMicros(adsetId: string): Micros | null;
  /** What one unit of each known currency is worth in dollars. */
  rates(): CurrencyRates;
  /** A company's time zone. */
  timeZone(companyId: string): string;
  /** Something that bids depend on has changed: rebuilds soon. Many at once make one rebuild. */
  invalidate(): void;
  /** Resolves when a snapshot that has seen everything until now is in place. */
  refreshed(): Promise<void>;
  close(): Promise<void>;
}

/** How long changes gather before one rebuild. */
export const GATHER_MS = 50;
/** Catches what no message told of: another process's change, a lost one. */
const SAFETY_NET_MS = 30_000;

/** Builds the first snapshot and answers once it is there. */
export async function createSnapshotService(
  db: Database,
  log: Logger,
  faults: AdsetFaults,
): Promise<SnapshotService> {
  let snapshot: Snapshot = compileSnapshot([]);
  let ssps = new Map<string, Ssp>();
  let priceRules: ReadonlyMap<string, PriceRules> = new Map();
  let rates: CurrencyRates = DOLLARS_ONLY;
  let timeZones = new Map<string, string>();
  let prices = new Map<string, Micros | null>();
  const reader = new AdsetReader(db, faults);
  let compiled: readonly CompiledAdset[] | undefined;
  let timer: NodeJS.Timeout | undefined;
  let dueAtMs = Infinity;
  let closed = false;

  const build = async (): Promise<void> => {
    const adsets = await reader.read();
    const exchanges = await loadSsps(db);
    priceRules = await loadPriceRules(db);
    rates = await loadCurrencyRates(db);
    ssps = new Map(exchanges.map((ssp) => [ssp.slug, ssp]));
    if (adsets === compiled) return;
    timeZones = new Map(reader.companies().map(({ uuid, timeZone }) => [uuid, timeZone]));
    snapshot = await inSlices(snapshotCompilation(adsets));
    compiled = adsets;
    prices = new Map(adsets.map(({ adsetId, cpiMicros }) => [adsetId, cpiMicros]));
  };
  const schedule = (delayMs: number): void => {
    const wantedAtMs = performance.now() + delayMs;
    // A steady stream of changes must not push the rebuild away from it.
    if (closed || wantedAtMs >= dueAtMs) return;
    clearTimeout(timer);
    dueAtMs = wantedAtMs;
    timer = setTimeout(() => {
      dueAtMs = Infinity;
      void rebuild();
    }, delayMs);
  };
  const rebuild = coalesce(async () => {
    try {
      if (!closed) await build();
    } catch (err) {
      log.error({ err }, 'the snapshot could not be rebuilt; the last one stays');
    }
    schedule(SAFETY_NET_MS);
  });

  await build();
  schedule(SAFETY_NET_MS);
  return {
    current: () => snapshot,
    ssp: (slug) => ssps.get(slug),
    priceRules: (slug) => priceRules.get(slug) ?? PLAIN_PRICES,
    cpiMicros: (adsetId) => prices.get(adsetId) ?? null,
    rates: () => rates,
    timeZone: (companyId) => timeZones.get(companyId) ?? 'UTC',
    invalidate: () => schedule(GATHER_MS),
    refreshed: rebuild,
    async close() {
      closed = true;
      clearTimeout(timer);
      await rebuild();
    },
  };
}
