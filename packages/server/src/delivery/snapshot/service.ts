import { createHash } from 'node:crypto';
import type { Micros } from '@bidwell/contract/money';
import type { Logger } from 'pino';
import type { Database } from '../../platform/postgres/client.ts';
import type { AdsetFaults } from './adset-faults.ts';
import { coalesce } from '../../platform/jobs/coalesce.ts';
import { inSlices } from '../../platform/jobs/in-slices.ts';
import { compileSnapshot, snapshotCompilation } from './compile.ts';
import type { Destination } from '../model/destination.ts';
import type { PriceRules } from '../model/price-rules.ts';
import { PLAIN_PRICES } from '../model/price-rules.ts';
import type { CurrencyRates } from '../model/currency.ts';
import { DOLLARS_ONLY } from '../model/currency.ts';
import type { Ssp } from './store.ts';
import { AdsetReader } from './reader.ts';
import { loadCurrencyRates, loadPriceRules, loadSsps } from './store.ts';
import type { SnapshotFiles, SnapshotHead } from './snapshot-files.ts';
import type { Snapshot } from './snapshot.ts';
import type { CompiledAdset } from '../model/candidate.ts';

/** Keeps the compiled snapshot fresh while bids read it. */
export interface SnapshotService {
  current(): Snapshot;
  /** `prepare` ends before a new snapshot takes the place of the present one; it does not throw. */
  beforeSwap(prepare: (next: Snapshot) => Promise<void>): void;
  /** The exchange behind a slug; undefined for one that is unknown or switched off. */
  ssp(slug: string): Ssp | undefined;
  /** How an exchange sends its prices, also one that is switched off. */
  priceRules(this: void, slug: string): PriceRules;
  /** What a running ad set wants to pay for an install; null when it does not say. */
  cpiMicros(adsetId: string): Micros | null;
  /** Where the clicks of a running ad set go; null for one that does not run. */
  destination(adsetId: string): Destination | null;
  /** What one unit of each known currency is worth in dollars. */
  rates(): CurrencyRates;
  /** A company's time zone. */
  timeZone(companyId: string): string;
  /** Something that bids depend on has changed: rebuilds soon. Many at once make one rebuild. */
  invalidate(): void;
  /** Resolves when a snapshot that has seen everything until now is in place. */
  refreshed(): Promise<void>;
  /** Reads the first snapshot. Throws what the database throws. */
  load(): Promise<void>;
  /** Takes the snapshot that is on disk, where there is one and no other came meanwhile. */
  restore(): Promise<void>;
  /** Where the present snapshot came from. */
  origin(): SnapshotOrigin;
  close(): Promise<void>;
}

export interface SnapshotOrigin {
  /** `none`: there is none yet, and nothing is bid on. */
  source: 'none' | 'disk' | 'postgres';
  /** Equal for equal contents, in every process. */
  version: string;
  /** When PostgreSQL last agreed with it; Unix ms. */
  confirmedAtMs: number;
}

/** How long changes gather before one rebuild. */
export const GATHER_MS = 50;
/** Catches what no message told of: another process's change, a lost one. */
const SAFETY_NET_MS = 30_000;

/** An empty snapshot until {@link SnapshotService.load}. What is read is written to `files`, where there are any. */
export function createSnapshotService(
  db: Database,
  log: Logger,
  faults: AdsetFaults,
  files: SnapshotFiles | null = null,
): SnapshotService {
  let snapshot: Snapshot = compileSnapshot([]);
  let ssps = new Map<string, Ssp>();
  let priceRules: ReadonlyMap<string, PriceRules> = new Map();
  let rates: CurrencyRates = DOLLARS_ONLY;
  let timeZones = new Map<string, string>();
  let running = new Map<string, CompiledAdset>();
  let origin: SnapshotOrigin = { source: 'none', version: '', confirmedAtMs: 0 };
  const reader = new AdsetReader(db, faults);
  let compiled: readonly CompiledAdset[] | undefined;
  let timer: NodeJS.Timeout | undefined;
  let dueAtMs = Infinity;
  let closed = false;
  let prepare: (next: Snapshot) => Promise<void> = async () => {};

  const take = async (adsets: readonly CompiledAdset[]): Promise<void> => {
    const next = await inSlices(snapshotCompilation(adsets));
    await prepare(next);
    timeZones = new Map(reader.companies().map(({ uuid, timeZone }) => [uuid, timeZone]));
    snapshot = next;
    compiled = adsets;
    running = new Map(adsets.map((adset) => [adset.adsetId, adset]));
  };
  const takeExchanges = (head: Omit<SnapshotHead, 'companies' | 'version'>): void => {
    ssps = new Map(head.ssps.map((ssp) => [ssp.slug, ssp]));
    priceRules = new Map(head.priceRules);
    rates = new Map(head.rates);
  };
  const build = async (): Promise<void> => {
    const adsets = await reader.read(files?.changed);
    const exchanges = {
      ssps: await loadSsps(db),
      priceRules: [...(await loadPriceRules(db))],
      rates: [...(await loadCurrencyRates(db))],
    };
    takeExchanges(exchanges);
    if (adsets !== compiled) await take(adsets);
    const content = { companies: reader.companies(), ...exchanges };
    origin = { source: 'postgres', version: versionOf(content), confirmedAtMs: Date.now() };
    files?.save({ version: origin.version, ...content });
  };
  const rebuild = coalesce(async () => {
    if (!closed) await build();
  });
  const rebuildAgain = async (): Promise<void> => {
    await rebuild().catch((err: unknown) =>
      log.error({ err }, 'the snapshot could not be rebuilt; the last one stays'),
    );
    schedule(SAFETY_NET_MS);
  };
  const schedule = (delayMs: number): void => {
    const wantedAtMs = performance.now() + delayMs;
    // A steady stream of changes must not push the rebuild away from it.
    if (closed || wantedAtMs >= dueAtMs) return;
    clearTimeout(timer);
    dueAtMs = wantedAtMs;
    timer = setTimeout(() => {
      dueAtMs = Infinity;
      void rebuildAgain();
    }, delayMs);
  };
  return {
    async load() {
      await rebuild();
      schedule(SAFETY_NET_MS);
    },
    async restore() {
      const stored = await files?.read();
      if (!stored || origin.source !== 'none') return;
      await take(await reader.restore(stored.companies, stored.adsetsOf));
      takeExchanges(stored);
      origin = { source: 'disk', version: stored.version, confirmedAtMs: stored.confirmedAtMs };
    },
    origin: () => origin,
    current: () => snapshot,
    beforeSwap: (preparation) => void (prepare = preparation),
    ssp: (slug) => ssps.get(slug),
    priceRules: (slug) => priceRules.get(slug) ?? PLAIN_PRICES,
    cpiMicros: (adsetId) => running.get(adsetId)?.cpiMicros ?? null,
    destination(adsetId) {
      const adset = running.get(adsetId);
      return adset && adset.clickUrl !== '' ? adset : null;
    },
    rates: () => rates,
    timeZone: (companyId) => timeZones.get(companyId) ?? 'UTC',
    invalidate: () => schedule(GATHER_MS),
    refreshed: rebuildAgain,
    async close() {
      closed = true;
      clearTimeout(timer);
      await rebuild();
      await files?.written();
    },
  };
}

/** The company versions are random for each change, so that equal ones mean equal contents. */
function versionOf({ companies, ...rest }: Omit<SnapshotHead, 'version'>): string {
  const versions = companies.map(({ uuid, version }) => `${uuid} ${version}`).sort();
  return createHash('sha256')
    .update(JSON.stringify([versions, rest]))
    .digest('hex')
    .slice(0, 12);
}
