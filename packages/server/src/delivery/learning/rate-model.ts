/** Where an impression is shown, and whose: what its promise depends on. */
export interface Circumstances {
  adsetId: string;
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

/** What an ad set alone has shown. */
interface AdsetCells {
  own: Cell;
  /** By format, country and bundle. */
  places: Map<string, Cell>;
  /** No less than the lift of any of its places. */
  liftMax: number;
}

/** What is promised to ad sets that show one format in one place. */
export interface Outlook {
  /** The chance that one trial succeeds, 0 to 1. */
  rateOf(adsetId: string): number;
  /** No less than {@link rateOf}, anywhere: for telling cheaply who cannot win. */
  rateAtMost(adsetId: string): number;
}

/** Chances that are believed before anything is known, and how many trials that belief is worth. */
export interface Belief {
  rate: number;
  trials: number;
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
/** What has faded below this is forgotten. */
const FORGOTTEN = 0.01;

const fresh = (): Cell => ({ expected: 0, came: 0 });

/**
 * How often a trial succeeds (an impression is clicked, a click installs), learned while it is used: the rate of the format,
 * times the lifts of the ad set, of the publisher's app, of the country, and of the ad set with that format in that app and
 * country. Each lift is what came over what the factors before it let expect, drawn towards 1 by a Gamma prior, so that what
 * is seen seldom says little and its parent speaks for it (the Gamma–Poisson shrinker: W. DuMouchel, "Bayesian Data Mining in
 * Large Frequency Tables", The American Statistician 53, 1999).
 */
export class RateModel {
  readonly #belief: Belief;
  readonly #formats = new Map<string, Cell>();
  readonly #bundles = new Map<string, Cell>();
  readonly #countries = new Map<string, Cell>();
  readonly #adsets = new Map<string, AdsetCells>();

  constructor(belief: Belief) {
    this.#belief = belief;
  }

  /** What is promised to all ad sets that show one format in one place. */
  outlook(place: Omit<Circumstances, 'adsetId'>): Outlook {
    const { format, bundle, country } = place;
    const common =
      this.#formatRate(format) *
      lift(this.#bundles.get(bundle), WEIGHTS.bundle) *
      lift(this.#countries.get(country), WEIGHTS.country);
    const adsets = this.#adsets;
    const placeKey = placeKeyOf(place);
    return {
      rateOf(adsetId) {
        const cells = adsets.get(adsetId);
        if (!cells) return Math.min(1, common);
        const place = cells.places.get(placeKey);
        return Math.min(1, common * lift(cells.own, WEIGHTS.adset) * lift(place, WEIGHTS.place));
      },
      rateAtMost(adsetId) {
        const cells = adsets.get(adsetId);
        return cells ? common * lift(cells.own, WEIGHTS.adset) * cells.liftMax : common;
      },
    };
  }

  /** So many trials took place; whether they succeed is told by {@link succeed}. */
  attempt(circumstances: Circumstances, trials = 1): void {
    const { adsetId, format, bundle, country } = circumstances;
    cellOf(this.#formats, format).expected += trials;
    let expected = trials * this.#formatRate(format);
    const cells = this.#cellsOf(adsetId);
    cells.own.expected += expected;
    expected *= lift(cells.own, WEIGHTS.adset);
    const bundleCell = cellOf(this.#bundles, bundle);
    bundleCell.expected += expected;
    expected *= lift(bundleCell, WEIGHTS.bundle);
    const countryCell = cellOf(this.#countries, country);
    countryCell.expected += expected;
    expected *= lift(countryCell, WEIGHTS.country);
    cellOf(cells.places, placeKeyOf(circumstances)).expected += expected;
    if (cells.places.size > PLACES_MAX) forgetLightest(cells.places);
  }

  /** So many trials succeeded. */
  succeed(circumstances: Circumstances, times = 1): void {
    const { adsetId, format, bundle, country } = circumstances;
    const cells = this.#cellsOf(adsetId);
    const place = cellOf(cells.places, placeKeyOf(circumstances));
    for (const cell of [
      cellOf(this.#formats, format),
      cells.own,
      cellOf(this.#bundles, bundle),
      cellOf(this.#countries, country),
      place,
    ])
      cell.came += times;
    cells.liftMax = Math.max(cells.liftMax, lift(place, WEIGHTS.place));
  }

  /** Lets what is past weigh less: everything is multiplied by `share`, and what no longer matters is forgotten. */
  fade(share: number): void {
    for (const cells of [this.#formats, this.#bundles, this.#countries]) fadeCells(cells, share);
    for (const [adsetId, cells] of this.#adsets) {
      fadeCells(cells.places, share);
      fadeCell(cells.own, share);
      cells.liftMax = 1;
      for (const place of cells.places.values())
        cells.liftMax = Math.max(cells.liftMax, lift(place, WEIGHTS.place));
      if (cells.places.size === 0 && isForgotten(cells.own)) this.#adsets.delete(adsetId);
    }
  }

  #formatRate(format: string): number {
    const { expected, came } = this.#formats.get(format) ?? fresh();
    const { rate, trials } = this.#belief;
    return (came + rate * trials) / (expected + trials);
  }

  #cellsOf(adsetId: string): AdsetCells {
    let cells = this.#adsets.get(adsetId);
    if (!cells) this.#adsets.set(adsetId, (cells = { own: fresh(), places: new Map(), liftMax: 1 }));
    return cells;
  }
}

function placeKeyOf({ format, country, bundle }: Omit<Circumstances, 'adsetId'>): string {
  return `${format} ${country} ${bundle}`;
}

function lift(cell: Cell | undefined, weight: number): number {
  if (!cell) return 1;
  return Math.min(LIFT_MAX, Math.max(LIFT_MIN, (cell.came + weight) / (cell.expected + weight)));
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

/** A tenth at a time, so that it is seldom done. */
function forgetLightest(cells: Map<string, Cell>): void {
  const lightest = [...cells].sort((a, b) => a[1].expected + a[1].came - b[1].expected - b[1].came);
  for (const [key] of lightest.slice(0, PLACES_MAX / 10)) cells.delete(key);
}
