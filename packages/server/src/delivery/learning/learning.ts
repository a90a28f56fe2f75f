import type { Micros } from '@bidwell/contract/lib/money';
import { CostBalance } from './cost-balance.ts';
import type { History, LearningCounts, RateCounts } from './counts.ts';
import { CreativeChoice } from './creative-choice.ts';
import { InstallValues } from './install-values.ts';
import { trainableInstalls } from './plausibility.ts';
import type { AdsetOf, Prediction } from '../model/valuation.ts';
import { RateModel } from './rate-model.ts';
import { WinRates } from './win-rates.ts';

/** Priors: one click in a hundred impressions and one install in ten clicks, medium rates of in-app ads. */
const CLICK_PRIOR = { rate: 0.01, trials: 500 };
const INSTALL_PRIOR = { rate: 0.1, trials: 50 };
/** Companies learn from each other's click rates, within bounds: clicks follow impressions that were paid for. */
const CLICK_SHARING = { weight: 1, liftMax: 10 };
/** Installs are known from postbacks alone: one company's move another's bids by a factor of two at most (1.25³). */
const INSTALL_SHARING = { weight: 0.125, liftMax: 2 };

/** Half-life of counts; of those of win rates, {@link LANDSCAPE_HALF_LIFE_MS}. */
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
   * Learns from sums of events and bids, each to be passed once. `targetOf` returns what an install may cost for an ad set with a
   * target, or null.
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
