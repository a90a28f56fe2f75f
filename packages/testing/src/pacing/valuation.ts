import type { Valuation } from '@bidwell/server/delivery/model/valuation';

/** One install in a thousand impressions. */
export const DEFAULT_INSTALL_RATE = 0.001;

/** A valuation without any learned data: default install rates, and no bid shading. */
export function plainValuation(random: () => number = Math.random): Valuation {
  const defaultRate = () => DEFAULT_INSTALL_RATE;
  return {
    predict: () => ({ rateOf: defaultRate, rateAtMost: defaultRate }),
    installPriceMicros: () => null,
    targetInstallMicros: ({ cpiMicros, goal }) => goal?.priorInstallMicros ?? cpiMicros,
    costFactor: () => 1,
    choose: (_candidate, creatives) => creatives[Math.floor(random() * creatives.length)] ?? creatives[0]!,
    bidCpmMicros: (_candidate, _type, _floor, valueCpmMicros) => valueCpmMicros,
  };
}
