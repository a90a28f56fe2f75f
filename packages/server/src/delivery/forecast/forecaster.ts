import { setTimeout as pause } from 'node:timers/promises';
import { insightApiMessages } from '@bidwell/contract/insight/api-messages';
import type { Logger } from 'pino';
import type { ClickHouse } from '../../platform/clickhouse/client.ts';
import type { Step } from '../../platform/startup.ts';
import { coalesce } from '../../platform/concurrency/coalesce.ts';
import { inTime } from '../../platform/concurrency/time-limits.ts';
import { Unavailable } from '../../platform/errors.ts';
import { repeat } from '../../platform/jobs/repeat.ts';
import { runYielding } from '../../platform/concurrency/yielding.ts';
import {
  LIST_STATES,
  type StoredRequest,
  lookedUpAudiences,
  sampleBetween,
} from '../funnel/request-sample.ts';
import type { InstallPrices } from '../learning/install-price.ts';
import type { Learning } from '../learning/learning.ts';
import type { ValueLearner } from '../learning/value-learner.ts';
import type { AdsetRow, CompiledAdset } from '../model/candidate.ts';
import { readSampled } from '../openrtb/read/read-sampled.ts';
import { compileAdset } from '../snapshot/compile.ts';
import { formatResolver } from '../snapshot/creative-format.ts';
import type { SnapshotService } from '../snapshot/service.ts';
import { ceilingCpmMicrosOf } from '../auction/price.ts';
import { SampleColumns, type SampledMemberships } from './columns.ts';
import { citiesIn, citiesOf } from './cities-seen.ts';
import { type SpendLimits, marginFactor } from './day.ts';
import { type ForecastResult, type TooLittle, forecast, windowOf, type ForecastInput } from './forecast.ts';
import { pricesSince } from './price-recorder.ts';
import { type WinCurves, winCurvesOf } from './win-curves.ts';
import type { Place } from './replay.ts';

/** Dependencies of {@link createForecaster}. */
export interface ForecasterDeps {
  clickhouse: ClickHouse;
  /** Done once the tables exist. */
  clickhouseReady: Step;
  log: Logger;
  now: () => Date;
  snapshot: Pick<SnapshotService, 'current' | 'ssp' | 'rates'>;
  tcfVendorId: number | null;
  secure: boolean;
  learning: Learning;
  installPrices: Pick<InstallPrices, 'lastPriceOf'>;
  /** Learns the value of installs; null in a process that does not. */
  goals: Pick<ValueLearner, 'known'> | null;
}

/** Inputs of a forecast besides the ad set. */
export interface ForecastQuestion {
  limits: SpendLimits;
  /** Share of the requests that reach a running ad set of the company for which it has money and is not paced away. */
  activeShareOf: (adsetId: string) => number;
  /** Whether the curve over the bid is requested. */
  withCurve: boolean;
}

/** A forecast with its input. */
export interface Forecasted {
  result: ForecastResult | TooLittle;
  /** Requests of the sample, and bids of the last week from which win rates are known. */
  sampled: number;
  bids: number;
  /** The value of an install, for an ad set with a goal of value; null for others. */
  value: ForecastValue | null;
}

/** The value of an install to an ad set with a goal of value, on which its forecast is based. */
export interface ForecastValue {
  /** The average cost that an install may have, with the company's margin, micros. */
  installMicros: number;
  /** Expected people with the event per install; expected revenue of an install in micros. */
  perInstall: number;
  /** People by whom it was learned; 0 where it is assumed. */
  people: number;
  /** Relative standard error of the average value of an install by these people; null without any. */
  error: number | null;
}

/** Forecasts ad sets from the request sample of the last week, which it holds in memory. */
export interface Forecaster {
  /** Whether the sample in memory is large enough for forecasts. */
  isReady(): boolean;
  /** Whether the sample is read for the first time: until then it may lack most requests. */
  isLoading(): boolean;
  /** Forecasts a day of an ad set that need not run or exist. */
  forecastOf(adset: AdsetRow, question: ForecastQuestion): Promise<Forecasted>;
  /** The cities that most requests of the sample name, in the countries or in all, as targets write them. */
  citiesSeen(countries: readonly string[] | undefined): string[];
  close(): Promise<void>;
}

