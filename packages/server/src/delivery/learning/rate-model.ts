import type { AdsetOf, Outlook } from '../model/valuation.ts';

/** Where an impression is shown, and whose: what its promise depends on. */
export interface Circumstances extends AdsetOf {
  /** See {@link formatOf}. */
  format: string;
  /** The publisher's app. */
  bundle: string;
  country: string;
}

/** How often something was expected and how often it came. */
interface Cell {
  expected: number;
  came: number;
}

/** What a company's ad sets together have shown. */
interface CompanyCells {
  cells: Record<Level, Map<string, Cell>>;
  /** The outlook that `common` was computed for last. */
  outlook: object | null;
  common: number;
}

/** What an ad set alone has shown. */
interface AdsetCells {
  company: CompanyCells;
  own: Cell;
  /** By format, country and bundle. */
  places: Map<string, Cell>;
  /** No less than the lift of any of its places. */
  liftMax: number;
}

/** Chances that are believed before anything is known, and how many trials that belief is worth. */
export interface Belief {
  rate: number;
  trials: number;
}

/** What all ad sets of a company share, and companies a little of. */
const LEVELS = ['format', 'bundle', 'country'] as const;
type Level = (typeof LEVELS)[number];

/**
 * How much of what one company has shown another one believes. Of each of the three levels a company counts as `weight` times
 * the prior at most, and its lift as `liftMax` at most: it moves another company's rate by (1 + weight × liftMax)³ at most,
 * however much it claims.
 */
export interface Sharing {
  weight: number;
  liftMax: number;
}

/** Sums over companies: what each of them weighs, and that times its lift. */
interface Pool {
  weight: number;
  lift: number;
}

/**
 * How many events a lift must have been expected to bring before it counts as much as its parent. Small for what is shared
 * by many ad sets, greater for a single ad set in a single place, where chance rules.
 */
const WEIGHTS = { adset: 4, bundle: 8, country: 10, place: 15 } as const;
/** Beyond these a lift is chance, or a fraud. */
const LIFT_MIN = 0.05;
const LIFT_MAX = 20;
/** Places kept of one ad set: those that weigh least are forgotten first. */
const PLACES_MAX = 5000;
/** Publishers' apps that are remembered of one company. */
const BUNDLES_MAX = 20_000;
/** What has faded below this is forgotten. */
const FORGOTTEN = 0.01;

const fresh = (): Cell => ({ expected: 0, came: 0 });

/**
 * How often a trial succeeds (an impression is clicked, a click installs), learned while it is used: the rate of the format,
 * times the lifts of the ad set, of the publisher's app, of the country, and of the ad set with that format in that app and
 * country. Each lift is what came over what the factors before it let expect, drawn towards its prior by a Gamma prior, so
 * that what is seen seldom says little and its parent speaks for it (the Gamma–Poisson shrinker: W. DuMouchel, "Bayesian Data
 * Mining in Large Frequency Tables", The American Statistician 53, 1999). Each company learns for itself; what others have
 * shown of a format, an app and a country is its prior, within {@link Sharing}, so that no company can push another's bids.
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

  /** What is promised to all ad sets that show one format in one place. */
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

  /** So many trials took place; whether they succeed is told by {@link succeed}. */
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

  /** So many trials succeeded; a negative number takes successes back. */
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

  /** Lets what is past weigh less: everything is multiplied by `share`, and what no longer matters is forgotten. */
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

  /** The rate of all ad sets of a company in a place; computed once an outlook for each company. */
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

  /** A company's lift of one level, its prior what the other companies have shown. */
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
    // The format's is no lift on something that was learned, but the rate itself.
    return level === 'format' ? value : Math.min(LIFT_MAX, Math.max(LIFT_MIN, value));
  }

  /** How much one company's cell weighs among the others'. */
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

  /** Takes what a cell shared out of the pool: the cell is forgotten. */
  #withdraw(level: Level, key: string, cell: Cell): void {
    const pool = poolOf(this.#pools[level], key);
    const weight = this.#shareOf(level, cell);
    pool.weight -= weight;
    pool.lift -= weight * this.#sharedLift(cell);
  }

  /** Sums what companies share anew: what they had was faded or forgotten. */
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

/** Forgets a tenth at a time, so that it is seldom done; answers what was forgotten. */
function forgetLightest(cells: Map<string, Cell>): [string, Cell][] {
  const forgotten = [...cells]
    .sort((a, b) => a[1].expected + a[1].came - b[1].expected - b[1].came)
    .slice(0, Math.ceil(cells.size / 10));
  for (const [key] of forgotten) cells.delete(key);
  return forgotten;
}
