import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { type AuctionFacts, fillAuctionMacros } from './macros.ts';

const facts: AuctionFacts = {
  requestId: 'r1',
  bidId: 'b1',
  impId: '1',
  seatId: 'seat',
  adId: 'ad',
  clearingCpmMicros: 1_234_500,
  bidCpmMicros: 2_469_000,
  minToWinCpmMicros: 1_230_000,
  lossReason: 0,
};

test('every standard macro is replaced, also in its Base64 form', () => {
  expect(fillAuctionMacros('https://x/?p=${AUCTION_PRICE}&m=${AUCTION_MIN_TO_WIN}', facts)).toBe(
    'https://x/?p=1.2345&m=1.23',
  );
  expect(
    fillAuctionMacros('${AUCTION_ID}|${AUCTION_BID_ID}|${AUCTION_IMP_ID}|${AUCTION_SEAT_ID}', facts),
  ).toBe('r1|b1|1|seat');
  expect(
    fillAuctionMacros('${AUCTION_AD_ID}|${AUCTION_CURRENCY}|${AUCTION_MBR}|${AUCTION_LOSS}', facts),
  ).toBe('ad|USD|0.5|0');
  const coded = fillAuctionMacros('${AUCTION_PRICE:B64}', facts);
  expect(Buffer.from(coded, 'base64').toString()).toBe('1.2345');
});

test('a macro without a value becomes empty, and other text is unchanged', () => {
  expect(fillAuctionMacros('a=${AUCTION_IMP_TS}&b=${AUCTION_SOMETHING}&c=${OTHER}&d={click_id}', facts)).toBe(
    'a=&b=&c=${OTHER}&d={click_id}',
  );
  expect(fillAuctionMacros('${AUCTION_IMP_TS}', { ...facts, impressionAtMs: 17 })).toBe('17');
});

test('text without macros is unchanged', () => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      fc.pre(!text.includes('${AUCTION_'));
      expect(fillAuctionMacros(text, facts)).toBe(text);
    }),
  );
});