/** Requests in memory: one week, about 18 MB. */
const REQUESTS_MAX = 200_000;
const WEEK_MS = 7 * 86_400_000;
const DAY_MS = 86_400_000;
const REFRESH_MS = 30_000;
/** Bidders store their requests after at most this time; newer ones are read later. */
const STORED_AFTER_MS = 15_000;
const PRICES_CACHE_MS = 300_000;
/** With fewer sampled requests, or bids with an outcome, they are cached for seconds, so that new ones count soon. */
const FEW = 2000;
const FEW_CACHE_MS = 2000;
/** Requests that are read at once, and the pause after them, so that a start does not take a whole core. */
const PAGE = 1000;
const PAGE_PAUSE_MS = 200;
/** Different audiences of bidders that are held; people of further ones are not known to be in any. */
const LOOKED_UP_MAX = 500;
/** How long a forecast waits for the sample to be read, and for the model of its goal. */
const LOAD_WAIT_MS = 5000;
/** Longest run between bid requests. */
const SLICE_MS = 2;
/** Running ad sets of the company against which a forecast is replayed. */
const RIVALS_MAX = 20;
/** Weight of the assumption that almost all wins are shown, in wins. */
const SHOWN_PRIOR = { wins: 50, share: 0.95 };

/** Starts to hold the sample: it is read in the background, and new requests every half minute. */
export function createForecaster(deps: ForecasterDeps): Forecaster {
  const sample = new HeldSample(deps);
  const market = createMarket(deps);
  const refresh = coalesce(() => sample.refresh());
  const job = repeat(REFRESH_MS, 'read the request sample', deps.log, refresh, [deps.clickhouseReady]);
  return {
    isLoading: () => !sample.isRead,
    isReady: () => 'days' in windowOf(sample.columns, deps.now().getTime()),
    async forecastOf(row, question) {
      if (sample.isDue())
        await Promise.race([
          refresh().catch((err: unknown) => deps.log.error({ err }, 'the request sample could not be read')),
          pause(LOAD_WAIT_MS, undefined, { ref: false }),
        ]);
      const { wins, shownShareOf } = await market();
      const adset = compileAdset(row, formatResolver());
      await goalKnown(deps, adset);
      const nowMs = deps.now().getTime();
      const rivals = deps.snapshot
        .current()
        .candidates.filter(
          (one) =>
            one.companyId === row.companyId && one.adsetId !== row.adsetId && one.app.os === row.app.os,
        )
        .slice(0, RIVALS_MAX)
        .map((rival) => ({ adset: rival, activeShare: question.activeShareOf(rival.adsetId) }));
      const work = forecast(sample.columns, {
        ...question,
        ...learnedRates(deps.learning, adset, deps.installPrices),
        nowMs,
        adset,
        rivals,
        wins,
        shownShareOf,
      });
      const result = await runYielding(work, SLICE_MS);
      const value = valueOf(adset, deps.learning);
      return { result, sampled: sample.columns.size, bids: wins.bids, value };
    },
    citiesSeen: (countries) => citiesOf(sample.cities(), countries),
    async close() {
      sample.stop();
      await job.stop();
    },
  };
}

/** The sample of the last week as columns, with the requests that were stored since the last refresh. */
class HeldSample {
  readonly #deps: ForecasterDeps;
  columns: SampleColumns;
  #cities: { readAtMs: number; names: readonly string[] } = { readAtMs: Number.NaN, names: [] };
  /** Audiences that bidders had, by their hashes in the sample; and the ids of all of these, each once. */
  readonly #lookedUp = new Map<string, ReadonlySet<string>>();
  readonly #audiences = new Map<string, string>();
  #newestMs = -Infinity;
  #readAtMs = -Infinity;
  #startedAtMs = -Infinity;
  #isStopped = false;

  constructor(deps: ForecasterDeps) {
    this.#deps = deps;
    this.columns = new SampleColumns(REQUESTS_MAX, deps.secure);
  }

