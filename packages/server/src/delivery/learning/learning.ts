import type { Micros } from '@bidwell/contract/lib/money';
import type { History, LearningCounts, RateCounts } from './counts.ts';
import { CreativeChoice } from './creative-choice.ts';
import { InstallValues } from './install-values.ts';
import { trainableInstalls } from './plausibility.ts';
import type { AdsetOf, Prediction } from '../model/valuation.ts';
import { RateModel } from './rate-model.ts';
import { WinRates } from './win-rates.ts';
import { lruCache } from '../../platform/lru-cache.ts';

/** Priors: one click in a hundred impressions and one install in ten clicks, medium rates of in-app ads. */
const CLICK_PRIOR = { rate: 0.01, trials: 500 };
const INSTALL_PRIOR = { rate: 0.1, trials: 50 };
/** Companies learn from each other's click rates, within bounds: clicks follow impressions that were paid for. */
const CLICK_SHARING = { weight: 1, liftMax: 10 };
/** Installs are known from postbacks alone: one company's move another's bids by a factor of two at most (1.25³). */
const INSTALL_SHARING = { weight: 0.125, liftMax: 2 };

/** Half-life of counts; counts of win rates have {@link LANDSCAPE_HALF_LIFE_MS}. */
const HALF_LIFE_MS = 14 * 86_400_000;
const LANDSCAPE_HALF_LIFE_MS = 86_400_000;
const DECAY_EVERY_MS = 3_600_000;

/**
 * Models learned from sums of the events of our bids. In memory; {@link Learning.restoreCounts} restores them from reports
 * after a start.
 */
export class Learning {
  readonly #clicks = new RateModel(CLICK_PRIOR, CLICK_SHARING);
  readonly #installs = new RateModel(INSTALL_PRIOR, INSTALL_SHARING);
  readonly creatives = new CreativeChoice();
  readonly wins = new WinRates();
  readonly costs = new CostBalance();
  readonly values = new InstallValues();
  #decayedAtMs = 0;

  /** Predicts installs per impression for ad sets, for one format, publisher's app and country. */
  predict(placement: { format: string; bundle: string; country: string }): Prediction {
    const clicks = this.#clicks.predict(placement);
    const installs = this.#installs.predict(placement);
    return {
      rateOf: (adset) => clicks.rateOf(adset) * installs.rateOf(adset),
      rateAtMost: (adset) => clicks.rateAtMost(adset) * installs.rateAtMost(adset),
    };
  }

  /** Shapes of the gamma distributions around the predicted installs of an ad set; see {@link RateModel.evidenceOf}. */
  evidenceOf(adset: AdsetOf): number[] {
    return [this.#clicks, this.#installs].flatMap((model) => Object.values(model.evidenceOf(adset)));
  }

  /** Cost of an install at a CPM by the priors alone, micros. */
  expectedInstallMicros(cpmMicros: Micros): number {
    return cpmMicros / 1000 / (CLICK_PRIOR.rate * INSTALL_PRIOR.rate);
  }

  /**
   * Learns from sums of events and bids, each to be passed once. `targetOf` returns the allowed cost of an install for an ad set
   * with a target, or null.
   */
  learn(
    { rates, prices }: LearningCounts,
    nowMs: number,
    targetOf: (counts: RateCounts) => number | null,
  ): void {
    this.#decay(nowMs);
    for (const counts of prices) this.wins.add(counts);
    for (const counts of rates) {
      const { adsetId, charges, mediaMicros } = counts;
      const targetMicros = charges > 0 ? targetOf(counts) : null;
      if (targetMicros) {
        const installs = charges * this.predict(counts).rateOf(counts);
        this.costs.charge(adsetId, {
          impressions: charges,
          valueMicros: installs * targetMicros,
          spentMicros: mediaMicros,
        });
      }
      this.#add(counts);
    }
  }

  /** Learns from counts from before this process started. */
  restoreCounts(history: Iterable<History>): void {
    for (const counts of history) {
      // Older versions did not check the plausibility of each install.
      const installs = Math.max(0, Math.min(counts.installs, trainableInstalls(counts.clicks)));
      this.#add({ ...counts, installs });
    }
  }

  #add(counts: History): void {
    const { adsetId, creativeId, impressions, clicks, installs } = counts;
    if (impressions !== 0 || clicks !== 0) this.#clicks.add(counts, impressions, clicks);
    if (clicks !== 0 || installs !== 0) this.#installs.add(counts, clicks, installs);
    if (impressions !== 0 || clicks !== 0 || installs !== 0) this.creatives.add(adsetId, creativeId, counts);
  }

  #decay(nowMs: number): void {
    if (this.#decayedAtMs === 0) this.#decayedAtMs = nowMs;
    const passedMs = nowMs - this.#decayedAtMs;
    if (passedMs < DECAY_EVERY_MS) return;
    this.#decayedAtMs = nowMs;
    const share = 0.5 ** (passedMs / HALF_LIFE_MS);
    this.#clicks.decay(share);
    this.#installs.decay(share);
    this.creatives.decay(share);
    this.wins.decay(0.5 ** (passedMs / LANDSCAPE_HALF_LIFE_MS));
  }
}

/** Charged impressions between two updates of the factor: enough to measure the effect of the last update. */
const IMPRESSIONS_PER_STEP = 200;
/** Exponent of the correction in each update; 1 would correct the whole error at once. */
const GAIN = 0.5;
const FACTOR_MAX = 4;

/** Maximum ad sets in memory; the ad sets that spent least recently are evicted. */
const ADSETS_MAX = 100_000;

interface Account {
  factor: number;
  impressions: number;
  /** Predicted value of the impressions since the last update: expected installs times the allowed cost of one. */
  valueMicros: number;
  spentMicros: number;
}

/**
 * Factor by which an ad set with a target CPI, CPA or ROAS bids above its value, because second-price auctions charge less than the bid. A
 * feedback controller moves the factor until the average spend matches the predicted value, so that an install costs the target on
 * average. One factor for all bids of the ad set buys the most installs at that average.
 */
export class CostBalance {
  readonly #accounts = lruCache<string, Account>(ADSETS_MAX);

  /** Records charged impressions. `valueMicros` is their predicted value together. */
  charge(
    adsetId: string,
    {
      impressions,
      valueMicros,
      spentMicros,
    }: { impressions: number; valueMicros: number; spentMicros: Micros },
  ): void {
    let account = this.#accounts.get(adsetId);
    if (!account)
      this.#accounts.set(adsetId, (account = { factor: 1, impressions: 0, valueMicros: 0, spentMicros: 0 }));
    account.impressions += impressions;
    account.valueMicros += valueMicros;
    account.spentMicros += spentMicros;
    if (account.impressions < IMPRESSIONS_PER_STEP || account.spentMicros === 0) return;
    const target = account.factor * (account.valueMicros / account.spentMicros) ** GAIN;
    account.factor = Math.min(FACTOR_MAX, Math.max(1, target));
    account.impressions = account.valueMicros = account.spentMicros = 0;
  }

  /** Current factor, from 1 (bid the value) to 4. */
  factorOf(adsetId: string): number {
    return this.#accounts.peek(adsetId)?.factor ?? 1;
  }
}
