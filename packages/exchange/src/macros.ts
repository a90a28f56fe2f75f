import type { Micros } from '@bidwell/contract/money';
import { toDollars } from '@bidwell/contract/money';

/** What an exchange knows of an auction's end, for the macros of OpenRTB 2.6, 4.4; prices per thousand impressions. */
export interface AuctionFacts {
  requestId: string;
  bidId: string;
  impId: string;
  seatId: string;
  adId: string;
  clearingCpmMicros: Micros;
  bidCpmMicros: Micros;
  minToWinCpmMicros: Micros;
  /** 0 for a win, else the reason's code. */
  lossReason: number;
  /** When the impression happened, if it did; Unix milliseconds. */
  impressionAtMs?: number;
}

/**
 * Fills the auction macros of a notice's address or of markup, `${AUCTION_PRICE}` and with `:B64` its Base64 form. A macro
 * without a value, or that this exchange does not know, becomes empty, as the standard says.
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

function valuesOf(facts: AuctionFacts): Map<string, string> {
  return new Map([
    ['ID', facts.requestId],
    ['BID_ID', facts.bidId],
    ['IMP_ID', facts.impId],
    ['SEAT_ID', facts.seatId],
    ['AD_ID', facts.adId],
    ['PRICE', String(toDollars(facts.clearingCpmMicros))],
    ['CURRENCY', 'USD'],
    ['MBR', String(Math.round((facts.clearingCpmMicros / Math.max(facts.bidCpmMicros, 1)) * 1000) / 1000)],
    ['LOSS', String(facts.lossReason)],
    ['MIN_TO_WIN', String(toDollars(facts.minToWinCpmMicros))],
    ['MULTIPLIER', '1'],
    ['IMP_TS', facts.impressionAtMs === undefined ? '' : String(facts.impressionAtMs)],
  ]);
}
