import type { AdsetOf, Prediction } from '../model/valuation.ts';

/** Features of an impression by which rates are learned. */
export interface Features extends AdsetOf {
  /** See {@link formatOf}. */
  format: string;
  /** Publisher's app. */
  bundle: string;
  country: string;
}

/** Expected and observed number of successes. */
interface Cell {
  expected: number;
  observed: number;
}

/** Counts of all ad sets of a company. */
interface CompanyCells {
  cells: Record<Level, Map<string, Cell>>;
  /** The prediction for which `common` was last computed; null when it is stale. */
  prediction: object | null;
  common: number;
}

/** Counts of an ad set. */
interface AdsetCells {
  company: CompanyCells;
  own: Cell;
  /** By format, country and bundle; see {@link placementKeyOf}. */
  placements: Map<string, Cell>;
  /** Upper bound of the lifts in `placements`. */
  liftMax: number;
}

/** Prior of a success rate, and its weight in trials. */
export interface Prior {
  rate: number;
  trials: number;
}

/** Levels of the model that all ad sets of a company share and that are pooled across companies. */
const LEVELS = ['format', 'bundle', 'country'] as const;
type Level = (typeof LEVELS)[number];

/**
 * Bounds on how much one company's counts influence another's predictions. On each of the three levels a company weighs
 * at most `weight` times the prior and its lift counts as at most `liftMax`. With any report, it raises another
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
 * `placement`, the combination with the least data.
 */
const WEIGHTS = { adset: 4, bundle: 8, country: 10, placement: 15 } as const;
/** Bounds of a lift; values beyond are chance or fraud. */
const LIFT_MIN = 0.05;
const LIFT_MAX = 20;
/** Maximum entries in an ad set's `placements`; the entries with the lowest counts are evicted first. */
const PLACEMENTS_MAX = 5000;
/** Maximum publishers' apps of one company. */
const BUNDLES_MAX = 20_000;
/** Cells that have decayed below this are deleted. */
const NEGLIGIBLE = 0.01;

const fresh = (): Cell => ({ expected: 0, observed: 0 });

/**
 * Online model of a success rate (clicks per impression, installs per click): the rate of the format times the lifts of
 * the ad set, of the publisher's app, of the country, and of the ad set with that format in that app and country. Each
 * lift is the ratio of observed successes to those expected from the preceding factors, shrunk towards its prior by a
 * Gamma prior, so that rare combinations fall back to their parent (the Gamma–Poisson shrinker: W. DuMouchel, "Bayesian
 * Data Mining in Large Frequency Tables", The American Statistician 53, 1999). Each company has its own counts. The
 * counts of other companies for a format, an app and a country form its prior, bounded by {@link Sharing}, so that no
 * company can manipulate another's bids.
 */
