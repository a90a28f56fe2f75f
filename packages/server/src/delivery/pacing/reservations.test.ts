import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Reservations, ReservationTimes } from './reservations.ts';
import { v7 as uuidv7 } from 'uuid';

/** Reservations as a list, in which everything is looked up from the start. */
class ListedReservations {
  #entries: { bidId: string; holder: string; micros: number; exchange: string; expiresAtMs: number }[] = [];

  get size() {
    return this.#entries.length;
  }

  add(
    bidId: string,
    holder: string,
    micros: number,
    nowMs: number,
    durationMs: number,
    exchange: string,
  ): void {
    this.#entries.push({ bidId, holder, micros, exchange, expiresAtMs: nowMs + durationMs });
  }

  take(bidId: string) {
    const found = this.#entries.find((entry) => entry.bidId === bidId);
    this.#entries = this.#entries.filter((entry) => entry !== found);
    return found && { holder: found.holder, micros: found.micros, exchange: found.exchange };
  }

  expired(nowMs: number) {
    const expired = this.#entries.filter(({ expiresAtMs }) => expiresAtMs <= nowMs);
    this.#entries = this.#entries.filter(({ expiresAtMs }) => expiresAtMs > nowMs);
    return expired.map(({ holder, micros }) => ({ holder, micros }));
  }
}

const sorted = (entries: { holder: string; micros: number }[]) =>
  entries.map(({ holder, micros }) => `${holder} ${micros}`).toSorted();

test('in any order of adding, taking and expiring, nothing is lost or found twice', () => {
  const step = fc.record({
    action: fc.constantFrom('add', 'add', 'add', 'take', 'wait'),
    bid: fc.uuid(),
    pick: fc.nat(),
    holder: fc.constantFrom('a', 'b', 'c'),
    micros: fc.integer({ min: 1, max: 1e9 }),
    durationMs: fc.constantFrom(10, 20, 500),
    exchange: fc.constantFrom('adx', 'other'),
    waitMs: fc.nat({ max: 30 }),
  });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 300 }), (steps) => {
      const [reservations, listed] = [new Reservations<string>(), new ListedReservations()];
      const bids: string[] = [];
      let nowMs = 0;
      for (const { action, bid, pick, holder, micros, durationMs, exchange, waitMs } of steps) {
        if (action === 'add' && !bids.includes(bid)) {
          bids.push(bid);
          for (const each of [reservations, listed])
            each.add(bid, holder, micros, nowMs, durationMs, exchange);
        } else if (action === 'take') {
          const taken = bids[pick % (bids.length + 1)] ?? bid;
          expect(reservations.take(taken)).toEqual(listed.take(taken));
        } else if (action === 'wait') {
          nowMs += waitMs;
          const expired: { holder: string; micros: number }[] = [];
          reservations.expire(nowMs, Infinity, (reservation) => expired.push(reservation));
          expect(sorted(expired)).toEqual(sorted(listed.expired(nowMs)));
        }
        expect(reservations.size).toBe(listed.size);
      }
    }),
  );
});

test('a hundred thousand reservations are found, in blocks that are used again', () => {
  const reservations = new Reservations<string>();
  for (let round = 0; round < 3; round += 1) {
    for (let bid = 0; bid < 100_000; bid += 1) reservations.add(`bid ${bid}`, 'holder', bid, round, 600_000);
    expect(reservations.size).toBe(100_000);
    let sum = 0;
    for (let bid = 0; bid < 100_000; bid += 2) sum += reservations.take(`bid ${bid}`)!.micros;
    reservations.expire(600_000 + round, Infinity, ({ micros }) => (sum += micros));
    expect([reservations.size, sum]).toEqual([0, (100_000 * 99_999) / 2]);
  }
});

test('the oldest reservations of a duration expire first, and no more than requested', () => {
  const reservations = new Reservations<string>();
  for (const [index, bid] of ['first', 'second', 'third'].entries()) reservations.add(bid, bid, 1, index, 10);
  const expired: string[] = [];
  reservations.expire(12, 2, ({ holder }) => expired.push(holder));
  expect(expired).toEqual(['first', 'second']);
  reservations.expire(11, 2, ({ holder }) => expired.push(holder));
  expect(expired).toHaveLength(2);
});

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
