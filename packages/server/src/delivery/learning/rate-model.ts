import type { AdsetOf, Outlook } from '../model/valuation.ts';

/** Features of an impression by which rates are learned. */
export interface Circumstances extends AdsetOf {
  /** See {@link formatOf}. */
  format: string;
  /** Publisher's app. */
  bundle: string;
  country: string;
}

/** Expected and observed number of successes. */
interface Cell {
  expected: number;
  came: number;
}

/** Counts of all ad sets of a company. */
interface CompanyCells {
  cells: Record<Level, Map<string, Cell>>;
  /** The outlook for which `common` was last computed; null when it is stale. */
  outlook: object | null;
  common: number;
}

/** Counts of an ad set. */
interface AdsetCells {
  company: CompanyCells;
  own: Cell;
  /** By format, country and bundle; see {@link placeKeyOf}. */
  places: Map<string, Cell>;
  /** Upper bound of the lifts in `places`. */
  liftMax: number;
}

/** Prior of a success rate, and its weight in trials. */
export interface Belief {
  rate: number;
  trials: number;
}

/** Levels of the model that all ad sets of a company share and that are pooled across companies. */
const LEVELS = ['format', 'bundle', 'country'] as const;
type Level = (typeof LEVELS)[number];

/**
 * Bounds on how much one company's counts influence another's predictions. On each of the three levels a company weighs
 * at most `weight` times the prior and its lift counts as at most `liftMax`. Whatever it reports, it raises another
 * company's rate by a factor of at most (1 + weight × liftMax)³.
 */
export interface Sharing {
  weight: number;
  liftMax: number;
}

/** Sums over companies: their weights, and their weights times their lifts. */
interface Pool {
  weight: number;
  lift: number;
}

/**
 * Weight of the prior of a lift, in expected successes: at this number prior and observation count equally. Greatest for
 * `place`, the combination with the least data.
 */
const WEIGHTS = { adset: 4, bundle: 8, country: 10, place: 15 } as const;
/** Bounds of a lift; values beyond are chance or fraud. */
const LIFT_MIN = 0.05;
const LIFT_MAX = 20;
/** Maximum entries in an ad set's `places`; those with the lowest counts are evicted first. */
const PLACES_MAX = 5000;
/** Maximum publishers' apps of one company. */
const BUNDLES_MAX = 20_000;
/** Cells that have decayed below this are deleted. */
const FORGOTTEN = 0.01;

const fresh = (): Cell => ({ expected: 0, came: 0 });

/**
 * Online model of a success rate (clicks per impression, installs per click): the rate of the format times the lifts of
 * the ad set, of the publisher's app, of the country, and of the ad set with that format in that app and country. Each
 * lift is the ratio of observed successes to those expected from the preceding factors, shrunk towards its prior by a
 * Gamma prior, so that rare combinations fall back to their parent (the Gamma–Poisson shrinker: W. DuMouchel, "Bayesian
 * Data Mining in Large Frequency Tables", The American Statistician 53, 1999). Each company has its own counts. Those of
 * other companies for a format, an app and a country form its prior, bounded by {@link Sharing}, so that no company can
 * manipulate another's bids.
 */
