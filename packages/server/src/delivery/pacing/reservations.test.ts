import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Reservations } from './reservations.ts';

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

test('whatever is added, taken and expires, nothing is lost or found twice', () => {
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

test('of those that expire, the oldest of a duration come first, and no more than asked for', () => {
  const reservations = new Reservations<string>();
  for (const [index, bid] of ['first', 'second', 'third'].entries()) reservations.add(bid, bid, 1, index, 10);
  const expired: string[] = [];
  reservations.expire(12, 2, ({ holder }) => expired.push(holder));
  expect(expired).toEqual(['first', 'second']);
  reservations.expire(11, 2, ({ holder }) => expired.push(holder));
  expect(expired).toHaveLength(2);
});
