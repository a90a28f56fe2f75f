import type { Algorithm } from '@bidwell/contract/adsets/goals';
import { drawGamma } from '../learning/creative-choice.ts';
import type { CompiledAdset } from '../model/candidate.ts';
import type { Outcome } from './outcome.ts';
import { Draws, type Range, movedShare, rangeOf, valueMoves } from './ranges.ts';
import type { Replayed } from './replay.ts';
import type { WinCurve } from './win-curves.ts';

/** The most that an ad set may spend in a day, with its company's margin, micros; Infinity without a limit. */
export interface SpendLimits {
  dailyBudget: number;
  totalBudget: number;
  balance: number;
}
/** What limits the spend of a day: one of the limits, or the daily budgets of countries. */
export type LimitedBy = keyof SpendLimits | 'countryBudget';

/** Why an ad set would get nothing: no request matches, there is no money, or the way on ends for all requests at a step. */
export type NothingBecause =
  | keyof SpendLimits
  | 'unmatched'
  | 'audiences'
  | 'noIds'
  | 'floor'
  | 'ownAdsets'
  | 'outbid';

/** Weights of the evidence for the rates of an ad set: each is the shape of a gamma distribution around its estimate. */
export type RateEvidence = readonly number[];

/** Inputs of a {@link Day}. */
export interface DayInput {
  adset: CompiledAdset;
  limits: SpendLimits;
  /** Impressions of a bid that was won and charged, by exchange. */
  shownShareOf: (exchange: string) => number;
  rateEvidence: RateEvidence;
  /** Relative error of the value of an install to an ad set with a goal of value; null for others. */
  valueError: number | null;
}

/** The expected result of a bid on a day, limited by the budgets. */
export interface DayPoint {
  /** Share of the matching requests that are won, 0 to 1. */
  winShare: number;
  impressions: number;
  spendMicros: number;
}

/** The expected result of an ad set on a day. Money is in micros, with the company's margin. */
export interface DayRanges {
  /** Matching requests a day. */
  matching: Range;
  impressions: Range;
  spendMicros: Range;
  /** Null when no impression is expected. */
  cpmMicros: Range | null;
  installs: Range;
  /** The same without the difference between days, for a day with known traffic. */
  sameDay: { impressions: Range; spendMicros: Range; installs: Range };
  winShare: number;
  /** Share of the requests above the floor whose person has reached a frequency cap, 0 to 1. */
  cappedShare: number;
  limitedBy: LimitedBy | null;
  /** Null where an impression is to be expected in twenty days. */
  nothingBecause: NothingBecause | null;
}

const DRAWS = 400;
/** Fewer impressions a day are none. */
const EXPECTED_MIN = 0.05;
/** The assumed difference between days, used before several days are known, and its weight in days. */
const DAY_ERROR = 0.12;
const DAY_ERROR_DAYS = 3;
/** Error of a day that is extrapolated from a part of it. */
const PART_OF_DAY_ERROR = 0.35;
/**
 * Error of the method itself, as the standard deviation of the logarithm (`npm run bench -- forecast`) of the requests
 * won, and of the price of an impression where an algorithm sets it.
 */
const METHOD_ERROR = 0.1;
const PRICE_ERRORS: Readonly<Record<Algorithm, number>> = {
  'Manual CPM': 0.02,
  'Target CPI': 0.12,
  'Max installs': 0.2,
  'Target CPA': 0.3,
  'Target ROAS': 0.3,
};
/** Share of the variance of win rates that markets have in common. */
const COMMON_VARIANCE = 0.4;
/** A budget is seldom spent to the last cent. */
const BUDGET_SPENT_SHARE = 0.99;
const WHOLE = 10_000;

/** The charge to a company for each unit of media cost. */
export const marginFactor = (marginBasisPoints: number): number => 1 + marginBasisPoints / WHOLE;

/** Figures of a day, before their ranges. */
interface Figures {
  impressions: number;
  spendMicros: number;
  installs: number;
}

