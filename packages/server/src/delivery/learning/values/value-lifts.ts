import type { Place } from './goal-record.ts';

/** Exposure of the installs of a place to conversion, people who converted, and the value of it in units of one typical conversion. */
export interface ValueCell extends Place {
  exposure: number;
  people: number;
  observed: number;
}

/** Factors on the value of an install, by ad set, country and publisher's app. */
export type Lifts = Readonly<Record<keyof Place, Map<string, number>>>;

/**
 * Levels in the order in which they are learned, with the weight of the prior of a lift in expected conversions, as far as the data
 * do not tell how much lifts differ.
 */
const LEVELS = [
  { key: 'adsetId', weight: 4 },
  { key: 'country', weight: 8 },
  { key: 'bundle', weight: 6 },
] as const;
/** Weights that are tried, as factors on those, and how far from 1 the factor is expected: its logarithm's standard deviation. */
const WEIGHT_FACTORS = [1 / 8, 1 / 4, 1 / 2, 1, 2, 4, 8];
const WEIGHT_SPREAD = Math.log(3);
/** Rounds in which the lifts of the levels are fitted to each other. */
const ROUNDS = 4;
const LIFT_MIN = 0.05;
const LIFT_MAX = 20;

const noLifts = (): Lifts => ({ adsetId: new Map(), country: new Map(), bundle: new Map() });

/**
 * Lifts of all levels: of how many people convert, and then of what a converted person is worth. Each is shrunk to 1 by a Gamma prior
 * as in `../rate-model.ts`. How strongly is learned from how much the lifts of a level differ (empirical Bayes by the likelihood of the
 * negative binomial distribution, as in the paper named there).
 */
export function liftsOf(cells: readonly ValueCell[]): Lifts {
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
export function liftAt(lifts: Lifts, place: Place): number {
  return LEVELS.reduce((product, { key }) => product * (lifts[key].get(place[key]) ?? 1), 1);
}

type Of = (cell: ValueCell) => number;

/** The most probable lifts of the levels together, each given those of the others in turn. */
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
