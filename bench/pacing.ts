/**
 * How precisely leased budgets are enforced: simulated days of several bidders with lost, late and repeated notices, clock skew and
 * killed bidders, compared with an ideal budget that knows the result of each auction. The pacing error is the difference
 * between the distributions of spend and traffic over the day, compared with pacing by the clock.
 *
 * npm run bench -- pacing [--bidders 8] [--offers 200000] [--seed 7]
 */
import { parseArgs } from 'node:util';
import { candidateOf } from '@bidwell/testing/pacing/candidates';
import { TRAFFIC_PROFILES, adverseConditions } from '@bidwell/testing/pacing/pacing-cases';
import {
  type SimulationResult,
  type SimulationSettings,
  distance,
  simulate,
} from '@bidwell/testing/pacing/pacing-simulation';

const { values } = parseArgs({
  options: {
    bidders: { type: 'string', default: '8' },
    offers: { type: 'string', default: '200000' },
    seed: { type: 'string', default: '7' },
  },
});
const size = {
  bidders: Number(values.bidders),
  offersPerDay: Number(values.offers),
  seed: Number(values.seed),
};
/** A fifth of the spend that the traffic allows. */
const BUDGET = Math.round(size.offersPerDay * 0.3 * 1600 * 0.2);
const percent = (part: number, whole: number): number => (part / whole) * 100;

interface Outcome {
  name: string;
  /** Spend of the last day relative to the spend of the ideal budget. */
  ratio: number;
  overspendPercent: number;
  spentPercent: number;
  /** Pacing error: share of the spend that is distributed differently from the traffic. */
  pacingErrorPercent: number;
}

/** Runs a simulation with the spend limit `limit` per day (or in all), and evaluates its last day. */
function measure(name: string, settings: SimulationSettings, limit: number, perDay = true): Outcome {
  const result: SimulationResult = simulate(settings);
  const spent = perDay
    ? result.days.map(({ spentMicros }) => spentMicros)
    : [result.days.reduce((sum, { spentMicros }) => sum + spentMicros, 0)];
  const supply = perDay ? result.supplyMicros : [result.supplyMicros.reduce((sum, day) => sum + day, 0)];
  const reference = spent.map((_, day) => Math.min(limit, supply[day]!));
  const last = spent.length - 1;
  const day = result.days.at(-1)!;
  const outcome = {
    name,
    ratio: spent[last]! / reference[last]!,
    overspendPercent: Math.max(0, ...spent.map((micros) => percent(micros - limit, limit))),
    spentPercent: percent(spent[last]!, reference[last]!),
    pacingErrorPercent: distance(day.spentByQuarter, day.offersByQuarter) * 100,
  };
  console.log(
    `${name.padEnd(34)} spent ${outcome.spentPercent.toFixed(2).padStart(6)} %  over ${outcome.overspendPercent.toFixed(3)} %  pacing error ${outcome.pacingErrorPercent.toFixed(1).padStart(4)} %  ${result.bids} bids`,
  );
  return outcome;
}

const manual = candidateOf({ dailyBudgetMicros: BUDGET });
const bounded = [
  measure('daily budget', adverseConditions({ ...size, adsets: [manual] }), BUDGET),
  measure(
    'total budget',
    adverseConditions({ ...size, adsets: [candidateOf({ totalBudgetMicros: BUDGET })] }),
    BUDGET,
    false,
  ),
  measure(
    'balance, three ad sets',
    adverseConditions({
      ...size,
      adsets: [candidateOf(), candidateOf(), candidateOf()],
      fundsMicros: BUDGET,
    }),
    BUDGET,
    false,
  ),
  measure(
    'a quarter of notices lost or late',
    adverseConditions({ ...size, adsets: [manual], lostNotices: 0.1, lateNotices: 0.15, lossNotices: 0.3 }),
    BUDGET,
  ),
];
const paced = candidateOf({ dailyBudgetMicros: BUDGET, algorithm: 'Max installs' });
const even = (Object.keys(TRAFFIC_PROFILES) as (keyof typeof TRAFFIC_PROFILES)[]).map((traffic) =>
  measure(
    `Max installs, ${traffic} traffic`,
    adverseConditions({ ...size, traffic, adsets: [paced], days: 2, kills: [5, 29, 36, 42.5] }),
    BUDGET,
  ),
);
// At best, pacing by the clock spends evenly over the day.
const clock = Object.values(TRAFFIC_PROFILES).map((trafficProfile) => {
  const offers = Array.from({ length: 96 }, (_, quarter) => trafficProfile(quarter));
  return distance(
    offers.map(() => 1),
    offers,
  );
});
console.log(
  `pacing error of pacing by the clock: ${clock.map((part) => (part * 100).toFixed(1)).join(', ')} %`,
);

const all = [...bounded, ...even];
const mean = (numbers: number[]) => numbers.reduce((sum, value) => sum + value, 0) / numbers.length;
const round = (value: number, digits: number) => Number(value.toFixed(digits));
console.log(
  JSON.stringify({
    bench: 'pacing',
    ratio: round(Math.min(...all.map(({ ratio }) => ratio)), 4),
    overspendPercent: round(Math.max(...all.map(({ overspendPercent }) => overspendPercent)), 3),
    spentPercent: round(Math.min(...all.map(({ spentPercent }) => spentPercent)), 2),
    pacingErrorPercent: round(mean(even.map(({ pacingErrorPercent }) => pacingErrorPercent)), 1),
    clockPacingErrorPercent: round(mean(clock) * 100, 1),
  }),
);