export class RateModel {
  readonly #belief: Belief;
  readonly #sharing: Sharing;
  readonly #weights: Record<Level, number>;
  readonly #companies = new Map<string, CompanyCells>();
  readonly #pools: Record<Level, Map<string, Pool>> = {
    format: new Map(),
    bundle: new Map(),
    country: new Map(),
  };
  readonly #adsets = new Map<string, AdsetCells>();

  constructor(belief: Belief, sharing: Sharing) {
    this.#belief = belief;
    this.#sharing = sharing;
    this.#weights = { format: belief.rate * belief.trials, bundle: WEIGHTS.bundle, country: WEIGHTS.country };
  }

  /** Predicts the success rates of ad sets for one format, publisher's app and country. */
  outlook(place: Omit<Circumstances, keyof AdsetOf>): Outlook {
    const placeKey = placeKeyOf(place);
    const outlook: Outlook = {
      rateOf: ({ adsetId, companyId }) => {
        const cells = this.#adsets.get(adsetId);
        const common = this.#common(cells?.company ?? this.#companies.get(companyId), place, outlook);
        if (!cells) return Math.min(1, common);
        const own = lift(cells.own, WEIGHTS.adset) * lift(cells.places.get(placeKey), WEIGHTS.place);
        return Math.min(1, common * own);
      },
      rateAtMost: ({ adsetId, companyId }) => {
        const cells = this.#adsets.get(adsetId);
        const common = this.#common(cells?.company ?? this.#companies.get(companyId), place, outlook);
        return cells ? common * lift(cells.own, WEIGHTS.adset) * cells.liftMax : common;
      },
    };
    return outlook;
  }

  /** Adds trials. Their successes are added by {@link succeed}. */
  attempt(circumstances: Circumstances, trials = 1): void {
    const { format, bundle, country } = circumstances;
    const cells = this.#cellsOf(circumstances);
    const { company } = cells;
    this.#add(company, 'format', format, trials * this.#belief.rate, 0);
    let expected = trials * this.#belief.rate * this.#lift(company, 'format', format);
    cells.own.expected += expected;
    expected *= lift(cells.own, WEIGHTS.adset);
    this.#add(company, 'bundle', bundle, expected, 0);
    expected *= this.#lift(company, 'bundle', bundle);
    this.#add(company, 'country', country, expected, 0);
    expected *= this.#lift(company, 'country', country);
    cellOf(cells.places, placeKeyOf(circumstances)).expected += expected;
    if (cells.places.size > PLACES_MAX) forgetLightest(cells.places);
    if (company.cells.bundle.size > BUNDLES_MAX)
      for (const [key, cell] of forgetLightest(company.cells.bundle)) this.#withdraw('bundle', key, cell);
  }

  /** Adds successes; a negative number revokes them. */
  succeed(circumstances: Circumstances, times = 1): void {
    const { format, bundle, country } = circumstances;
    const cells = this.#cellsOf(circumstances);
    const place = cellOf(cells.places, placeKeyOf(circumstances));
    this.#add(cells.company, 'format', format, 0, times);
    this.#add(cells.company, 'bundle', bundle, 0, times);
    this.#add(cells.company, 'country', country, 0, times);
    for (const cell of [cells.own, place]) cell.came = Math.max(0, cell.came + times);
    cells.liftMax = Math.max(cells.liftMax, lift(place, WEIGHTS.place));
  }

  /** Decays all counts: multiplies them by `share` and deletes what has become negligible. */
  fade(share: number): void {
    for (const { cells } of this.#companies.values())
      for (const level of LEVELS) fadeCells(cells[level], share);
    this.#pool();
    const live = new Set<CompanyCells>();
    for (const [adsetId, cells] of this.#adsets) {
      fadeCells(cells.places, share);
      fadeCell(cells.own, share);
      cells.liftMax = 1;
      for (const place of cells.places.values())
        cells.liftMax = Math.max(cells.liftMax, lift(place, WEIGHTS.place));
      if (cells.places.size === 0 && isForgotten(cells.own)) this.#adsets.delete(adsetId);
      else live.add(cells.company);
    }
    for (const [companyId, company] of this.#companies)
      if (!live.has(company) && company.cells.format.size === 0) this.#companies.delete(companyId);
  }

  /** The part of the rate that all ad sets of a company share; computed once per outlook and company. */
  #common(
    company: CompanyCells | undefined,
    { format, bundle, country }: Omit<Circumstances, keyof AdsetOf>,
    outlook: object,
  ): number {
    if (company?.outlook === outlook) return company.common;
    const common =
      this.#belief.rate *
      this.#lift(company, 'format', format) *
      this.#lift(company, 'bundle', bundle) *
      this.#lift(company, 'country', country);
    if (company) {
      company.outlook = outlook;
      company.common = common;
    }
    return common;
  }

  /** Lift of one level for a company; the pooled counts of the other companies are its prior. */
  #lift(company: CompanyCells | undefined, level: Level, key: string): number {
    const prior = this.#weights[level];
    const own = company?.cells[level].get(key);
    const pool = this.#pools[level].get(key);
    let priorLift = 1;
    if (pool) {
      const ownWeight = own ? this.#shareOf(level, own) : 0;
      const ownLift = own ? ownWeight * this.#sharedLift(own) : 0;
      priorLift = (prior + Math.max(0, pool.lift - ownLift)) / (prior + Math.max(0, pool.weight - ownWeight));
    }
    if (!own) return priorLift;
    const value = (own.came + prior * priorLift) / (own.expected + prior);
    // On the format level the value is relative to the fixed prior rate, so the bounds of a lift do not apply.
    return level === 'format' ? value : Math.min(LIFT_MAX, Math.max(LIFT_MIN, value));
  }

  /** Weight of one company's cell in the pool. */
  #shareOf(level: Level, { expected }: Cell): number {
    return Math.min(expected, this.#sharing.weight * this.#weights[level]);
  }

  #sharedLift({ expected, came }: Cell): number {
    return expected > 0 ? Math.min(this.#sharing.liftMax, came / expected) : 0;
  }

  #add(company: CompanyCells, level: Level, key: string, expected: number, came: number): void {
    const cell = cellOf(company.cells[level], key);
    const pool = poolOf(this.#pools[level], key);
    const weightBefore = this.#shareOf(level, cell);
    const liftBefore = weightBefore * this.#sharedLift(cell);
    cell.expected += expected;
    cell.came = Math.max(0, cell.came + came);
    const weight = this.#shareOf(level, cell);
    pool.weight += weight - weightBefore;
    pool.lift += weight * this.#sharedLift(cell) - liftBefore;
    company.outlook = null;
  }

  /** Subtracts an evicted cell from the pool. */
  #withdraw(level: Level, key: string, cell: Cell): void {
    const pool = poolOf(this.#pools[level], key);
    const weight = this.#shareOf(level, cell);
    pool.weight -= weight;
    pool.lift -= weight * this.#sharedLift(cell);
  }

  /** Recomputes the pools from all cells, after decay or deletion. */
  #pool(): void {
    for (const level of LEVELS) {
      const pools = this.#pools[level];
      pools.clear();
      for (const { cells } of this.#companies.values()) {
        for (const [key, cell] of cells[level]) {
          const pool = poolOf(pools, key);
          const weight = this.#shareOf(level, cell);
          pool.weight += weight;
          pool.lift += weight * this.#sharedLift(cell);
        }
      }
    }
    for (const company of this.#companies.values()) company.outlook = null;
  }

  #cellsOf({ adsetId, companyId }: AdsetOf): AdsetCells {
    let cells = this.#adsets.get(adsetId);
    if (!cells) {
      const company = this.#companyOf(companyId);
      this.#adsets.set(adsetId, (cells = { company, own: fresh(), places: new Map(), liftMax: 1 }));
    }
    return cells;
  }

  #companyOf(companyId: string): CompanyCells {
    let company = this.#companies.get(companyId);
    if (!company) {
      company = {
        cells: { format: new Map(), bundle: new Map(), country: new Map() },
        outlook: null,
        common: 0,
      };
      this.#companies.set(companyId, company);
    }
    return company;
  }
}

