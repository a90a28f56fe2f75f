/** Installs of an ad set in a publisher's app and a country, of about the same age. */
export interface InstallGroup {
  adsetId: string;
  bundle: string;
  country: string;
  installs: number;
  /** Their mean age, ms. */
  ageMs: number;
}

/** What a person did after an install: the goal event, or a part of the revenue. */
export interface Conversion {
  adsetId: string;
  bundle: string;
  country: string;
  /** The bid of the install. */
  person: string;
  /** Age of the install now, and at the conversion, ms. */
  ageMs: number;
  delayMs: number;
  /** Revenue in micros, which refunds lower; not read of an event. */
  value: number;
}

/** What is known of a goal: of the ad sets of one company with the same app, event and window. */
export interface GoalRecord {
  windowMs: number;
  /** Whether the value is revenue, rather than one for each person with the event. */
  isRevenue: boolean;
  installs: readonly InstallGroup[];
  conversions: readonly Conversion[];
}

/** Values of an install of an ad set, with {@link AdsetValues.lift} of the country and the publisher's app to be multiplied. */
export interface AdsetValues {
  /** Expected value of an install, all lifts but those of country and app included. */
  base: number;
  countries: ReadonlyMap<string, number>;
  bundles: ReadonlyMap<string, number>;
}

/** Half-life of installs and of what follows them. */
const HALF_LIFE_MS = 14 * 86_400_000;
/** Ends of the parts of the window, as shares of it: its beginning matters most. */
const STEPS = [1 / 64, 1 / 32, 1 / 16, 1 / 8, 1 / 4, 3 / 8, 1 / 2, 5 / 8, 3 / 4, 7 / 8, 1] as const;
/** Prior of the share of the value that has come by an age: the age as a share of the window, to this power. */
const CURVE_POWER = 0.4;
/** Weights of the priors, in expected conversions. */
const CURVE_WEIGHT = 10;
const WEIGHTS = { base: 2, adset: 4, country: 8, bundle: 6 } as const;
/** Highest weight of the prior of a goal's value, in installs. */
const PRIOR_INSTALLS_MAX = 500;
/** People of whom one pays, where nothing is known: how much one conversion of unknown revenue is worth. */
const PAYERS_PRIOR = 0.05;
/** A person's revenue counts up to so many times the mean of those who pay; what is cut is spread over all, up to a factor. */
const CAP_MEANS = 8;
const RESTORED_MAX = 1.5;
const LIFT_MIN = 0.05;
const LIFT_MAX = 20;

/** Exposure of installs to conversion, people who converted, and the value of it in units of one typical conversion. */
interface Cell {
  exposure: number;
  people: number;
  observed: number;
}

type Placed = Pick<InstallGroup, 'adsetId' | 'bundle' | 'country'>;
interface PlacedCell extends Placed, Cell {}

/**
 * What is learned of a goal. An install younger than the window is no failure: it weighs the share of the final value that has
 * come by its age, a curve that is learned link by link from installs older than the link (the chain ladder of actuaries: T. Mack,
 * "Distribution-free Calculation of the Standard Error of Chain Ladder Reserve Estimates", ASTIN Bulletin 23, 1993). The value of
 * an install is that of the goal times the lifts of ad set, country and publisher's app: of how many people convert, and of what a
 * converted person is worth. Each is shrunk to 1 by a Gamma prior as in `rate-model.ts`. Revenue is counted in units of its
 * size-biased mean, in which it is about as uncertain as a count. Pure.
 */
export class LearnedGoal {
  readonly #isRevenue: boolean;
  /** Size of a typical conversion; null before there is any. */
  readonly #unit: number | null;
  readonly #total: Cell = { exposure: 0, people: 0, observed: 0 };
  /** Factor by which the lifts together miss what was observed. */
  readonly #calibration: number = 1;
  readonly #adsets = new Map<string, number>();
  readonly #countries = new Map<string, number>();
  readonly #bundles = new Map<string, number>();
  /** Share of the final value that has come at the end of each of {@link STEPS}. */
  readonly curve: readonly number[];
  /** People with the event, or with revenue. */
  readonly people: number;

