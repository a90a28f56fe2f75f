import type { Micros } from '@bidwell/contract/money';
import type { BidRef, DeliveryEvent } from '../model/event.ts';
import { CostBalance } from './cost-balance.ts';
import { CreativeChoice } from './creative-choice.ts';
import { formatOf } from './format.ts';
import { trainableInstalls } from './plausibility.ts';
import type { Outlook } from '../model/valuation.ts';
import { RateModel } from './rate-model.ts';
import { WinRates } from './win-rates.ts';

/** One click in a hundred impressions and one install in ten clicks: in the middle of what in-app ads bring. */
const CLICK_BELIEF = { rate: 0.01, trials: 500 };
const INSTALL_BELIEF = { rate: 0.1, trials: 50 };
/** Clicks come from impressions that were paid for: companies learn from each other's, within bounds. */
const CLICK_SHARING = { weight: 1, liftMax: 10 };
/** Installs are what postbacks say: one company's move another's bids by a factor of two at most (1.25³). */
const INSTALL_SHARING = { weight: 0.125, liftMax: 2 };

/** What is past weighs half as much after so long. */
const HALF_LIFE_MS = 14 * 86_400_000;
const LANDSCAPE_HALF_LIFE_MS = 86_400_000;
const FADE_EVERY_MS = 3_600_000;

/** Impressions, clicks and installs of a creative in one place, as reports count them. */
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

/** What the bidder has learned from what came of its bids. In memory; {@link recall} brings back what reports know. */
export class Learning {
  readonly #clicks = new RateModel(CLICK_BELIEF, CLICK_SHARING);
  readonly #installs = new RateModel(INSTALL_BELIEF, INSTALL_SHARING);
  readonly creatives = new CreativeChoice();
  readonly wins = new WinRates();
  readonly costs = new CostBalance();
  #fadedAtMs = 0;

  /** Installs that one impression promises to an ad set, that shows one format in one place. */
  outlook(place: { format: string; bundle: string; country: string }): Outlook {
    const clicks = this.#clicks.outlook(place);
    const installs = this.#installs.outlook(place);
    return {
      rateOf: (adset) => clicks.rateOf(adset) * installs.rateOf(adset),
      rateAtMost: (adset) => clicks.rateAtMost(adset) * installs.rateAtMost(adset),
    };
  }

  /** What an install costs at a CPM where nothing is known but what is usual; micros. */
  usualInstallMicros(cpmMicros: Micros): number {
    return cpmMicros / 1000 / (CLICK_BELIEF.rate * INSTALL_BELIEF.rate);
  }

  /** A bid is sent: whether it wins is told by {@link observe}. */
  placed(ref: BidRef): void {
    this.wins.placed(offerOf(ref), ref.bidCpmMicros);
  }

  /** Learns from an event that was stored: once each, tests left out; nothing from what no person did. `cpiMicros` is what its ad set wants to pay an install. */
  observe({ kind, ref, spendMicros, atMs, mark, untrained }: DeliveryEvent, cpiMicros: Micros | null): void {
    this.#fade(atMs);
    const { adsetId, companyId, bundle } = ref;
    const place = { adsetId, companyId, bundle, ...offerOf(ref) };
    if (mark !== '') return;
    if (spendMicros > 0) {
      this.wins.won(offerOf(ref), ref.bidCpmMicros);
      if (cpiMicros)
        this.costs.charge(ref.adsetId, this.outlook(place).rateOf(place) * cpiMicros, spendMicros);
    }
    if (kind === 'impression') {
      this.#clicks.attempt(place);
      this.creatives.add(ref.adsetId, ref.creativeId, { impressions: 1 });
    }
    if (kind === 'click') {
      this.#clicks.succeed(place);
      this.#installs.attempt(place);
      this.creatives.add(ref.adsetId, ref.creativeId, { clicks: 1 });
    }
    if (untrained) return;
    if (kind === 'install') {
      this.#installs.succeed(place);
      this.creatives.add(ref.adsetId, ref.creativeId, { installs: 1 });
    }
    if (kind === 'install_rejected') {
      this.#installs.succeed(place, -1);
      this.creatives.add(ref.adsetId, ref.creativeId, { installs: -1 });
    }
  }

  /** Learns from what was counted before this process began. */
  recall(history: Iterable<History>): void {
    for (const { creativeId, impressions, clicks, installs: counted, ...place } of history) {
      // What an older version counted was not judged one by one.
      const installs = Math.max(0, Math.min(counted, trainableInstalls(clicks)));
      this.#clicks.attempt(place, impressions);
      this.#clicks.succeed(place, clicks);
      this.#installs.attempt(place, clicks);
      this.#installs.succeed(place, installs);
      this.creatives.add(place.adsetId, creativeId, { impressions, clicks, installs });
    }
  }

  #fade(nowMs: number): void {
    if (this.#fadedAtMs === 0) this.#fadedAtMs = nowMs;
    const passedMs = nowMs - this.#fadedAtMs;
    if (passedMs < FADE_EVERY_MS) return;
    this.#fadedAtMs = nowMs;
    const share = 0.5 ** (passedMs / HALF_LIFE_MS);
    this.#clicks.fade(share);
    this.#installs.fade(share);
    this.creatives.fade(share);
    this.wins.fade(0.5 ** (passedMs / LANDSCAPE_HALF_LIFE_MS));
  }
}

function offerOf({ exchange, country, creativeType: type, width, height }: BidRef) {
  return { exchange, country, format: formatOf({ type, width, height }) };
}
