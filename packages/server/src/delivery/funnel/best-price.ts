import type { Micros } from '@bidwell/contract/lib/money';
import { floorOf } from '../auction/floor.ts';
import { formatNoBidReason } from '../auction/formats.ts';
import { valueCpmMicros } from '../auction/price.ts';
import type { ParsedImp, ParsedRequest } from '../model/bid-request.ts';
import type { Candidate, CreativeFormat } from '../model/candidate.ts';
import { formatKeyOf } from '../model/format-key.ts';
import type { Valuation } from '../model/valuation.ts';

/** What an impression is worth to an ad set, and what it costs at least. */
export interface Prices {
  /** Highest value among the creatives that fit, micros per thousand; 0 when none does. */
  valueCpmMicros: Micros;
  /** Whether the value reaches the floor for one of them. */
  isAboveFloor: boolean;
  /** Lowest floor among the creatives that fit; null when none does. */
  lowestFloorCpmMicros: Micros | null;
}

/** The prices of a request for an ad set, over its imps and the creatives that fit them. */
export function bestPrices(
  candidate: Candidate,
  request: ParsedRequest,
  context: { valuation: Valuation },
): Prices {
  const best: Prices = { valueCpmMicros: 0, isAboveFloor: false, lowestFloorCpmMicros: null };
  for (const imp of request.imps) {
    const fitting = candidate.creatives
      .map(({ creativeFormat }) => creativeFormat)
      .filter((creativeFormat) => formatNoBidReason(imp, creativeFormat) === null);
    const prices = pricesOf(candidate, fitting, imp, request, context);
    best.valueCpmMicros = Math.max(best.valueCpmMicros, prices.valueCpmMicros);
    best.isAboveFloor ||= prices.isAboveFloor;
    const { lowestFloorCpmMicros: floor } = prices;
    if (floor !== null) best.lowestFloorCpmMicros = Math.min(best.lowestFloorCpmMicros ?? Infinity, floor);
  }
  return best;
}

/** The prices of one imp for the creative formats that fit it. */
export function pricesOf(
  candidate: Candidate,
  fitting: readonly CreativeFormat[],
  imp: ParsedImp,
  { app }: ParsedRequest,
  { valuation }: { valuation: Valuation },
): Prices {
  const prices: Prices = { valueCpmMicros: 0, isAboveFloor: false, lowestFloorCpmMicros: null };
  for (const creativeFormat of fitting) {
    const predict = () => valuation.predict(formatKeyOf(creativeFormat));
    const value = valueCpmMicros(candidate, app?.bundle ?? '', predict, valuation, 0) ?? 0;
    const floor = floorOf(imp, creativeFormat);
    prices.valueCpmMicros = Math.max(prices.valueCpmMicros, value);
    prices.isAboveFloor ||= value > 0 && value >= floor;
    prices.lowestFloorCpmMicros = Math.min(prices.lowestFloorCpmMicros ?? Infinity, floor);
  }
  return prices;
}