export class RateModel {
  readonly #prior: Prior;
  readonly #sharing: Sharing;
  readonly #weights: Record<Level, number>;
  readonly #companies = new Map<string, CompanyCells>();
  readonly #pools: Record<Level, Map<string, Pool>> = {
    format: new Map(),
    bundle: new Map(),
    country: new Map(),
  };
  readonly #adsets = new Map<string, AdsetCells>();

  constructor(prior: Prior, sharing: Sharing) {
    this.#prior = prior;
    this.#sharing = sharing;
    this.#weights = { format: prior.rate * prior.trials, bundle: WEIGHTS.bundle, country: WEIGHTS.country };
  }

  /** Predicts the success rates of ad sets for one format, publisher's app and country. */
  predict(placement: Omit<Features, keyof AdsetOf>): Prediction {
    const placementKey = placementKeyOf(placement);
    const prediction: Prediction = {
      rateOf: ({ adsetId, companyId }) => {
        const cells = this.#adsets.get(adsetId);
        const common = this.#common(cells?.company ?? this.#companies.get(companyId), placement, prediction);
        if (!cells) return Math.min(1, common);
        const own =
          lift(cells.own, WEIGHTS.adset) * lift(cells.placements.get(placementKey), WEIGHTS.placement);
        return Math.min(1, common * own);
      },
      rateAtMost: ({ adsetId, companyId }) => {
        const cells = this.#adsets.get(adsetId);
        const common = this.#common(cells?.company ?? this.#companies.get(companyId), placement, prediction);
        return cells ? common * lift(cells.own, WEIGHTS.adset) * cells.liftMax : common;
      },
    };
    return prediction;
  }

  /**
   * The evidence for the rates of an ad set: the shapes of the gamma distributions around its own lift and around the rate
   * of its company. A shape is the number of observed successes and the weight of the prior.
   */
  evidenceOf({ adsetId, companyId }: AdsetOf): { adset: number; company: number } {
    const cells = this.#adsets.get(adsetId);
    const company = cells?.company ?? this.#companies.get(companyId);
    let successes = 0;
    for (const { observed } of company?.cells.format.values() ?? []) successes += observed;
    return {
      adset: WEIGHTS.adset + (cells?.own.observed ?? 0),
      company: this.#weights.format + successes,
    };
  }

  /**
   * Adds trials and successes; a negative number of successes revokes earlier ones. The trials are expected to succeed at
   * the rates learned so far, these successes included. Earlier successes may belong to later trials and the reverse, so
   * the sums may come in any parts; the rates depend little on the parts, as long as each is small compared with the
   * known counts.
   */
  add(features: Features, trials: number, successes: number): void {
    const { format, bundle, country } = features;
    const cells = this.#cellsOf(features);
    const { company, own } = cells;
    const placement = cellOf(cells.placements, placementKeyOf(features));
    let expected = trials * this.#prior.rate;
    expected *= this.#add(company, 'format', format, expected, successes);
    own.expected += expected;
    own.observed = Math.max(0, own.observed + successes);
    expected *= lift(own, WEIGHTS.adset);
    expected *= this.#add(company, 'bundle', bundle, expected, successes);
    expected *= this.#add(company, 'country', country, expected, successes);
    placement.expected += expected;
    placement.observed = Math.max(0, placement.observed + successes);
    if (successes > 0) cells.liftMax = Math.max(cells.liftMax, lift(placement, WEIGHTS.placement));
    if (cells.placements.size > PLACEMENTS_MAX) evictLightest(cells.placements);
    if (company.cells.bundle.size > BUNDLES_MAX)
      for (const [key, cell] of evictLightest(company.cells.bundle)) this.#withdraw('bundle', key, cell);
  }

  /** Decays all counts: multiplies them by `share` and deletes negligible ones. */
  decay(share: number): void {
    for (const { cells } of this.#companies.values())
      for (const level of LEVELS) decayCells(cells[level], share);
    this.#pool();
    const live = new Set<CompanyCells>();
    for (const [adsetId, cells] of this.#adsets) {
      decayCells(cells.placements, share);
      decayCell(cells.own, share);
      cells.liftMax = 1;
      for (const placement of cells.placements.values())
        cells.liftMax = Math.max(cells.liftMax, lift(placement, WEIGHTS.placement));
      if (cells.placements.size === 0 && isNegligible(cells.own)) this.#adsets.delete(adsetId);
      else live.add(cells.company);
    }
    for (const [companyId, company] of this.#companies)
      if (!live.has(company) && company.cells.format.size === 0) this.#companies.delete(companyId);
  }

  /** The part of the rate that all ad sets of a company share; computed once per prediction and company. */
  #common(
    company: CompanyCells | undefined,
    { format, bundle, country }: Omit<Features, keyof AdsetOf>,
    prediction: object,
  ): number {
    if (company?.prediction === prediction) return company.common;
    const common =
      this.#prior.rate *
      this.#lift(company, 'format', format) *
      this.#lift(company, 'bundle', bundle) *
      this.#lift(company, 'country', country);
    if (company) {
      company.prediction = prediction;
      company.common = common;
    }
    return common;
  }

  /** Lift of one level for a company; the pooled counts of the other companies are its prior. */
  #lift(company: CompanyCells | undefined, level: Level, key: string): number {
    const own = company?.cells[level].get(key);
    const pool = this.#pools[level].get(key);
    const ownWeight = own ? this.#shareOf(level, own) : 0;
    const ownLift = own ? ownWeight * this.#sharedLift(own) : 0;
    return this.#liftOf(level, own, pool, ownWeight, ownLift);
  }

  /** The lift of a cell; `ownWeight` and `ownLift` are its parts of the pool. */
  #liftOf(
    level: Level,
    own: Cell | undefined,
    pool: Pool | undefined,
    ownWeight: number,
    ownLift: number,
  ): number {
    const prior = this.#weights[level];
    let priorLift = 1;
    if (pool)
      priorLift = (prior + Math.max(0, pool.lift - ownLift)) / (prior + Math.max(0, pool.weight - ownWeight));
    if (!own) return priorLift;
    const value = (own.observed + prior * priorLift) / (own.expected + prior);
    // On the format level the value is relative to the fixed prior rate, so the bounds of a lift do not apply.
    return level === 'format' ? value : Math.min(LIFT_MAX, Math.max(LIFT_MIN, value));
  }

  /** Weight of one company's cell in the pool. */
  #shareOf(level: Level, { expected }: Cell): number {
    return Math.min(expected, this.#sharing.weight * this.#weights[level]);
  }

  #sharedLift({ expected, observed }: Cell): number {
    return expected > 0 ? Math.min(this.#sharing.liftMax, observed / expected) : 0;
  }

  /** Adds to a level, and returns its lift after that. */
  #add(company: CompanyCells, level: Level, key: string, expected: number, observed: number): number {
    const cell = cellOf(company.cells[level], key);
    const pool = poolOf(this.#pools[level], key);
    const weightBefore = this.#shareOf(level, cell);
    const liftBefore = weightBefore * this.#sharedLift(cell);
    cell.expected += expected;
    cell.observed = Math.max(0, cell.observed + observed);
    const weight = this.#shareOf(level, cell);
    const shared = weight * this.#sharedLift(cell);
    pool.weight += weight - weightBefore;
    pool.lift += shared - liftBefore;
    company.prediction = null;
    return this.#liftOf(level, cell, pool, weight, shared);
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
    for (const company of this.#companies.values()) company.prediction = null;
  }

  #cellsOf({ adsetId, companyId }: AdsetOf): AdsetCells {
    let cells = this.#adsets.get(adsetId);
    if (!cells) {
      const company = this.#companyOf(companyId);
      this.#adsets.set(adsetId, (cells = { company, own: fresh(), placements: new Map(), liftMax: 1 }));
    }
    return cells;
  }

  #companyOf(companyId: string): CompanyCells {
    let company = this.#companies.get(companyId);
    if (!company) {
      company = {
        cells: { format: new Map(), bundle: new Map(), country: new Map() },
        prediction: null,
        common: 0,
      };
      this.#companies.set(companyId, company);
    }
    return company;
  }
}

