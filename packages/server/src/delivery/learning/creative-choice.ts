import { drawGamma } from './gamma.ts';

/** What came of showing something. */
interface Outcome {
  impressions: number;
  clicks: number;
  installs: number;
}

interface Arms {
  /** Of all creatives of the ad set. */
  total: Outcome;
  byCreative: Map<string, Outcome>;
}

const untried: Readonly<Outcome> = { impressions: 0, clicks: 0, installs: 0 };
/** What is believed of an ad set before it was shown: one click in a hundred impressions, one install in ten clicks. */
const BELIEVED: Readonly<Outcome> = { impressions: 100, clicks: 1, installs: 0.1 };
/** So many events is the belief worth that a creative does as its ad set does. */
const WEIGHT = 2;

/**
 * Chooses among the creatives of an ad set by Thompson sampling: each is shown as often as it may yet be the best one
 * (O. Chapelle and L. Li, "An Empirical Evaluation of Thompson Sampling", NIPS 2011). A creative's worth is installs per
 * impression: a draw of its clicks per impression times a draw of its installs per click, both believed at first to be as
 * the ad set's own.
 */
export class CreativeChoice {
  readonly #adsets = new Map<string, Arms>();

  /** Something came of a creative in an ad set. */
  add(
    adsetId: string,
    creativeId: string,
    { impressions = 0, clicks = 0, installs = 0 }: Partial<Outcome>,
  ): void {
    let arms = this.#adsets.get(adsetId);
    if (!arms) this.#adsets.set(adsetId, (arms = { total: { ...untried }, byCreative: new Map() }));
    let arm = arms.byCreative.get(creativeId);
    if (!arm) arms.byCreative.set(creativeId, (arm = { ...untried }));
    for (const outcome of [arm, arms.total]) {
      outcome.impressions += impressions;
      outcome.clicks += clicks;
      // An install may be taken back.
      outcome.installs = Math.max(0, outcome.installs + installs);
    }
  }

  /** The one to show now. `creatives` is not empty; `random` is even between 0 and 1. */
  choose<Creative extends { uuid: string }>(
    adsetId: string,
    creatives: readonly Creative[],
    random: () => number,
  ): Creative {
    let best = creatives[0]!;
    if (creatives.length === 1) return best;
    const arms = this.#adsets.get(adsetId);
    const { impressions, clicks, installs } = arms?.total ?? untried;
    const usual = {
      clickRate: (clicks + BELIEVED.clicks) / (impressions + BELIEVED.impressions),
      installRate: (installs + BELIEVED.installs) / (clicks + BELIEVED.clicks),
    };
    let bestWorth = -1;
    for (const creative of creatives) {
      const arm = arms?.byCreative.get(creative.uuid) ?? untried;
      const worth =
        drawRate(arm.clicks, arm.impressions, usual.clickRate, random) *
        drawRate(arm.installs, arm.clicks, usual.installRate, random);
      if (worth > bestWorth) {
        best = creative;
        bestWorth = worth;
      }
    }
    return best;
  }

  /** Lets what is past weigh less. */
  fade(share: number): void {
    for (const [adsetId, { total, byCreative }] of this.#adsets) {
      for (const outcome of [total, ...byCreative.values()]) {
        outcome.impressions *= share;
        outcome.clicks *= share;
        outcome.installs *= share;
      }
      if (total.impressions < 1) this.#adsets.delete(adsetId);
    }
  }
}

/** A rate as it may be, for one who has seen so much of it and believes that it is as usual. */
function drawRate(events: number, trials: number, usual: number, random: () => number): number {
  return drawGamma(events + WEIGHT, random) / (trials + WEIGHT / usual);
}
