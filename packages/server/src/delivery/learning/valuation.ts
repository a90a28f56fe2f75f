import type { Valuation } from '../model/valuation.ts';
import type { ParsedRequest } from '../model/bid-request.ts';
import { type Candidate, shadesBids, formatKeyOf } from '../model/candidate.ts';
import type { InstallPrices } from './install-price.ts';
import type { Learning } from './learning.ts';

/** Dependencies of {@link valuationOf}. */
export interface ValuationDeps {
  learning: Learning;
  installPrices: Pick<InstallPrices, 'priceOf'>;
  /** Share of offers that a paced ad set bids on, 0 to 1; null when it is not paced evenly. */
  paceOf: (candidate: Candidate, country?: string) => number | null;
  random: () => number;
}

const FIRST_PRICE = 1;

/** Valuation of one request's impressions, from what has been learned. */
export function valuationOf(
  { app, device, ssp, auctionType }: ParsedRequest,
  nowMs: number,
  { learning, installPrices, paceOf, random }: ValuationDeps,
): Valuation {
  const placement = { bundle: app?.bundle ?? '', country: device.country };
  return {
    predict: (format) => learning.predict({ format, ...placement }),
    installPriceMicros(candidate) {
      const pace = paceOf(candidate);
      if (pace === null) return null;
      return installPrices.priceOf(
        candidate.adsetId,
        learning.expectedInstallMicros(candidate.cpmMicros),
        pace,
        nowMs,
      );
    },
    targetInstallMicros: (candidate) =>
      learning.values.micros(candidate, placement.bundle, placement.country),
    costFactor: ({ adsetId }) => learning.costs.factorOf(adsetId),
    choose: ({ adsetId }, creatives) => learning.creatives.choose(adsetId, creatives, random),
    bidCpmMicros(candidate, { creativeFormat }, floorCpmMicros, valueCpmMicros) {
      // Values that differ much between impressions would overpay for the best ones in first-price auctions.
      if (!shadesBids(candidate) || auctionType !== FIRST_PRICE) return valueCpmMicros;
      const offer = {
        exchange: ssp,
        format: formatKeyOf(creativeFormat),
        country: device.country,
        floorCpmMicros,
      };
      return learning.wins.shadedCpmMicros(offer, valueCpmMicros, random);
    },
  };
}
