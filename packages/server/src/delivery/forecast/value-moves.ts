import type { Draws } from './ranges.ts';

/**
 * How far what an install is worth is moved for a range, in its standard errors. Bids follow what is known, which moves as more becomes
 * known: further than this a day does not move it.
 */
const STEPS = [-2, -1, 0, 1, 2] as const;

/** Factors on what an install may cost at each step; none where its worth has no error, as for ad sets without a goal of value. */
export function valueFactors(error: number | null): number[] {
  return error === null ? [] : STEPS.map((step) => Math.exp(step * error));
}

/** Figures that follow the bids. */
interface Moved {
  impressions: number;
  spendMicros: number;
  installs: number;
}

/**
 * Returns what draws factors on the figures of a day from the figures at each of {@link valueFactors}; factors of 1 where there are
 * none, or nothing is bought. Between the steps they are interpolated.
 */
export function valueMoves(atSteps: readonly Moved[]): (draws: Draws) => Moved {
  const middle = atSteps[STEPS.indexOf(0)];
  if (!middle || middle.impressions <= 0) return () => ({ impressions: 1, spendMicros: 1, installs: 1 });
  return (draws) => {
    const place = Math.min(STEPS.length - 1, Math.max(0, draws.normal() - STEPS[0]));
    const step = Math.min(STEPS.length - 2, Math.floor(place));
    const at = (key: keyof Moved): number => {
      const [from, to] = [atSteps[step]![key], atSteps[step + 1]![key]];
      return middle[key] > 0 ? (from + (to - from) * (place - step)) / middle[key] : 1;
    };
    return { impressions: at('impressions'), spendMicros: at('spendMicros'), installs: at('installs') };
  };
}