function placementKeyOf({ format, country, bundle }: Omit<Features, keyof AdsetOf>): string {
  return `${format} ${country} ${bundle}`;
}

function lift(cell: Cell | undefined, weight: number): number {
  if (!cell) return 1;
  return Math.min(LIFT_MAX, Math.max(LIFT_MIN, (cell.observed + weight) / (cell.expected + weight)));
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

function isNegligible({ expected, observed }: Cell): boolean {
  return expected < NEGLIGIBLE && observed < NEGLIGIBLE;
}

function decayCells<Key>(cells: Map<Key, Cell>, share: number): void {
  for (const [key, cell] of cells) {
    decayCell(cell, share);
    if (isNegligible(cell)) cells.delete(key);
  }
}

function decayCell(cell: Cell, share: number): void {
  cell.expected *= share;
  cell.observed *= share;
}

/** Evicts the tenth of the cells with the lowest counts, a batch at a time to limit sorting. Returns the evicted cells. */
function evictLightest(cells: Map<string, Cell>): [string, Cell][] {
  const evicted = [...cells]
    .sort((a, b) => a[1].expected + a[1].observed - b[1].expected - b[1].observed)
    .slice(0, Math.ceil(cells.size / 10));
  for (const [key] of evicted) cells.delete(key);
  return evicted;
}
