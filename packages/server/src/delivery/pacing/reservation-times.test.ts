import { v7 as uuidv7 } from 'uuid';
import { expect, test } from 'vitest';
import { ReservationTimes } from './reservations.ts';

const noon = Date.parse('2026-05-04T12:00:00Z');
const TEN_MINUTES = 600_000;

/** Sends a bid a second, each with its notice `delayMs(bid)` later. */
function observe(
  reservationTimes: ReservationTimes,
  exchange: string,
  bids: number,
  delayMs: (bid: number) => number,
): void {
  for (let bid = 0; bid < bids; bid += 1) {
    const sentMs = noon + bid * 1000;
    const bidId = uuidv7({ msecs: sentMs });
    reservationTimes.sent(bidId, exchange, sentMs);
    reservationTimes.ended(bidId, true, sentMs + delayMs(bid));
  }
}

test('bids of an unknown exchange are reserved for ten minutes', () => {
  const reservationTimes = new ReservationTimes();
  expect(reservationTimes.reservationMs('adx', null)).toBe(TEN_MINUTES);
  observe(reservationTimes, 'adx', 299, () => 2000);
  expect(reservationTimes.reservationMs('adx', null)).toBe(TEN_MINUTES);
});

test('then for the 99th percentile of the notice delays, for each exchange', () => {
  const reservationTimes = new ReservationTimes();
  observe(reservationTimes, 'quick', 1000, (bid) => (bid % 200 === 0 ? 400_000 : 3000));
  observe(reservationTimes, 'slow', 1000, (bid) => (bid % 50 === 0 ? 100_000 : 3000));
  expect(reservationTimes.reservationMs('quick', null)).toBe(10_000);
  expect(reservationTimes.reservationMs('slow', null)).toBe(120_000);
  expect(reservationTimes.reservationMs('other', null)).toBe(TEN_MINUTES);
});

test('slower notices are measured, even if they come after the money was freed', () => {
  const reservationTimes = new ReservationTimes();
  observe(reservationTimes, 'adx', 1000, () => 3000);
  expect(reservationTimes.reservationMs('adx', null)).toBe(10_000);
  observe(reservationTimes, 'adx', 200, () => 80_000);
  expect(reservationTimes.reservationMs('adx', null)).toBe(90_000);
});

test('losses do not affect the measured delays of charges', () => {
  const reservationTimes = new ReservationTimes();
  for (let bid = 0; bid < 1000; bid += 1) {
    const bidId = uuidv7({ msecs: noon });
    reservationTimes.sent(bidId, 'adx', noon);
    reservationTimes.ended(bidId, false, noon + 100);
  }
  expect(reservationTimes.reservationMs('adx', null)).toBe(TEN_MINUTES);
});

test('a bid whose impression expires early is reserved until then plus the notice delay', () => {
  const reservationTimes = new ReservationTimes();
  expect(reservationTimes.reservationMs('adx', 60)).toBe(90_000);
  expect(reservationTimes.reservationMs('adx', 1)).toBe(20_000);
  expect(reservationTimes.reservationMs('adx', 86_400)).toBe(TEN_MINUTES);
  observe(reservationTimes, 'adx', 1000, () => 3000);
  expect(reservationTimes.reservationMs('adx', 60)).toBe(10_000);
});

test('the number of measured exchanges is limited', () => {
  const reservationTimes = new ReservationTimes();
  for (let bid = 0; bid < 50_000; bid += 1) reservationTimes.sent(uuidv7({ msecs: noon }), 'adx', noon);
  // The first of them are evicted after ten minutes, and others are followed.
  observe(reservationTimes, 'adx', 1000, () => 3000);
  expect(reservationTimes.reservationMs('adx', null)).toBe(10_000);
});
