import { createHash } from 'node:crypto';
import type { Logger } from 'pino';
import type { Encryption } from '../../platform/encryption.ts';
import type { Database } from '../../platform/postgres/client.ts';
import type { AdsetFaults } from './adset-faults.ts';
import { coalesce } from '../../platform/concurrency/coalesce.ts';
import { runYielding } from '../../platform/concurrency/yielding.ts';
import { compileSnapshot, snapshotCompilation, compileAdset } from './compile.ts';
import type { Destination, CompiledAdset, AdsetRow } from '../model/candidate.ts';
import { NO_AUDIENCES, type StoredAudience } from '../model/audience.ts';
import type { LoadedAudiences } from '../audiences/loaded-audiences.ts';
import { PLAIN_PRICES, type PriceRules } from '../model/price-rules.ts';
import { type CurrencyRates, DOLLARS_ONLY } from '../model/bid-request.ts';
import {
  type DecryptPriceKey,
  type Ssp,
  compileSsp,
  loadCurrencyRates,
  loadPriceRules,
  loadSsps,
} from './exchange-store.ts';
import type { SnapshotFiles, SnapshotHead } from './snapshot-files.ts';
import type { Snapshot } from './snapshot.ts';
import { loadSkadnetwork } from '../skadnetwork/networks.ts';
import type { SkadnetworkSettings } from '../skadnetwork/signable.ts';
import type { Db } from '../../platform/postgres/transaction.ts';
import { formatResolver } from './creative-format.ts';
import { type Company, loadCompanies, loadAdsets } from './adset-store.ts';

/** Holds the current snapshot and rebuilds it when something changes. */
export interface SnapshotService {
  current(): Snapshot;
  /** Adds a callback that is awaited before a new snapshot replaces the current one. It must neither throw nor take long. */
  beforeSwap(prepare: (next: Snapshot) => Promise<void>): void;
  /** The exchange with a slug; undefined when it is unknown or inactive. */
  ssp(slug: string): Ssp | undefined;
  /** Price rules of an exchange, also of an inactive one. */
  priceRules(this: void, slug: string): PriceRules;
  /** A running ad set; undefined for any other. */
  running(adsetId: string): CompiledAdset | undefined;
  /** Destination of clicks on a creative of a running ad set; null when it does not run or has no click URL. */
  destination(adsetId: string, creativeId: string): Destination | null;
  /** Dollars per unit, by currency. */
  rates(): CurrencyRates;
  /** Ad networks and exchanges with which bids are signed. The same object until a rebuild. */
  skadnetwork(this: void): SkadnetworkSettings;
  /** Time zone of a company; UTC when unknown. */
  timeZone(companyId: string): string;
  /** Schedules a rebuild after a change. Changes within {@link GATHER_MS} share one rebuild. */
  invalidate(): void;
  /** Rebuilds now. Resolves when the snapshot includes every change committed before the call, or the rebuild failed. */
  refreshed(): Promise<void>;
  /** Builds the first snapshot. Throws when the database fails. */
  load(): Promise<void>;
  /** Loads the snapshot from disk, if there is one and PostgreSQL has not delivered one meanwhile. */
  restore(): Promise<void>;
  /** Source and version of the current snapshot. */
  origin(): SnapshotOrigin;
  close(): Promise<void>;
}

export interface SnapshotOrigin {
  /** `none`: nothing is loaded yet and there are no bids. */
  source: 'none' | 'disk' | 'postgres';
  /** Hash of the contents; the same in every process. */
  version: string;
  /** Last time the contents were confirmed against PostgreSQL, Unix ms. */
  confirmedAtMs: number;
}

/** Delay between a change and the rebuild, during which further changes are collected. */
export const GATHER_MS = 50;
/** No bid is signed. */
const UNSIGNED: SkadnetworkSettings = { networks: [], exchanges: [] };
/** Interval of rebuilds without a notification, which find changes whose notification was lost. */
const SAFETY_NET_MS = 30_000;

/**
 * Creates the service with an empty snapshot, until {@link SnapshotService.load} or {@link SnapshotService.restore}.
 * Each rebuild is saved to `files`, if given, and loads the audiences that its ad sets use into `audiences`, if given.
 */