/** Converts outcomes of the sample into figures of a day within the budgets. */
export class Day {
  readonly #input: DayInput;
  readonly #replayed: Replayed;
  readonly #days: number;
  readonly #limitMicros: number;
  readonly #shown: number[];
  /** The most that is spent in a day in each country with a daily budget, with the margin, micros. */
  readonly #countryLimits: number[];
  /** For each market the index of its country in `#countryLimits`; −1 without a daily budget. */
  readonly #countryOf: number[];

  constructor(input: DayInput, replayed: Replayed, days: number) {
    this.#input = input;
    this.#replayed = replayed;
    this.#days = days;
    const { dailyBudget, totalBudget, balance } = input.limits;
    this.#limitMicros = Math.max(0, Math.min(dailyBudget, totalBudget, balance));
    const { markets } = replayed.opportunities;
    this.#shown = markets.map(({ exchange }) => input.shownShareOf(exchange));
    const { countryBudgets } = input.adset;
    const countries = [...countryBudgets.keys()];
    this.#countryLimits = [...countryBudgets.values()].map((micros) => micros * BUDGET_SPENT_SHARE);
    this.#countryOf = markets.map(({ country }) => countries.indexOf(country));
  }

  /** The part of the day's budget that goes to exchanges, without the margin. */
  get mediaBudgetMicros(): number {
    return this.#limitMicros / this.#margin;
  }

  get #margin(): number {
    return marginFactor(this.#input.adset.marginBasisPoints);
  }

