import type { Judgement } from '../model/valuation.ts';
import type { ParsedRequest } from '../model/bid-request.ts';
import type { Candidate } from '../model/candidate.ts';
import { formatOf } from './format.ts';
import type { InstallPrices } from './install-price.ts';
import type { Learning } from './learning.ts';

/** What the judgement of one request is made from. */
export interface JudgementDeps {
  learning: Learning;
  installPrices: InstallPrices;
  /** The share of offers that an evenly paced ad set bids on; null when it is not paced. */
  paceOf: (candidate: Candidate) => number | null;
  random: () => number;
}

const FIRST_PRICE = 1;

/** What has been learned, as the auction of one request asks for it. */
export function judgementOf(
  { app, device, ssp, auctionType }: ParsedRequest,
  nowMs: number,
  { learning, installPrices, paceOf, random }: JudgementDeps,
): Judgement {
  const place = { bundle: app?.bundle ?? '', country: device.country };
  return {
    outlook: (format) => learning.outlook({ format, ...place }),
    installPriceMicros(candidate) {
      const pace = paceOf(candidate);
      if (pace === null) return null;
      return installPrices.priceOf(
        candidate.adsetId,
        learning.usualInstallMicros(candidate.cpmMicros),
        pace,
        nowMs,
      );
    },
    costFactor: ({ adsetId }) => learning.costs.factorOf(adsetId),
    choose: ({ adsetId }, creatives) => learning.creatives.choose(adsetId, creatives, random),
    bidCpmMicros(candidate, { shape }, floorCpmMicros, worthCpmMicros) {
      // The other algorithms bid what their settings say.
      if (candidate.algorithm !== 'Max installs' || auctionType !== FIRST_PRICE) return worthCpmMicros;
      const offer = { exchange: ssp, format: formatOf(shape), country: device.country, floorCpmMicros };
      return learning.wins.shadedCpmMicros(offer, worthCpmMicros, random);
    },
  };
}
