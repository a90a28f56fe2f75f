import { type GoalRecord, type Place, weightOf, type Conversion } from './goal-record.ts';

export type { Conversion, GoalRecord, InstallGroup } from './goal-record.ts';

/** Values of an install of an ad set, with the lifts of the country and the publisher's app to be multiplied. */
export interface AdsetValues {
  /** Expected value of an install, with all lifts except the lifts of country and app. */
  base: number;
  countries: ReadonlyMap<string, number>;
  bundles: ReadonlyMap<string, number>;
}

/** Weight of the prior of a goal's value, in expected conversions, and its highest weight in installs. */
const PRIOR_WEIGHT = 2;
const PRIOR_INSTALLS_MAX = 500;
/**
 * Share of people who pay, assumed before anything is known; it decides the value of a conversion of unknown revenue.
 */
const PAYERS_PRIOR = 0.05;
/**
 * The people and the value of a publisher's app count up to this multiple of the expectation from the goal's other
 * publishers, plus a constant; the rate of the others is itself shrunk to the overall rate.
 */
const BUNDLE_TIMES_MAX = 10;
const BUNDLE_UNCHECKED = 5;
const OTHERS_WEIGHT = 2;

/**
 * The model of a goal, learned from the installs of an app by all ad sets. An install younger than the window is no failure: its weight is
 * the share of the final value that usually arrives by its age. The value of an install is the value of the goal times the lifts of ad set,
 * country and publisher's app. Revenue is counted in units of its size-biased mean, in which it is about as uncertain as a count. Pure.
 */
export class LearnedGoal {
  readonly #isRevenue: boolean;
  /** Size of a typical conversion; null before there is any. */
  readonly #unit: number | null;
  readonly #exposure: number;
  readonly #observed: number;
  /** Factor between the observed value and the value by the lifts together. */
  readonly #calibration: number;
  readonly #lifts: Lifts;
  /** Share of the final value that has come at some ages; see {@link curveOf}. */
  readonly curve: readonly number[];
  /** People with the event, or with revenue. */
  readonly people: number;
  /** Relative standard error of the average value of an install; null without people. See {@link relativeErrorOf}. */
  readonly error: number | null;

  /** `assumedValue` is the assumed value of an install before anything is known. */
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