  constructor({ windowMs, isRevenue, installs, conversions }: GoalRecord) {
    const { rows, people, unit, restored } = personRows(conversions, { windowMs, isRevenue });
    this.#isRevenue = isRevenue;
    this.#unit = unit;
    this.people = people;
    this.curve = curveOf(rows, windowMs);
    const cells = new Map<string, PlacedCell>();
    for (const group of installs) {
      const exposure = group.installs * weightOf(group.ageMs) * shareAt(this.curve, group.ageMs / windowMs);
      cellOf(cells, group).exposure += exposure;
      this.#total.exposure += exposure;
    }
    for (const row of rows) {
      const weight = weightOf(row.ageMs);
      const observed = row.units * weight * restored;
      const cell = cellOf(cells, row);
      cell.observed += observed;
      this.#total.observed += observed;
      if (!row.isFirst) continue;
      cell.people += weight;
      this.#total.people += weight;
    }
    const { exposure, people: converted, observed } = this.#total;
    if (exposure <= 0 || observed <= 0) return;
    const all = [...cells.values()];
    this.#multiplyLifts(
      all,
      'people',
      all.map((cell) => (cell.exposure * converted) / exposure),
    );
    this.#multiplyLifts(
      all,
      'observed',
      all.map((cell) => (cell.people * observed) / converted),
    );
    const sum =
      all.reduce((total, cell) => total + cell.exposure * this.#liftOf(cell), 0) * (observed / exposure);
    this.#calibration = Math.min(2, Math.max(0.5, observed / sum));
  }

  /** Learns the lifts of all levels from what was observed of the cells and what was expected, and multiplies them in. */
  #multiplyLifts(cells: readonly PlacedCell[], what: 'people' | 'observed', expected: number[]): void {
    const by = (weight: number, keyOf: (cell: Placed) => string, lifts: Map<string, number>) =>
      multiplyLifts(cells, { what, expected, weight, keyOf, lifts });
    by(WEIGHTS.adset, ({ adsetId }) => adsetId, this.#adsets);
    by(WEIGHTS.country, ({ country }) => country, this.#countries);
    by(WEIGHTS.bundle, ({ bundle }) => bundle, this.#bundles);
  }

  #liftOf({ adsetId, country, bundle }: Placed): number {
    const [ofCountry, ofBundle] = [this.#countries.get(country) ?? 1, this.#bundles.get(bundle) ?? 1];
    return (this.#adsets.get(adsetId) ?? 1) * ofCountry * ofBundle;
  }

  /** Values for an ad set, whose installs are assumed to be worth `priorValue` as long as nothing is known. */
  valuesOf(adsetId: string, priorValue: number): AdsetValues {
    const unit = this.#unit ?? (this.#isRevenue ? priorValue / PAYERS_PRIOR : 1);
    const weight = Math.min(PRIOR_INSTALLS_MAX, (WEIGHTS.base * unit) / priorValue);
    const { exposure, observed } = this.#total;
    const value = (weight * priorValue + observed * unit) / (weight + exposure);
    return {
      base: value * (this.#adsets.get(adsetId) ?? 1) * this.#calibration,
      countries: this.#countries,
      bundles: this.#bundles,
    };
  }
}

/** The expected value of an install in a country and a publisher's app. */
export function valueAt({ base, countries, bundles }: AdsetValues, bundle: string, country: string): number {
  return base * (countries.get(country) ?? 1) * (bundles.get(bundle) ?? 1);
}

/** A conversion in units of a typical one. */
interface Row extends Placed {
  ageMs: number;
  delayMs: number;
  units: number;
  /** The first of its person. */
  isFirst: boolean;
}

/** The conversions within the window; of an event, the first of each person. Revenue of a person is cut off at the cap. */
function personRows(
  conversions: readonly Conversion[],
  { windowMs, isRevenue }: Pick<GoalRecord, 'windowMs' | 'isRevenue'>,
): { rows: Row[]; people: number; unit: number | null; restored: number } {
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
    return sum > 0 ? [{ own, sum }] : [];
  });
  const revenue = payers.reduce((total, { sum }) => total + sum, 0);
  const cap = (CAP_MEANS * revenue) / payers.length;
  const capped = payers.map(({ sum }) => Math.min(sum, cap));
  const counted = capped.reduce((total, sum) => total + sum, 0);
  if (counted <= 0) return { rows: [], people: 0, unit: null, restored: 1 };
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

/** See {@link LearnedGoal.curve}. */
function curveOf(rows: readonly Row[], windowMs: number): number[] {
  const last = STEPS.length - 1;
  const before = STEPS.map(() => 0);
  const until = STEPS.map(() => 0);
  for (const { ageMs, delayMs, units } of rows) {
    const weighted = units * weightOf(ageMs);
    for (let step = last; step > 0; step -= 1) {
      // Only what is older than the end of the link tells how much it adds.
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

const weightOf = (ageMs: number): number => 0.5 ** (Math.max(0, ageMs) / HALF_LIFE_MS);

function cellOf(cells: Map<string, PlacedCell>, { adsetId, bundle, country }: Placed): PlacedCell {
  const key = `${adsetId} ${country} ${bundle}`;
  let cell = cells.get(key);
  if (!cell) cells.set(key, (cell = { adsetId, bundle, country, exposure: 0, people: 0, observed: 0 }));
  return cell;
}

interface LevelOf {
  what: 'people' | 'observed';
  /** Of each cell; multiplied by the lifts. */
  expected: number[];
  weight: number;
  keyOf: (cell: Placed) => string;
  lifts: Map<string, number>;
}

/** Learns the lifts of one level, and multiplies the expected values of the cells by them. */
function multiplyLifts(
  cells: readonly PlacedCell[],
  { what, expected, weight, keyOf, lifts }: LevelOf,
): void {
  const sums = new Map<string, { expected: number; observed: number }>();
  for (const [index, cell] of cells.entries()) {
    const key = keyOf(cell);
    const sum = sums.get(key) ?? { expected: 0, observed: 0 };
    sum.expected += expected[index]!;
    sum.observed += cell[what];
    sums.set(key, sum);
  }
  const own = new Map<string, number>();
  for (const [key, { expected: ofKey, observed }] of sums) {
    const lift = (Math.max(0, observed) + weight) / (ofKey + weight);
    own.set(key, lift);
    lifts.set(key, Math.min(LIFT_MAX, Math.max(LIFT_MIN, lift * (lifts.get(key) ?? 1))));
  }
  for (const [index, cell] of cells.entries()) expected[index]! *= own.get(keyOf(cell))!;
}