  /** The figures of an outcome. */
  pointOf(outcome: Outcome): DayPoint {
    const { impressions, spendMicros } = this.#limited(this.#figuresOf(outcome));
    return { winShare: this.#winShareOf(outcome), impressions, spendMicros };
  }

  /**
   * The figures of an outcome with the ranges in which the truth lies in 80 of 100 cases. `curves` are the win curves of the markets,
   * and `atValues` the outcomes at each of `valueFactors`.
   */
  rangesOf(outcome: Outcome, curves: readonly WinCurve[], atValues: readonly Outcome[]): DayRanges {
    const unlimited = this.#figuresOf(outcome);
    const about = this.#limited(unlimited);
    const moves = valueMoves(atValues.map((at) => this.#figuresOf(at)));
    const drawn = this.#draw(outcome, curves, { dayError: this.#dayError(), moves });
    const drawnOfDay = this.#draw(outcome, curves, { dayError: 0, moves });
    const cpm = (spend: number, impressions: number): number =>
      impressions > 0 ? (spend / impressions) * 1000 : 0;
    const spend = rangeOf(about.spendMicros, drawn.spendMicros);
    return {
      matching: rangeOf(this.#replayed.matching / this.#days, drawn.matching),
      impressions: rangeOf(about.impressions, drawn.impressions),
      spendMicros: { ...spend, high: Math.min(spend.high, Math.max(this.#limitMicros, spend.about)) },
      cpmMicros:
        about.impressions > 0 ? rangeOf(cpm(about.spendMicros, about.impressions), drawn.cpmMicros) : null,
      installs: rangeOf(about.installs, drawn.installs),
      sameDay: {
        impressions: rangeOf(about.impressions, drawnOfDay.impressions),
        spendMicros: rangeOf(about.spendMicros, drawnOfDay.spendMicros),
        installs: rangeOf(about.installs, drawnOfDay.installs),
      },
      winShare: this.#winShareOf(outcome),
      cappedShare: outcome.aboveFloor > 0 ? outcome.capped / outcome.aboveFloor : 0,
      limitedBy: this.#limitedBy(unlimited),
      nothingBecause: about.impressions < EXPECTED_MIN ? this.#nothingBecause(outcome) : null,
    };
  }

  /** The first step at which all requests end. */
  #nothingBecause({ aboveFloor, bids }: Outcome): NothingBecause {
    if (this.#replayed.matching === 0) return 'unmatched';
    if (this.#limitMicros === 0) return this.#leastLimit();
    if (this.#replayed.audienceShare === 0) return 'audiences';
    if (this.#replayed.opportunities.size === 0 && this.#input.adset.caps?.skipsWithoutId) return 'noIds';
    if (aboveFloor === 0) return 'floor';
    return bids === 0 ? 'ownAdsets' : 'outbid';
  }

  #winShareOf({ wins }: Outcome): number {
    const { matching } = this.#replayed;
    return matching > 0 ? Math.min(1, wins / matching) : 0;
  }

  /** The figures of a day within the daily budgets of countries. */
  #figuresOf({ byMarket }: Outcome): FiguresByCountry {
    const figures = new FiguresByCountry(this.#countryLimits);
    for (const [market, shown] of this.#shown.entries())
      figures.add(this.#countryOf[market]!, {
        impressions: (byMarket.wins[market]! * shown) / this.#days,
        spendMicros: (byMarket.costMicros[market]! * this.#margin) / this.#days,
        installs: (byMarket.installs[market]! * shown) / this.#days,
      });
    figures.limit();
    return figures;
  }

  #limited(figures: Figures): Figures {
    const limit = this.#limitMicros * BUDGET_SPENT_SHARE;
    if (figures.spendMicros <= limit) return figures;
    const share = limit / figures.spendMicros;
    return {
      impressions: figures.impressions * share,
      spendMicros: limit,
      installs: figures.installs * share,
    };
  }

  #limitedBy({ spendMicros, isLimited }: FiguresByCountry): LimitedBy | null {
    if (spendMicros <= this.#limitMicros * BUDGET_SPENT_SHARE) return isLimited ? 'countryBudget' : null;
    return this.#leastLimit();
  }

  #leastLimit(): keyof SpendLimits {
    const names = Object.entries(this.#input.limits) as [keyof SpendLimits, number][];
    return names.reduce((least, one) => (one[1] < least[1] ? one : least))[0];
  }

  /** Difference between days, as the standard deviation of the logarithm of the matching requests. */
  #dayError(): number {
    if (this.#days < 1) return Math.hypot(DAY_ERROR, PART_OF_DAY_ERROR * Math.sqrt(1 - this.#days));
    const byDay = Array.from({ length: this.#days }, (_unused, day) => this.#replayed.byDay.get(day) ?? 0);
    const mean = this.#replayed.matching / this.#days;
    if (mean === 0) return DAY_ERROR;
    const squares = byDay.reduce((sum, requests) => sum + (requests / mean - 1) ** 2, 0);
    // The days differ by the error of the sample as well, which is counted on its own.
    const ofSample = (this.#days * this.#replayed.squares) / this.#replayed.matching ** 2;
    const between = Math.max(0, squares - Math.max(0, this.#days - 1) * ofSample);
    const variance =
      (between + DAY_ERROR_DAYS * DAY_ERROR ** 2) / (Math.max(0, this.#days - 1) + DAY_ERROR_DAYS);
    return Math.sqrt(variance * (1 + 1 / this.#days));
  }

  /** Draws days at random: the traffic, the sample, the win curves, the learned rates, and chance itself vary. */
  #draw(
    outcome: Outcome,
    curves: readonly WinCurve[],
    { dayError, moves }: { dayError: number; moves: ReturnType<typeof valueMoves> },
  ) {
    const draws = new Draws(1);
    const values = () => new Float64Array(DRAWS);
    const drawn = {
      matching: values(),
      impressions: values(),
      spendMicros: values(),
      cpmMicros: values(),
      installs: values(),
    };
    const { matching, squares } = this.#replayed;
    const sampleError = matching > 0 ? Math.sqrt(squares) / matching : 0;
    const priceError = PRICE_ERRORS[this.#input.adset.algorithm];
    const moved = this.#movedMarkets(outcome, curves);
    for (let draw = 0; draw < DRAWS; draw += 1) {
      const traffic = draws.factor(dayError) * draws.factor(sampleError);
      drawn.matching[draw] = (matching / this.#days) * traffic;
      const day = moved(draws, traffic * draws.factor(METHOD_ERROR));
      const rate = rateFactor(this.#input.rateEvidence, draws);
      const valued = moves(draws);
      const figures = day({
        impressions: valued.impressions,
        spendMicros: draws.factor(priceError) * valued.spendMicros,
        installs: rate * valued.installs,
      });
      const limited = this.#limited(figures);
      const impressions = draws.count(limited.impressions);
      const chance = limited.impressions > 0 ? impressions / limited.impressions : 1;
      drawn.impressions[draw] = impressions;
      const limitedShare = figures.spendMicros > 0 ? limited.spendMicros / figures.spendMicros : 1;
      // The spend of a day is limited by the budgets in every draw.
      drawn.spendMicros[draw] = Math.min(figures.spendMicrosAt(chance) * limitedShare, this.#limitMicros);
      drawn.cpmMicros[draw] =
        limited.impressions > 0 ? (limited.spendMicros / limited.impressions) * 1000 : 0;
      drawn.installs[draw] = draws.count(limited.installs);
    }
    return drawn;
  }

  /** The figures of a day with the win rates of all markets moved within their errors, times these factors. */
  #movedMarkets({ byMarket }: Outcome, curves: readonly WinCurve[]) {
    const markets = this.#shown.flatMap((shown, market) => {
      const [bids, wins] = [byMarket.bids[market]!, byMarket.wins[market]!];
      if (wins <= 0) return [];
      const cost = byMarket.costMicros[market]!;
      // The price at which the market is won on average.
      const error = curves[market]!.logitError((cost / wins) * 1000);
      const country = this.#countryOf[market]!;
      return [{ country, shown, bids, wins, cost, installs: byMarket.installs[market]!, error }];
    });
    const ratios = new Float64Array(markets.length);
    return (draws: Draws, traffic: number) => {
      const common = draws.normal() * Math.sqrt(COMMON_VARIANCE);
      for (const [at, { bids, wins, error }] of markets.entries()) {
        const own = draws.normal() * Math.sqrt(1 - COMMON_VARIANCE);
        const share = wins / bids;
        ratios[at] = (movedShare(share, error, common + own) / share) * (traffic / this.#days);
      }
      return (factors: Figures): FiguresByCountry => {
        const figures = new FiguresByCountry(this.#countryLimits);
        for (const [at, { country, shown, wins, cost, installs }] of markets.entries())
          figures.add(country, {
            impressions: wins * shown * ratios[at]! * factors.impressions,
            spendMicros: cost * this.#margin * ratios[at]! * factors.spendMicros,
            installs: installs * shown * ratios[at]! * factors.installs,
          });
        figures.limit();
        return figures;
      };
    };
  }
}

/** Sums of figures, in which no country spends more than its limit. */
class FiguresByCountry implements Figures {
  impressions = 0;
  spendMicros = 0;
  installs = 0;
  /** Whether a country reaches its limit. */
  isLimited = false;
  readonly #limits: readonly number[];
  readonly #countries: readonly Figures[];

  constructor(limits: readonly number[]) {
    this.#limits = limits;
    this.#countries = limits.map(() => ({ impressions: 0, spendMicros: 0, installs: 0 }));
  }

  /** Adds figures of the country at an index of the limits; −1 for a country without one. */
  add(country: number, figures: Figures): void {
    addTo(this.#countries[country] ?? this, figures, 1);
  }

  /** The spend with this multiple of the impressions. */
  spendMicrosAt(multiple: number): number {
    let spendMicros = this.spendMicros * multiple;
    for (const [country, figures] of this.#countries.entries()) {
      const limit = this.#limits[country]!;
      const own = Math.min(figures.spendMicros, limit) * multiple;
      spendMicros -= Math.max(0, own - limit);
    }
    return spendMicros;
  }

  /** Adds the countries with a limit to the sums. Call it once, at the end. */
  limit(): void {
    for (const [country, figures] of this.#countries.entries()) {
      const limit = this.#limits[country]!;
      const isAbove = figures.spendMicros > limit;
      this.isLimited ||= isAbove;
      addTo(this, figures, isAbove ? limit / figures.spendMicros : 1);
    }
  }
}

function addTo(sums: Figures, { impressions, spendMicros, installs }: Figures, share: number): void {
  sums.impressions += impressions * share;
  sums.spendMicros += spendMicros * share;
  sums.installs += installs * share;
}

function rateFactor(evidence: RateEvidence, draws: Draws): number {
  return evidence.reduce((factor, weight) => (factor * drawGamma(weight, () => draws.uniform())) / weight, 1);
}