function placeKeyOf({ format, country, bundle }: Omit<Circumstances, keyof AdsetOf>): string {
  return `${format} ${country} ${bundle}`;
}

function lift(cell: Cell | undefined, weight: number): number {
  if (!cell) return 1;
  return Math.min(LIFT_MAX, Math.max(LIFT_MIN, (cell.came + weight) / (cell.expected + weight)));
}

function poolOf(pools: Map<string, Pool>, key: string): Pool {
  let pool = pools.get(key);
  if (!pool) pools.set(key, (pool = { weight: 0, lift: 0 }));
  return pool;
}

function cellOf<Key>(cells: Map<Key, Cell>, key: Key): Cell {
  let cell = cells.get(key);
  if (!cell) cells.set(key, (cell = fresh()));
  return cell;
}

function isForgotten({ expected, came }: Cell): boolean {
  return expected < FORGOTTEN && came < FORGOTTEN;
}

function fadeCells<Key>(cells: Map<Key, Cell>, share: number): void {
  for (const [key, cell] of cells) {
    fadeCell(cell, share);
    if (isForgotten(cell)) cells.delete(key);
  }
}

function fadeCell(cell: Cell, share: number): void {
  cell.expected *= share;
  cell.came *= share;
}

/** Evicts the tenth of the cells with the lowest counts, a batch at a time to limit sorting. Returns the evicted cells. */
function forgetLightest(cells: Map<string, Cell>): [string, Cell][] {
  const forgotten = [...cells]
    .sort((a, b) => a[1].expected + a[1].came - b[1].expected - b[1].came)
    .slice(0, Math.ceil(cells.size / 10));
  for (const [key] of forgotten) cells.delete(key);
  return forgotten;
}