  /** Relative standard error of the value of an install, with the assumed value as two more people. */
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

/**
 * Lowers the people or the value of publishers' apps that report implausibly much compared with the other apps of
 * the goal.
 */
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

/** Exposure of the installs of a place to conversion, people who converted, and the value of it in units of one typical conversion. */
interface ValueCell extends Place {
  exposure: number;
  people: number;
  observed: number;
}

/** Factors on the value of an install, by ad set, country and publisher's app. */
type Lifts = Readonly<Record<keyof Place, Map<string, number>>>;

/**
 * Levels in the order in which they are learned, with the weight of the prior of a lift in expected conversions, as far as the data
 * do not tell how much lifts differ.
 */
const LEVELS = [
  { key: 'adsetId', weight: 4 },
  { key: 'country', weight: 8 },
  { key: 'bundle', weight: 6 },
] as const;
/** Weights that are tried, as factors on the weights of the levels, and the standard deviation of the factor's logarithm. */
const WEIGHT_FACTORS = [1 / 8, 1 / 4, 1 / 2, 1, 2, 4, 8];
const WEIGHT_SPREAD = Math.log(3);
/** Rounds in which the lifts of the levels are fitted to each other. */
const ROUNDS = 4;
const LIFT_MIN = 0.05;
const LIFT_MAX = 20;

const noLifts = (): Lifts => ({ adsetId: new Map(), country: new Map(), bundle: new Map() });

/**
 * Lifts of all levels: first on the number of people who convert, then on the value of a converted person. A Gamma prior shrinks each
 * lift to 1 as in `../rate-model.ts`. The strength of the prior is learned from the differences between the lifts of a level (empirical
 * Bayes by the likelihood of the negative binomial distribution, as in the paper named there).
 */
function liftsOf(cells: readonly ValueCell[]): Lifts {
  const total = { exposure: 0, people: 0, observed: 0 };
  for (const { exposure, people, observed } of cells) {
    total.exposure += exposure;
    total.people += people;
    total.observed += observed;
  }
  const lifts = noLifts();
  if (total.exposure <= 0 || total.people <= 0 || total.observed <= 0) return lifts;
  const parts = [
    fitLifts(
      cells,
      ({ people }) => people,
      ({ exposure }) => (exposure * total.people) / total.exposure,
    ),
    fitLifts(
      cells,
      ({ observed }) => observed,
      ({ people }) => (people * total.observed) / total.people,
    ),
  ];
  for (const { key } of LEVELS)
    for (const part of parts)
      for (const [name, lift] of part[key])
        lifts[key].set(name, Math.min(LIFT_MAX, Math.max(LIFT_MIN, lift * (lifts[key].get(name) ?? 1))));
  return lifts;
}

/** The product of the lifts of a place. */
function liftAt(lifts: Lifts, place: Place): number {
  return LEVELS.reduce((product, { key }) => product * (lifts[key].get(place[key]) ?? 1), 1);
}

type Of = (cell: ValueCell) => number;

/** The most probable lifts of the levels together, each level given the lifts of the others in turn. */
function fitLifts(cells: readonly ValueCell[], observedOf: Of, expectedOf: Of): Lifts {
  const lifts = noLifts();
  const expected = cells.map(expectedOf);
  for (let round = 0; round < ROUNDS; round += 1)
    for (const { key, weight } of LEVELS) {
      const sums = new Map<string, Sum>();
      for (const [index, cell] of cells.entries()) {
        const sum = sums.get(cell[key]) ?? { expected: 0, observed: 0 };
        sum.expected += expected[index]! / (lifts[key].get(cell[key]) ?? 1);
        sum.observed += observedOf(cell);
        sums.set(cell[key], sum);
      }
      // Refunds may make a sum negative.
      for (const sum of sums.values()) sum.observed = Math.max(0, sum.observed);
      const best = bestWeight([...sums.values()], weight);
      const changes = new Map<string, number>();
      for (const [name, sum] of sums) {
        const lift = (sum.observed + best) / (sum.expected + best);
        changes.set(name, lift / (lifts[key].get(name) ?? 1));
        lifts[key].set(name, lift);
      }
      for (const [index, cell] of cells.entries()) expected[index]! *= changes.get(cell[key])!;
    }
  return lifts;
}

interface Sum {
  expected: number;
  observed: number;
}

/** The most probable weight of the prior of a level. */
function bestWeight(sums: readonly Sum[], usual: number): number {
  let best = { weight: usual, score: -Infinity };
  for (const factor of WEIGHT_FACTORS) {
    const weight = usual * factor;
    let score = -0.5 * (Math.log(factor) / WEIGHT_SPREAD) ** 2;
    const constant = weight * Math.log(weight) - logGamma(weight);
    for (const { expected, observed } of sums)
      score += constant + logGamma(observed + weight) - (observed + weight) * Math.log(expected + weight);
    if (score > best.score) best = { weight, score };
  }
  return best.weight;
}

/** Logarithm of the gamma function of a positive number, by Stirling's series. */
function logGamma(of: number): number {
  let [x, shift] = [of, 0];
  for (; x < 7; x += 1) shift += Math.log(x);
  return (
    (x - 0.5) * Math.log(x) - x + 0.5 * Math.log(2 * Math.PI) + 1 / (12 * x) - 1 / (360 * x ** 3) - shift
  );
}

/**
 * Ends of the parts of the window, as shares of the window. The parts are shorter at its beginning, which matters most.
 */
const STEPS = [1 / 64, 1 / 32, 1 / 16, 1 / 8, 1 / 4, 3 / 8, 1 / 2, 5 / 8, 3 / 4, 7 / 8, 1] as const;
/** Prior of the share of the value that has come by an age: the age as a share of the window, to this power. */
const CURVE_POWER = 0.4;
/** Weight of the prior, in expected conversions. */
const CURVE_WEIGHT = 10;

interface Delayed {
  ageMs: number;
  delayMs: number;
  units: number;
}

/**
 * Share of the final value that has come at the end of each of {@link STEPS}. It is learned link by link from installs that are
 * older than the link (the chain ladder of actuaries: T. Mack, "Distribution-free Calculation of the Standard Error of Chain Ladder
 * Reserve Estimates", ASTIN Bulletin 23, 1993).
 */
function curveOf(rows: readonly Delayed[], windowMs: number): number[] {
  const last = STEPS.length - 1;
  const before = STEPS.map(() => 0);
  const until = STEPS.map(() => 0);
  for (const { ageMs, delayMs, units } of rows) {
    const weighted = units * weightOf(ageMs);
    for (let step = last; step > 0; step -= 1) {
      // Only installs older than the end of the link show how much it adds.
      if (ageMs < STEPS[step]! * windowMs) continue;
      if (delayMs >= STEPS[step]! * windowMs) break;
      until[step]! += weighted;
      if (delayMs < STEPS[step - 1]! * windowMs) before[step]! += weighted;
    }
  }
  const curve = STEPS.map(() => 1);
  for (let step = last; step > 0; step -= 1) {
    const prior = (STEPS[step - 1]! / STEPS[step]!) ** CURVE_POWER;
    // Refunds may make a sum negative.
    const known = Math.max(0, until[step]!);
    const share =
      (Math.min(known, Math.max(0, before[step]!)) + CURVE_WEIGHT * prior) / (known + CURVE_WEIGHT);
    curve[step - 1] = curve[step]! * share;
  }
  return curve;
}

/** Share of the final value that has come at an age, given as a share of the window. */
function shareAt(curve: readonly number[], age: number): number {
  if (age <= 0) return 0;
  let [startsAt, from] = [0, 0];
  for (let step = 0; step < STEPS.length; step += 1) {
    const [endsAt, to] = [STEPS[step]!, curve[step]!];
    if (age < endsAt) return from + ((to - from) * (age - startsAt)) / (endsAt - startsAt);
    [startsAt, from] = [endsAt, to];
  }
  return 1;
}

/**
 * Largest multiple at which an amount counts, relative to the amount that as many other people have paid: an amount that no other
 * person pays is a mistake or forged.
 */
const CONFIRMED_BY = 3;
const CONFIRMED_TIMES = 3;
/** Largest multiple of the payers' mean at which a person's revenue counts; the rest is spread over all payers, up to a factor. */
const CAP_MEANS = 8;
const RESTORED_MAX = 1.5;

/** A conversion in units of a typical one. */
interface PersonRow extends Conversion {
  units: number;
  /** The first of its person. */
  isFirst: boolean;
}

/** The conversions of a goal within its window. */
interface PersonRows {
  rows: PersonRow[];
  people: number;
  /** Size of a typical conversion; null without any. */
  unit: number | null;
  /** Factor that spreads the revenue cut from single people over all. */
  restored: number;
}

/**
 * The conversions within the window; for an event, only the first of each person. Revenue of a person is cut off at a cap.
 * `assumed` is the revenue of a paying person, used while few are known.
 */
function personRows({ conversions, windowMs, isRevenue }: GoalRecord, assumed: number): PersonRows {
  const persons = new Map<string, Conversion[]>();
  for (const conversion of conversions) {
    if (conversion.delayMs < 0 || conversion.delayMs >= windowMs) continue;
    const own = persons.get(conversion.person);
    if (!own) persons.set(conversion.person, [conversion]);
    else if (isRevenue) own.push(conversion);
    else if (conversion.delayMs < own[0]!.delayMs) own[0] = conversion;
  }
  if (!isRevenue) {
    const rows = [...persons.values()].map(([first]) => ({ ...first!, units: 1, isFirst: true }));
    return { rows, people: rows.length, unit: rows.length > 0 ? 1 : null, restored: 1 };
  }
  const payers = [...persons.values()].flatMap((own) => {
    const sum = own.reduce((total, { value }) => total + value, 0);
    return sum > 0 ? [{ own, sum, bundle: own[0]!.bundle }] : [];
  });
  return payers.length > 0 ? rowsOf(payers, assumed) : { rows: [], people: 0, unit: null, restored: 1 };
}

/** A person who paid, with the sum. */
interface Payer {
  own: Conversion[];
  sum: number;
  bundle: string;
}

function rowsOf(payers: readonly Payer[], assumed: number): PersonRows {
  const confirmed = confirmedMax(payers, assumed);
  const revenue = payers.reduce((total, { sum }) => total + Math.min(sum, confirmed), 0);
  const cap = Math.min(confirmed, (CAP_MEANS * revenue) / payers.length);
  const capped = payers.map(({ sum }) => Math.min(sum, cap));
  const counted = capped.reduce((total, sum) => total + sum, 0);
  const unit = capped.reduce((total, sum) => total + sum * sum, 0) / counted;
  const rows = payers.flatMap(({ own, sum }, index) =>
    own.map((conversion, at) => ({
      ...conversion,
      units: (conversion.value * capped[index]!) / sum / unit,
      isFirst: at === 0,
    })),
  );
  return { rows, people: payers.length, unit, restored: Math.min(RESTORED_MAX, revenue / counted) };
}

/** The highest revenue of a person that is believed. Where people of enough publishers pay, no publisher confirms its own amounts. */
function confirmedMax(payers: readonly Payer[], assumed: number): number {
  const highest = new Map<string, number>();
  for (const { bundle, sum } of payers) highest.set(bundle, Math.max(sum, highest.get(bundle) ?? 0));
  const amounts = highest.size >= CONFIRMED_BY ? [...highest.values()] : payers.map(({ sum }) => sum);
  while (amounts.length < CONFIRMED_BY) amounts.push(assumed);
  return CONFIRMED_TIMES * amounts.sort((a, b) => b - a)[CONFIRMED_BY - 1]!;
}

/**
 * Relative standard error of the average value of an install, as known from the people that converted: the square root of the sum
 * of the squared values of people over their sum, which for events is one over the square root of their number. Null without people.
 * `conversionsOf` of the delivery report has the same formula in SQL.
 */
function relativeErrorOf(rows: readonly PersonRow[]): number | null {
  const people = new Map<string, number>();
  for (const { person, ageMs, units } of rows)
    people.set(person, (people.get(person) ?? 0) + units * weightOf(ageMs));
  let [sum, squares] = [0, 0];
  for (const value of people.values()) {
    sum += Math.max(0, value);
    squares += Math.max(0, value) ** 2;
  }
  return sum > 0 ? Math.sqrt(squares) / sum : null;
}