  /** The cities that the sample names. Counted at most once in half a minute, since it takes milliseconds. */
  cities(): readonly string[] {
    const { readAtMs, names } = this.#cities;
    if (readAtMs === this.#readAtMs) return names;
    this.#cities = { readAtMs: this.#readAtMs, names: citiesIn(this.columns) };
    return this.#cities.names;
  }

  /** Whether it should be read before it is used. */
  isDue(): boolean {
    const ageMs = performance.now() - this.#readAtMs;
    return ageMs > (this.columns.size < FEW ? FEW_CACHE_MS : 2 * REFRESH_MS);
  }

  /** Whether it was read to its end once. */
  get isRead(): boolean {
    return this.#readAtMs !== -Infinity;
  }

  stop(): void {
    this.#isStopped = true;
  }

  /** Reads the requests that were stored since the last refresh; at first the whole week, the newest first. */
  async refresh(): Promise<void> {
    const nowMs = this.#deps.now().getTime();
    if (this.columns.isFull && nowMs - this.#startedAtMs > DAY_MS) this.#beginAnew();
    if (this.#newestMs === -Infinity) this.#startedAtMs = nowMs;
    this.columns.evict(nowMs - WEEK_MS);
    const untilMs = nowMs - STORED_AFTER_MS;
    const fromMs = Math.max(this.#newestMs + 1, nowMs - WEEK_MS);
    let beforeMs = untilMs;
    let read = 0;
    while (!this.#isStopped && read < REQUESTS_MAX) {
      const rows = await sampleBetween(this.#deps.clickhouse, { fromMs, beforeMs, limit: PAGE });
      await this.#readLookedUp(rows);
      await runYielding(this.#added(rows), SLICE_MS);
      this.#newestMs = Math.max(this.#newestMs, rows[0]?.atMs ?? -Infinity);
      read += rows.length;
      if (rows.length < PAGE) break;
      beforeMs = rows.at(-1)!.atMs;
      await pause(PAGE_PAUSE_MS, undefined, { ref: false });
    }
    this.#readAtMs = performance.now();
  }

  *#added(rows: readonly StoredRequest[]): Generator<undefined, void> {
    for (const stored of rows) {
      const request = readSampled(stored, this.#deps);
      const { atMs, weight } = stored;
      if (request)
        this.columns.add({ request, atMs, weight, by: stored, memberships: this.#membershipsOf(stored) });
      yield;
    }
  }

  /** Reads which audiences the bidders had of which these requests are. */
  async #readLookedUp(rows: readonly StoredRequest[]): Promise<void> {
    const hashes = new Set<string>();
    for (const { listState, lookedUp } of rows)
      if (listState !== LIST_STATES.unknown && !this.#lookedUp.has(lookedUp)) hashes.add(lookedUp);
    if (hashes.size === 0) return;
    for (const [hash, audiences] of await lookedUpAudiences(this.#deps.clickhouse, [...hashes])) {
      if (this.#lookedUp.size >= LOOKED_UP_MAX) return;
      // The same audiences are in most of them.
      this.#lookedUp.set(hash, new Set(audiences.map((uuid) => this.#audience(uuid))));
    }
  }

  #audience(uuid: string): string {
    const known = this.#audiences.get(uuid);
    if (known === undefined) this.#audiences.set(uuid, uuid);
    return known ?? uuid;
  }

  #membershipsOf({ listState, lookedUp, audiences }: StoredRequest): SampledMemberships | undefined {
    const loaded = this.#lookedUp.get(lookedUp);
    if (listState === LIST_STATES.unknown || !loaded) return undefined;
    return { name: lookedUp, loaded, audiences: listState === LIST_STATES.none ? null : audiences };
  }

  #beginAnew(): void {
    this.columns = new SampleColumns(REQUESTS_MAX, this.#deps.secure);
    this.#lookedUp.clear();
    this.#audiences.clear();
    this.#newestMs = -Infinity;
  }
}

interface KnownMarket {
  wins: WinCurves;
  shownShareOf: (exchange: string) => number;
}

/** Creates a function that returns win curves and the share of wins that are shown, cached for minutes. */
function createMarket({ clickhouse, now }: ForecasterDeps): () => Promise<KnownMarket> {
  let cached: { market: Promise<KnownMarket>; untilMs: number } | null = null;
  return async () => {
    if (!cached || performance.now() >= cached.untilMs) {
      const reading = {
        market: readMarket(clickhouse, now().getTime()),
        untilMs: performance.now() + PRICES_CACHE_MS,
      };
      cached = reading;
      reading.market.then(
        ({ wins }) => {
          if (wins.bids < FEW) reading.untilMs = performance.now() + FEW_CACHE_MS;
        },
        () => (cached = null),
      );
    }
    return cached.market;
  };
}

async function readMarket(clickhouse: ClickHouse, nowMs: number): Promise<KnownMarket> {
  const prices = await pricesSince(clickhouse, nowMs - WEEK_MS);
  const shown = new Map<string, { won: number; impressions: number }>();
  for (const { exchange, won, impressions } of prices) {
    const sums = shown.get(exchange) ?? { won: 0, impressions: 0 };
    shown.set(exchange, { won: sums.won + won, impressions: sums.impressions + impressions });
  }
  return {
    wins: await runYielding(winCurvesOf(prices), SLICE_MS),
    shownShareOf(exchange) {
      const { won, impressions } = shown.get(exchange) ?? { won: 0, impressions: 0 };
      const { wins, share } = SHOWN_PRIOR;
      return Math.min(1, (impressions + wins * share) / (won + wins));
    },
  };
}

function valueOf(adset: CompiledAdset, { values }: Pick<Learning, 'values'>): ForecastValue | null {
  const micros = values.meanMicros(adset);
  const learned = adset.goal && values.learnedOf(adset.goal.key);
  if (!adset.goal || micros === null) return null;
  return {
    installMicros: micros * marginFactor(adset.marginBasisPoints),
    perInstall: micros / adset.goal.price,
    people: learned?.people ?? 0,
    error: learned?.error ?? null,
  };
}

/** Waits until the value of installs to an ad set with a goal of value is known. Throws Unavailable if that takes too long. */
async function goalKnown({ goals }: Pick<ForecasterDeps, 'goals'>, adset: CompiledAdset): Promise<void> {
  if (goals) await inTime(goals.known(adset), LOAD_WAIT_MS, insightApiMessages.goalBeingRead, Unavailable);
}

type LearnedRates = Pick<
  ForecastInput,
  | 'installRateOf'
  | 'rateEvidence'
  | 'installMicrosOf'
  | 'meanInstallMicros'
  | 'valueError'
  | 'rivalValueOf'
  | 'shade'
  | 'firstInstallMicrosOf'
>;

/** The learned figures that a forecast uses: rates and values of installs, their errors, prices, and bid shading. */
export function learnedRates(
  learning: Learning,
  adset: CompiledAdset,
  installPrices: Pick<InstallPrices, 'lastPriceOf'>,
): LearnedRates {
  const { values } = learning;
  const firstInstallMicrosOf = (cpmMicros: number): number => learning.expectedInstallMicros(cpmMicros);
  return {
    installRateOf: (of, placement) => learning.predict(placement).rateOf(of),
    rateEvidence: learning.evidenceOf(adset),
    installMicrosOf: (of, { bundle, country }) => values.micros(of, bundle, country) ?? 1,
    meanInstallMicros: values.meanMicros(adset),
    valueError: adset.goal ? (values.learnedOf(adset.goal.key)?.valueError ?? null) : null,
    rivalValueOf(rival, installRate, place) {
      const ceiling = ceilingCpmMicrosOf(rival, place.bundle, place.country);
      const price = installPriceOf(rival, place);
      return price === null ? ceiling : Math.min(ceiling, Math.floor(installRate * price * 1000));
    },
    shade: (market, floorCpmMicros, valueCpmMicros) =>
      learning.wins.shadedCpmMicros({ ...market, floorCpmMicros }, valueCpmMicros, () => 1),
    firstInstallMicrosOf,
  };

  /** Value of an install to a running ad set, micros; null when only its CPM counts. */
  function installPriceOf(rival: CompiledAdset, { bundle, country }: Place) {
    const { algorithm, adsetId, cpmMicros, dailyBudgetMicros } = rival;
    const targetMicros = values.micros(rival, bundle, country);
    if (targetMicros) return targetMicros * learning.costs.factorOf(adsetId);
    if (algorithm !== 'Max installs' || dailyBudgetMicros === null) return null;
    return installPrices.lastPriceOf(adsetId, firstInstallMicrosOf(cpmMicros));
  }
}
