import { relativeErrorOf } from './values/relative-error.ts';
import { curveOf, shareAt } from './values/conversion-curve.ts';
import { type GoalRecord, type Place, weightOf } from './values/goal-record.ts';
import { personRows } from './values/person-rows.ts';
import { type Lifts, type ValueCell, liftAt, liftsOf } from './values/value-lifts.ts';

export type { Conversion, GoalRecord, InstallGroup } from './values/goal-record.ts';

/** Values of an install of an ad set, with the lifts of the country and the publisher's app to be multiplied. */
export interface AdsetValues {
  /** Expected value of an install, all lifts but those of country and app included. */
  base: number;
  countries: ReadonlyMap<string, number>;
  bundles: ReadonlyMap<string, number>;
}

/** Weight of the prior of a goal's value, in expected conversions, and its highest weight in installs. */
const PRIOR_WEIGHT = 2;
const PRIOR_INSTALLS_MAX = 500;
/** People of whom one pays, where nothing is known: how much one conversion of unknown revenue is worth. */
const PAYERS_PRIOR = 0.05;
/**
 * The people and the value of a publisher's app count up to this multiple of what is expected by the goal's other publishers,
 * and some more; the rate of the others is itself shrunk to that of all.
 */
const BUNDLE_TIMES_MAX = 10;
const BUNDLE_UNCHECKED = 5;
const OTHERS_WEIGHT = 2;

/**
 * What is learned of a goal from the installs of an app by all ad sets. An install younger than the window is no failure: it weighs the share of the final value that has
 * come by its age. The value of an install is that of the goal times the lifts of ad set, country and publisher's app. Revenue is
 * counted in units of its size-biased mean, in which it is about as uncertain as a count. Pure.
 */
export class LearnedGoal {
  readonly #isRevenue: boolean;
  /** Size of a typical conversion; null before there is any. */
  readonly #unit: number | null;
  readonly #exposure: number;
  readonly #observed: number;
  /** Factor by which the lifts together miss what was observed. */
  readonly #calibration: number;
  readonly #lifts: Lifts;
  /** Share of the final value that has come at some ages; see {@link curveOf}. */
  readonly curve: readonly number[];
  /** People with the event, or with revenue. */
  readonly people: number;
  /** Relative standard error of the average value of an install; null without people. See {@link relativeErrorOf}. */
  readonly error: number | null;

  /** `assumedValue` is what an install is held to be worth before anything is known. */
  constructor(record: GoalRecord, assumedValue: number) {
    const { windowMs, isRevenue, installs } = record;
    const { rows, people, unit, restored } = personRows(record, assumedValue / PAYERS_PRIOR);
    this.#isRevenue = isRevenue;
    this.#unit = unit;
    this.people = people;
    this.error = relativeErrorOf(rows);
    this.curve = curveOf(rows, windowMs);
    const byPlace = new Map<string, ValueCell>();
    for (const group of installs)
      cellOf(byPlace, group).exposure +=
        group.installs * weightOf(group.ageMs) * shareAt(this.curve, group.ageMs / windowMs);
    for (const row of rows) {
      const weight = weightOf(row.ageMs);
      const cell = cellOf(byPlace, row);
      cell.observed += row.units * weight * restored;
      if (row.isFirst) cell.people += weight;
    }
    const cells = [...byPlace.values()];
    for (const what of ['people', 'observed'] as const) limitBundles(cells, what);
    this.#exposure = sumOf(cells, 'exposure');
    this.#observed = sumOf(cells, 'observed');
    this.#lifts = liftsOf(cells);
    const expected = cells.reduce((total, cell) => total + cell.exposure * liftAt(this.#lifts, cell), 0);
    this.#calibration =
      expected > 0 && this.#observed > 0 ? Math.min(2, Math.max(0.5, this.#exposure / expected)) : 1;
  }

  /** Relative standard error of the value of an install, with what is assumed as two people more. */
  get valueError(): number {
    return 1 / Math.sqrt(PRIOR_WEIGHT + (this.error === null ? 0 : this.error ** -2));
  }

  /** Values for an ad set, whose installs are assumed to be worth `priorValue` as long as nothing is known. */
  valuesOf(adsetId: string, priorValue: number): AdsetValues {
    const unit = this.#unit ?? (this.#isRevenue ? priorValue / PAYERS_PRIOR : 1);
    const weight = Math.min(PRIOR_INSTALLS_MAX, (PRIOR_WEIGHT * unit) / priorValue);
    const value = (weight * priorValue + Math.max(0, this.#observed) * unit) / (weight + this.#exposure);
    return {
      base: value * (this.#lifts.adsetId.get(adsetId) ?? 1) * this.#calibration,
      countries: this.#lifts.country,
      bundles: this.#lifts.bundle,
    };
  }
}

/** The expected value of an install in a country and a publisher's app. */
export function valueAt({ base, countries, bundles }: AdsetValues, bundle: string, country: string): number {
  return base * (countries.get(country) ?? 1) * (bundles.get(bundle) ?? 1);
}

function cellOf(cells: Map<string, ValueCell>, { adsetId, bundle, country }: Place): ValueCell {
  const key = `${adsetId} ${country} ${bundle}`;
  let cell = cells.get(key);
  if (!cell) cells.set(key, (cell = { adsetId, bundle, country, exposure: 0, people: 0, observed: 0 }));
  return cell;
}

function sumOf(cells: readonly ValueCell[], what: 'exposure' | 'people' | 'observed'): number {
  return cells.reduce((sum, cell) => sum + cell[what], 0);
}

/** Lowers the people or the value of publishers' apps that report implausibly much beside the others of the goal. */
function limitBundles(cells: readonly ValueCell[], what: 'people' | 'observed'): void {
  const all = { exposure: sumOf(cells, 'exposure'), observed: Math.max(0, sumOf(cells, what)) };
  if (all.exposure <= 0 || all.observed <= 0) return;
  const bundles = new Map<string, { exposure: number; observed: number }>();
  for (const cell of cells) {
    const own = bundles.get(cell.bundle) ?? { exposure: 0, observed: 0 };
    own.exposure += cell.exposure;
    own.observed += cell[what];
    bundles.set(cell.bundle, own);
  }
  const factors = new Map<string, number>();
  for (const [bundle, { exposure, observed }] of bundles) {
    const others =
      (Math.max(0, all.observed - observed) + OTHERS_WEIGHT) /
      (all.exposure - exposure + (OTHERS_WEIGHT * all.exposure) / all.observed);
    const most = BUNDLE_UNCHECKED + BUNDLE_TIMES_MAX * others * exposure;
    if (observed > most) factors.set(bundle, most / observed);
  }
  for (const cell of cells) cell[what] *= factors.get(cell.bundle) ?? 1;
}
