import { type Micros, toDollars } from '@bidwell/contract/lib/money';

/** Values of an auction for the macros of OpenRTB 2.6, 4.4; prices per thousand impressions. */
export interface AuctionFacts {
  requestId: string;
  bidId: string;
  impId: string;
  seatId: string;
  adId: string;
  clearingCpmMicros: Micros;
  bidCpmMicros: Micros;
  minToWinCpmMicros: Micros;
  /** The macro of `minToWinCpmMicros` where it is not OpenRTB's; null where the exchange replaces none. */
  minToWinMacro?: string | null;
  /** The clearing price as the exchange writes it, where it is encrypted. */
  priceText?: string;
  /** 0 for a win, else the reason's code. */
  lossReason: number;
  /** Time of the impression, if any; Unix milliseconds. */
  impressionAtMs?: number;
}

/**
 * Replaces the auction macros in a notice URL or in markup, such as `${AUCTION_PRICE}`; the suffix `:B64` encodes the value
 * in Base64. Unknown macros and macros without a value become empty, as the standard requires.
 */
export function fillAuctionMacros(template: string, facts: AuctionFacts): string {
  const values = valuesOf(facts);
  return template.replaceAll(
    /\$\{AUCTION_([A-Z_]+)(:B64)?\}/g,
    (_macro, name: string, encoding: string | undefined) => {
      const value = values.get(name) ?? '';
      return encoding ? Buffer.from(value).toString('base64') : value;
    },
  );
}

const MIN_TO_WIN = '${AUCTION_MIN_TO_WIN}';

function valuesOf(facts: AuctionFacts): Map<string, string> {
  const { minToWinMacro = MIN_TO_WIN } = facts;
  return new Map([
    ['ID', facts.requestId],
    ['BID_ID', facts.bidId],
    ['IMP_ID', facts.impId],
    ['SEAT_ID', facts.seatId],
    ['AD_ID', facts.adId],
    ['PRICE', facts.priceText ?? String(toDollars(facts.clearingCpmMicros))],
    ['CURRENCY', 'USD'],
    ['MBR', String(Math.round((facts.clearingCpmMicros / Math.max(facts.bidCpmMicros, 1)) * 1000) / 1000)],
    ['LOSS', String(facts.lossReason)],
    ...(minToWinMacro === null
      ? []
      : [[nameIn(minToWinMacro), String(toDollars(facts.minToWinCpmMicros))] as [string, string]]),
    ['MULTIPLIER', '1'],
    ['IMP_TS', facts.impressionAtMs === undefined ? '' : String(facts.impressionAtMs)],
  ]);
}

/** The name in a macro, without what all macros begin and end with. */
function nameIn(macro: string): string {
  return macro.slice('${AUCTION_'.length, -1);
}
