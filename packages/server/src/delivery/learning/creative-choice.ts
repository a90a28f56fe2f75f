/** Counts of events, weighted by age. */
interface Outcome {
  impressions: number;
  clicks: number;
  installs: number;
}

interface Arms {
  /** Sum over all creatives of the ad set. */
  total: Outcome;
  byCreative: Map<string, Outcome>;
}

const untried: Readonly<Outcome> = { impressions: 0, clicks: 0, installs: 0 };
/** Prior of an ad set: one click in a hundred impressions, one install in ten clicks. */
const PRIOR: Readonly<Outcome> = { impressions: 100, clicks: 1, installs: 0.1 };
/** Weight of a creative's prior, in events. The prior is the rate of its ad set. */
const WEIGHT = 2;

/**
 * Chooses among the creatives of an ad set by Thompson sampling: each is shown with the probability that it is the best
 * (O. Chapelle and L. Li, "An Empirical Evaluation of Thompson Sampling", NIPS 2011). The objective is installs per
 * impression: a sample of the click rate times a sample of installs per click, each with the ad set's rate as prior.
 */
export class CreativeChoice {
  readonly #adsets = new Map<string, Arms>();

  /** Adds events of a creative in an ad set. Negative installs revoke earlier ones. */
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
      // Revoked installs must not make the count negative.
      outcome.installs = Math.max(0, outcome.installs + installs);
    }
  }

  /** Chooses the creative to show. `creatives` must not be empty; `random` is uniform between 0 and 1. */
  choose<Creative extends { uuid: string }>(
    adsetId: string,
    creatives: readonly Creative[],
    random: () => number,
  ): Creative {
    let best = creatives[0]!;
    if (creatives.length === 1) return best;
    const arms = this.#adsets.get(adsetId);
    const { impressions, clicks, installs } = arms?.total ?? untried;
    const baseline = {
      clickRate: (clicks + PRIOR.clicks) / (impressions + PRIOR.impressions),
      installRate: (installs + PRIOR.installs) / (clicks + PRIOR.clicks),
    };
    let bestValue = -1;
    for (const creative of creatives) {
      const arm = arms?.byCreative.get(creative.uuid) ?? untried;
      const value =
        drawRate(arm.clicks, arm.impressions, baseline.clickRate, random) *
        drawRate(arm.installs, arm.clicks, baseline.installRate, random);
      if (value > bestValue) {
        best = creative;
        bestValue = value;
      }
    }
    return best;
  }

  /** Decays all counts: multiplies them by `share`. */
  decay(share: number): void {
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

/** Samples a rate from its posterior: a Gamma distribution with prior mean `baseline`. */
function drawRate(events: number, trials: number, baseline: number, random: () => number): number {
  return drawGamma(events + WEIGHT, random) / (trials + WEIGHT / baseline);
}

/**
 * Samples the Gamma distribution with the given shape, at least 1, and scale 1 (G. Marsaglia and W. Tsang, "A Simple
 * Method for Generating Gamma Variables", ACM TOMS 26, 2000). `random` is uniform between 0 and 1.
 */
export function drawGamma(shape: number, random: () => number): number {
  const d = shape - 1 / 3;
  const c = 1 / Math.sqrt(9 * d);
  for (;;) {
    const x = drawNormal(random);
    const v = (1 + c * x) ** 3;
    if (v <= 0) continue;
    const u = 1 - random();
    if (Math.log(u) < 0.5 * x * x + d - d * v + d * Math.log(v)) return d * v;
  }
}

/** Samples the standard normal distribution by the Box–Muller transform. */
function drawNormal(random: () => number): number {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
}