export function createSnapshotService(
  db: Database,
  log: Logger,
  faults: AdsetFaults,
  encryption: Pick<Encryption, 'decrypt'>,
  files: SnapshotFiles | null = null,
  audiences: LoadedAudiences | null = null,
): SnapshotService {
  const lookup = audiences ?? NO_AUDIENCES;
  let snapshot: Snapshot = compileSnapshot([], lookup);
  let ssps = new Map<string, Ssp>();
  let priceRules: ReadonlyMap<string, PriceRules> = new Map();
  let rates: CurrencyRates = DOLLARS_ONLY;
  let skadnetwork: SkadnetworkSettings = UNSIGNED;
  let timeZones = new Map<string, string>();
  let running = new Map<string, CompiledAdset>();
  let origin: SnapshotOrigin = { source: 'none', version: '', confirmedAtMs: 0 };
  const reader = new AdsetReader(db, faults);
  const decryptPriceKey: DecryptPriceKey = (stored, place) => {
    try {
      return encryption.decrypt(stored, place);
    } catch (err) {
      // Pauses and budgets must take effect even if the keys of one exchange are broken.
      log.error({ err, table: place.table, row: place.row }, 'a key cannot be decrypted');
      return '';
    }
  };
  let compiled: readonly CompiledAdset[] | undefined;
  let closed = false;
  const preparations: ((next: Snapshot) => Promise<void>)[] = [];

  const take = async (adsets: readonly CompiledAdset[]): Promise<void> => {
    const next = await runYielding(snapshotCompilation(adsets, lookup));
    audiences?.use(audiencesOf(adsets));
    await Promise.all(preparations.map((prepare) => prepare(next)));
    timeZones = new Map(reader.companies().map(({ uuid, timeZone }) => [uuid, timeZone]));
    snapshot = next;
    compiled = adsets;
    running = new Map(adsets.map((adset) => [adset.adsetId, adset]));
  };
  const takeExchanges = (head: Omit<SnapshotHead, 'companies' | 'version'>): void => {
    ssps = new Map(head.ssps.map((ssp) => [ssp.slug, compileSsp(ssp)]));
    priceRules = new Map(head.priceRules);
    rates = new Map(head.rates);
    skadnetwork = head.skadnetwork ?? UNSIGNED;
  };
  const build = async (): Promise<void> => {
    const adsets = await reader.read(files?.changed);
    const exchanges = await loadExchanges(db, decryptPriceKey);
    takeExchanges(exchanges);
    if (adsets !== compiled) await take(adsets);
    const content = { companies: reader.companies(), ...exchanges };
    origin = { source: 'postgres', version: versionOf(content), confirmedAtMs: Date.now() };
    files?.save({ version: origin.version, ...content });
  };
  const rebuild = coalesce(async () => {
    if (!closed) await build();
  });
  const schedule = rebuildSchedule(() =>
    rebuild().catch((err: unknown) => {
      // A shutdown does not wait for a long rebuild, whose database is then closed.
      if (!closed) log.error({ err }, 'the snapshot could not be rebuilt; the previous one stays in use');
    }),
  );
  return {
    async load() {
      await rebuild();
      schedule.after(SAFETY_NET_MS);
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
    beforeSwap: (preparation) => void preparations.push(preparation),
    ssp: (slug) => ssps.get(slug),
    priceRules: (slug) => priceRules.get(slug) ?? PLAIN_PRICES,
    running: (adsetId) => running.get(adsetId),
    destination(adsetId, creativeId) {
      const adset = running.get(adsetId);
      if (!adset) return null;
      const own = adset.creatives.find(({ uuid }) => uuid === creativeId)?.clickUrl;
      const clickUrl = own ?? adset.clickUrl;
      const { campaignName, deepLink, app } = adset;
      return clickUrl === '' ? null : { clickUrl, campaignName, deepLink, bundle: app.bundle };
    },
    rates: () => rates,
    skadnetwork: () => skadnetwork,
    timeZone: (companyId) => timeZones.get(companyId) ?? 'UTC',
    invalidate: () => schedule.after(GATHER_MS),
    refreshed: () => schedule.now(),
    async close() {
      closed = true;
      schedule.stop();
      await rebuild();
      await files?.written();
    },
  };
}

/** The audiences that ad sets use, each once. */
function audiencesOf(adsets: readonly CompiledAdset[]): StoredAudience[] {
  const used = new Map<string, StoredAudience>();
  for (const adset of adsets)
    for (const audience of [...(adset.audiences?.stored ?? []), ...(adset.factors?.audiences ?? [])])
      used.set(audience.uuid, audience);
  return [...used.values()];
}

async function loadExchanges(
  db: Database,
  decrypt: DecryptPriceKey,
): Promise<Omit<SnapshotHead, 'companies' | 'version'>> {
  return {
    ssps: await loadSsps(db),
    priceRules: [...(await loadPriceRules(db, decrypt))],
    rates: [...(await loadCurrencyRates(db))],
    skadnetwork: await loadSkadnetwork(db, decrypt),
  };
}

/** Runs rebuilds when they are due, and one at the latest {@link SAFETY_NET_MS} after the last. */
function rebuildSchedule(rebuild: () => Promise<void>) {
  let timer: NodeJS.Timeout | undefined;
  let dueAtMs = Infinity;
  let stopped = false;
  const now = async (): Promise<void> => {
    await rebuild();
    after(SAFETY_NET_MS);
  };
  const after = (delayMs: number): void => {
    const targetAtMs = performance.now() + delayMs;
    // Not a debounce: a rebuild that is already due earlier stays, so that a stream of changes cannot postpone it.
    if (stopped || targetAtMs >= dueAtMs) return;
    clearTimeout(timer);
    dueAtMs = targetAtMs;
    timer = setTimeout(() => {
      dueAtMs = Infinity;
      void now();
    }, delayMs);
  };
  return {
    now,
    after,
    stop() {
      stopped = true;
      clearTimeout(timer);
    },
  };
}

/** Each change gives a company a random version, so equal versions mean equal contents. */
function versionOf({ companies, ...rest }: Omit<SnapshotHead, 'version'>): string {
  const versions = companies.map(({ uuid, version }) => `${uuid} ${version}`).sort();
  return createHash('sha256')
    .update(JSON.stringify([versions, rest]))
    .digest('hex')
    .slice(0, 12);
}

/** Companies per query; few, so that parsing one result does not block the event loop for long. */
const COMPANIES_AT_ONCE = 10;

interface CompiledRow {
  version: string | null;
  adsets: readonly CompiledAdset[];
}

/** Reads and compiles the ad sets that may bid. Companies that have not changed are not read again. */
class AdsetReader {
  readonly #db: Db;
  readonly #faults: AdsetFaults;
  readonly #shaped = formatResolver();
  #compiled = new Map<string, CompiledRow>();
  #companies: readonly Company[] = [];
  #adsets: readonly CompiledAdset[] = [];

  /** Ad sets that fail to compile are left out and reported to `faults`. */
  constructor(db: Db, faults: AdsetFaults) {
    this.#db = db;
    this.#faults = faults;
  }

  /** Companies as of the last read. */
  companies(): readonly Company[] {
    return this.#companies;
  }

  /**
   * Returns the ad sets that may bid; the same array as before when no company changed. Calls `onRead` with the rows of
   * each changed company. Throws when the database fails.
   */
  async read(
    onRead: (companyId: string, rows: readonly AdsetRow[]) => void = () => {},
  ): Promise<readonly CompiledAdset[]> {
    // Versions are read before rows. Rows may then be newer than their version, in which case they are read again.
    const companies = await loadCompanies(this.#db);
    const stale = companies.filter(({ uuid, version }) => this.#compiled.get(uuid)?.version !== version);
    const fresh = new Map<string, CompiledRow>();
    for await (const [company, rows] of this.#rowsOf(stale)) {
      const adsets = await runYielding(this.#compilation(rows));
      fresh.set(company.uuid, { version: company.version, adsets });
      onRead(company.uuid, rows);
    }
    const isSame = fresh.size === 0 && companies.length === this.#companies.length;
    this.#companies = companies;
    if (isSame) return this.#adsets;
    this.#compiled = new Map(
      companies.map(({ uuid }) => [uuid, fresh.get(uuid) ?? this.#compiled.get(uuid)!]),
    );
    this.#adsets = [...this.#compiled.values()].flatMap(({ adsets }) => adsets);
    return this.#adsets;
  }

  /** Compiles stored rows instead of reading them. Companies without stored rows are read by the next {@link read}. */
  async restore(
    companies: readonly Company[],
    rowsOf: ReadonlyMap<string, readonly AdsetRow[]>,
  ): Promise<readonly CompiledAdset[]> {
    for (const { uuid, version } of companies) {
      const rows = rowsOf.get(uuid);
      if (rows) this.#compiled.set(uuid, { version, adsets: await runYielding(this.#compilation(rows)) });
    }
    this.#companies = companies.filter(({ uuid }) => this.#compiled.has(uuid));
    this.#adsets = [...this.#compiled.values()].flatMap(({ adsets }) => adsets);
    return this.#adsets;
  }

  /** Yields the rows of each company, and prefetches the next group meanwhile. */
  async *#rowsOf(companies: readonly Company[]): AsyncGenerator<[Company, readonly AdsetRow[]]> {
    const load = (group: readonly Company[]) => {
      const ids = group.map(({ uuid }) => uuid);
      const loading = loadAdsets(this.#db, ids);
      // Avoids an unhandled rejection when the consumer stops before it awaits the prefetched group.
      loading.catch(() => {});
      return loading;
    };
    const groups = Array.from({ length: Math.ceil(companies.length / COMPANIES_AT_ONCE) }, (_, index) =>
      companies.slice(index * COMPANIES_AT_ONCE, (index + 1) * COMPANIES_AT_ONCE),
    );
    let loading = groups[0] && load(groups[0]);
    for (const [index, group] of groups.entries()) {
      const rows = await loading!;
      const following = groups[index + 1];
      loading = following && load(following);
      for (const company of group) yield [company, rows.get(company.uuid) ?? []];
    }
  }

  *#compilation(rows: readonly AdsetRow[]): Generator<undefined, CompiledAdset[]> {
    const adsets: CompiledAdset[] = [];
    for (const row of rows) {
      try {
        const adset = compileAdset(row, this.#shaped);
        adsets.push(adset);
        if (!adset.isSecure) this.#faults.report('insecure_address', adset);
      } catch (error) {
        this.#faults.report('settings', row, error);
      }
      yield;
    }
    return adsets;
  }
}
