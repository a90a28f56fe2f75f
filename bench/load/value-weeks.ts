/**
 * The weeks by value of one seed, in a process of its own: Target CPA and Target ROAS compared with bidders that know the true values, and
 * with two that know nothing of values, at the same spend: Target CPI, which is what one bids without these strategies, and the
 * same strategy with installs that are all worth the same, which shows how much comes from the values and how much from shading.
 *
 * Arguments: seed, simulated requests a day, and for how many requests each stands.
 */
import { toMicros } from '@bidwell/contract/lib/money';
import { STARTS_AT_MS, creativesOfThreeDrafts } from './install-week.ts';
import { type ValueSettings, type ValueWeeks, runValueWeeks } from './value-simulation.ts';

const CPA_DOLLARS = 0.4;
const ROAS_PERCENT = 1000;
/** The knowledge of an advertiser from earlier campaigns: the bids until installs have led to purchases. */
const KNOWN_CPI_DOLLARS = 0.04;
const CPM_DOLLARS = 100;
/** Prices of an install at which the bidders without values spend less and more than the bidders with values. */
const CPI_DOLLARS = [0.018, 0.027, 0.04, 0.06];

/** Figures of one seed; errors without their sign. */
export interface ValueFigures {
  cpaErrorPercent: number;
  roasErrorPercent: number;
  /** People, and revenue, at the spend of the strategy, against Target CPI. */
  upliftCpaPercent: number;
  upliftRoasPercent: number;
  /** The same against the strategy itself with installs of the same value, and what the true values bring against that. */
  upliftCpaByValuesPercent: number;
  upliftRoasByValuesPercent: number;
  oracleCpaByValuesPercent: number;
  oracleRoasByValuesPercent: number;
  /** People, and revenue, against the bidder that knows the true values, at the same target; and the lower of the two. */
  shareOfOracleCpa: number;
  shareOfOracleRoas: number;
  shareOfOracle: number;
  /** People that are bought in seven days by the strategy that buys fewer. */
  peopleInSevenDays: number;
}

const [seed, requestsPerDay, copies] = process.argv.slice(2).map(Number) as [number, number, number];
const cpa = { algorithm: 'Target CPA', cpa: CPA_DOLLARS, cpi: KNOWN_CPI_DOLLARS } as const;
const roas = { algorithm: 'Target ROAS', roas: ROAS_PERCENT, cpi: KNOWN_CPI_DOLLARS } as const;
const settings: Omit<ValueSettings, 'cpmDollars'>[] = [
  cpa,
  { ...cpa, values: 'true' },
  roas,
  { ...roas, values: 'true' },
  ...CPI_DOLLARS.map((cpi) => ({ algorithm: 'Target CPI', cpi }) as const),
  ...CPI_DOLLARS.map((values) => ({ ...cpa, values })),
];
const all = runValueWeeks(
  settings.map((one) => ({ cpmDollars: CPM_DOLLARS, ...one })),
  { requestsPerDay, copies, startsAtMs: STARTS_AT_MS, seed, creatives: creativesOfThreeDrafts() },
);
const [cpaWeeks, cpaOracle, roasWeeks, roasOracle, ...others] = all as [
  ValueWeeks,
  ValueWeeks,
  ValueWeeks,
  ValueWeeks,
  ...ValueWeeks[],
];
const [targetCpi, alike] = [others.slice(0, CPI_DOLLARS.length), others.slice(CPI_DOLLARS.length)];

type Bought = 'people' | 'revenueDollars';
const percent = (ratio: number): number => 100 * (ratio - 1);

/** The purchases of bidders with different prices at a spend, interpolated linearly in logarithms between the two nearest. */
function boughtAt(spentMicros: number, weeks: readonly ValueWeeks[], what: Bought): number {
  const sorted = weeks.toSorted((a, b) => a.spentMicros - b.spentMicros);
  const more = sorted.findIndex((one) => one.spentMicros >= spentMicros);
  const above = more < 0 ? sorted.length - 1 : Math.max(1, more);
  const [low, high] = [sorted[above - 1]!, sorted[above]!];
  const share = Math.log(spentMicros / low.spentMicros) / Math.log(high.spentMicros / low.spentMicros);
  return low[what] * (high[what] / low[what]) ** share;
}
const upliftOf = (weeks: ValueWeeks, than: readonly ValueWeeks[], what: Bought): number =>
  percent(weeks[what] / boughtAt(weeks.spentMicros, than, what));

const shareOfOracleCpa = cpaWeeks.people / cpaOracle.people;
const shareOfOracleRoas = roasWeeks.revenueDollars / roasOracle.revenueDollars;
const figures: ValueFigures = {
  cpaErrorPercent: Math.abs(percent(cpaWeeks.spentMicros / cpaWeeks.people / toMicros(CPA_DOLLARS))),
  roasErrorPercent: Math.abs(
    percent((roasWeeks.revenueDollars * 1e8) / roasWeeks.spentMicros / ROAS_PERCENT),
  ),
  upliftCpaPercent: upliftOf(cpaWeeks, targetCpi, 'people'),
  upliftRoasPercent: upliftOf(roasWeeks, targetCpi, 'revenueDollars'),
  upliftCpaByValuesPercent: upliftOf(cpaWeeks, alike, 'people'),
  upliftRoasByValuesPercent: upliftOf(roasWeeks, alike, 'revenueDollars'),
  oracleCpaByValuesPercent: upliftOf(cpaOracle, alike, 'people'),
  oracleRoasByValuesPercent: upliftOf(roasOracle, alike, 'revenueDollars'),
  shareOfOracleCpa,
  shareOfOracleRoas,
  shareOfOracle: Math.min(shareOfOracleCpa, shareOfOracleRoas),
  peopleInSevenDays: (7 * Math.min(cpaWeeks.people, roasWeeks.people)) / cpaWeeks.days,
};
const lines = all.map(({ spentMicros, impressions, auctions, installs, people, revenueDollars }, index) => {
  const { algorithm, values, cpi } = settings[index]!;
  const target = algorithm === 'Target CPI' ? `$${cpi}` : '';
  const by = values === 'true' ? 'by the true values' : values ? `each install $${values}` : target;
  return (
    `${`${algorithm} ${by}`.padEnd(34)} spent $${(spentMicros / 1e6).toFixed(0)}, won ${((100 * impressions) / auctions).toFixed(1)}%, ` +
    `${installs.toFixed(0)} installs, ${people.toFixed(0)} people at $${(spentMicros / 1e6 / people).toFixed(3)}, ` +
    `revenue ${((revenueDollars * 1e8) / spentMicros).toFixed(0)}%`
  );
});
process.send!({ lines, figures });
