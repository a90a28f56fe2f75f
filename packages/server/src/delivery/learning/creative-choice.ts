import { drawGamma } from './gamma.ts';

/** What came of a creative in one ad set. */
interface Arm {
  impressions: number;
  clicks: number;
  installs: number;
}

const untried: Arm = { impressions: 0, clicks: 0, installs: 0 };

/** What is believed of a creative before it was shown: one click in a hundred impressions, one install in ten clicks. */
const IMPRESSIONS_PER_CLICK = 100;
const CLICKS_PER_INSTALL = 10;

/**
 * Chooses among the creatives of an ad set by Thompson sampling: each is shown as often as it may yet be the best one
 * (O. Chapelle and L. Li, "An Empirical Evaluation of Thompson Sampling", NIPS 2011). A creative's worth is installs per
 * impression: a draw of its clicks per impression times a draw of its installs per click.
 */
export class CreativeChoice {
  /** By ad set and creative. */
  readonly #arms = new Map<string, Arm>();

  impression(adsetId: string, creativeId: string, times = 1): void {
    this.#armOf(adsetId, creativeId).impressions += times;
  }
  click(adsetId: string, creativeId: string, times = 1): void {
    this.#armOf(adsetId, creativeId).clicks += times;
  }
  install(adsetId: string, creativeId: string, times = 1): void {
    this.#armOf(adsetId, creativeId).installs += times;
  }

  /** The one to show now. `creatives` is not empty; `random` is even between 0 and 1. */
  choose<Creative extends { uuid: string }>(
    adsetId: string,
    creatives: readonly Creative[],
    random: () => number,
  ): Creative {
    let best = creatives[0]!;
    if (creatives.length === 1) return best;
    let bestWorth = -1;
    for (const creative of creatives) {
      const worth = drawWorth(this.#arms.get(`${adsetId} ${creative.uuid}`) ?? untried, random);
      if (worth > bestWorth) {
        best = creative;
        bestWorth = worth;
      }
    }
    return best;
  }

  /** Lets what is past weigh less. */
  fade(share: number): void {
    for (const [key, arm] of this.#arms) {
      arm.impressions *= share;
      arm.clicks *= share;
      arm.installs *= share;
      if (arm.impressions < 1 && arm.clicks < 0.01) this.#arms.delete(key);
    }
  }

  #armOf(adsetId: string, creativeId: string): Arm {
    const key = `${adsetId} ${creativeId}`;
    let arm = this.#arms.get(key);
    if (!arm) this.#arms.set(key, (arm = { impressions: 0, clicks: 0, installs: 0 }));
    return arm;
  }
}

function drawWorth({ impressions, clicks, installs }: Arm, random: () => number): number {
  const clickRate = drawGamma(clicks + 1, random) / (impressions + IMPRESSIONS_PER_CLICK);
  return (clickRate * drawGamma(installs + 1, random)) / (clicks + CLICKS_PER_INSTALL);
}
