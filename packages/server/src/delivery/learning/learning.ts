import type { Micros } from '@bidwell/contract/money';
import type { BidRef, DeliveryEvent } from '../model/event.ts';
import { CostBalance } from './cost-balance.ts';
import { CreativeChoice } from './creative-choice.ts';
import { formatKeyOf } from './format-key.ts';
import { trainableInstalls } from './plausibility.ts';
import type { Prediction } from '../model/valuation.ts';
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

/** Counts of a creative in an ad set, publisher's app and country, from reports. */
export interface History {
  companyId: string;
  adsetId: string;
  creativeId: string;
  format: string;
  bundle: string;
  country: string;
  impressions: number;
  clicks: number;
  installs: number;
}

/** Models learned from the events of our bids. In memory; {@link recall} restores them from reports after a start. */
export class Learning {
  readonly #clicks = new RateModel(CLICK_PRIOR, CLICK_SHARING);
  readonly #installs = new RateModel(INSTALL_PRIOR, INSTALL_SHARING);
  readonly creatives = new CreativeChoice();
  readonly wins = new WinRates();
  readonly costs = new CostBalance();
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

  /** Cost of an install at a CPM by the priors alone, micros. */
  expectedInstallMicros(cpmMicros: Micros): number {
    return cpmMicros / 1000 / (CLICK_PRIOR.rate * INSTALL_PRIOR.rate);
  }

  /** Records a sent bid. A win is recorded by {@link observe}. */
  placed(ref: BidRef): void {
    this.wins.placed(offerOf(ref), ref.bidCpmMicros);
  }

  /**
   * Learns from a stored event; events marked as invalid traffic are ignored. To be called once per event, not for tests.
   * `cpiMicros` is the target CPI of its ad set.
   */
  observe({ kind, ref, spendMicros, atMs, mark, untrained }: DeliveryEvent, cpiMicros: Micros | null): void {
    this.#decay(atMs);
    const { adsetId, companyId, bundle } = ref;
    const placement = { adsetId, companyId, bundle, ...offerOf(ref) };
    if (mark !== '') return;
    if (spendMicros > 0) {
      this.wins.won(offerOf(ref), ref.bidCpmMicros);
      if (cpiMicros)
        this.costs.charge(ref.adsetId, this.predict(placement).rateOf(placement) * cpiMicros, spendMicros);
    }
    if (kind === 'impression') {
      this.#clicks.attempt(placement);
      this.creatives.add(ref.adsetId, ref.creativeId, { impressions: 1 });
    }
    if (kind === 'click') {
      this.#clicks.succeed(placement);
      this.#installs.attempt(placement);
      this.creatives.add(ref.adsetId, ref.creativeId, { clicks: 1 });
    }
    if (untrained) return;
    if (kind === 'install') {
      this.#installs.succeed(placement);
      this.creatives.add(ref.adsetId, ref.creativeId, { installs: 1 });
    }
    if (kind === 'install_rejected') {
      this.#installs.succeed(placement, -1);
      this.creatives.add(ref.adsetId, ref.creativeId, { installs: -1 });
    }
  }

  /** Learns from counts from before this process started. */
  restoreCounts(history: Iterable<History>): void {
    for (const { creativeId, impressions, clicks, installs: counted, ...placement } of history) {
      // Older versions did not check the plausibility of each install.
      const installs = Math.max(0, Math.min(counted, trainableInstalls(clicks)));
      this.#clicks.attempt(placement, impressions);
      this.#clicks.succeed(placement, clicks);
      this.#installs.attempt(placement, clicks);
      this.#installs.succeed(placement, installs);
      this.creatives.add(placement.adsetId, creativeId, { impressions, clicks, installs });
    }
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

function offerOf({ exchange, country, creativeType: type, width, height }: BidRef) {
  return { exchange, country, format: formatKeyOf({ type, width, height }) };
}
