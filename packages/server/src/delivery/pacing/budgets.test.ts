import fc from 'fast-check';
import { v7 as uuidv7 } from 'uuid';
import { describe, expect, test } from 'vitest';
import { candidateOf } from '@bidwell/testing/pacing/candidates';
import { leasedBudgets } from '@bidwell/testing/pacing/leased-budgets';
import { runs } from '@bidwell/testing/whole-run';
import { createBitset, hasBit } from '../model/bitset.ts';
import type { Candidate } from '../model/candidate.ts';
import { LEASE_MS, RESERVATION_MS, RESERVATION_MS_MAX } from './leases.ts';

const noon = Date.parse('2026-05-04T12:00:00Z');
const PLENTY = 1e12;

const budgetsFor = (candidate: Candidate, fundsMicros = PLENTY, reservationsMax?: number) =>
  leasedBudgets([candidate], fundsMicros, noon, reservationsMax);

/** Books the spend of an ad set, so that the next lease accounts for it. */
const spend = ({ store }: ReturnType<typeof leasedBudgets>, candidate: Candidate, micros: number) =>
  store.book([{ ...candidate, micros }], []);

test('in any order of notices, no budget is exceeded by more than the allowed bids', () => {
  const step = fc.record({
    action: fc.constantFrom('bid', 'bid', 'win', 'lose', 'wait', 'renew'),
    pick: fc.nat(),
    price: fc.integer({ min: 1, max: 2000 }),
    cheaper: fc.integer({ min: 0, max: 100 }),
  });
  fc.assert(
    fc.property(
      fc.array(step, { maxLength: 200 }),
      fc.integer({ min: 1000, max: 40_000 }),
      (steps, budgetMicros) => {
        const candidate = candidateOf({ dailyBudgetMicros: budgetMicros });
        const { budgets, store, renew } = budgetsFor(candidate);
        const open: { bidId: string; micros: number }[] = [];
        let spentMicros = 0;
        let nowMs = noon;
        for (const { action, pick, price, cheaper } of steps) {
          if (action === 'bid' && budgets.noBidReason(candidate, price, nowMs) === null) {
            const bidId = uuidv7();
            budgets.reserve(bidId, candidate, price, nowMs);
            open.push({ bidId, micros: price });
          } else if (action === 'wait') nowMs += 1000;
          else if (action === 'renew') renew(nowMs);
          else if (open.length > 0) {
            const [{ bidId, micros }] = open.splice(pick % open.length, 1) as [(typeof open)[0]];
            const charged = action === 'win';
            const clearing = Math.max(0, micros - cheaper);
            if (charged) store.book([{ ...candidate, micros: clearing }], []);
            if (charged) spentMicros += clearing;
            budgets.settle({ bidId, charged }, noon);
          }
          expect(spentMicros + open.reduce((sum, { micros }) => sum + micros, 0)).toBeLessThanOrEqual(
            budgetMicros,
          );
          expect(Number.isSafeInteger(store.leasedMicros(candidate.adsetId))).toBe(true);
        }
      },
    ),
  );
});

const inCountry = (country: string) => ({ exchange: '', expiresAfterSeconds: null, country });

test('in any order of bids, notices, expiry and restarts, no country has more than its daily budget', () => {
  const step = fc.record({
    action: fc.constantFrom('bid', 'bid', 'bid', 'win', 'lose', 'wait', 'expire', 'renew', 'restart'),
    pick: fc.nat(),
    country: fc.constantFrom('JP', 'DE', 'FR', ''),
    price: fc.integer({ min: 1, max: 2000 }),
    cheaper: fc.integer({ min: 0, max: 100 }),
  });
  const budget = fc.integer({ min: 1000, max: 40_000 });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 200 }), budget, budget, budget, (steps, japan, germany, all) => {
      const limits = new Map([
        ['JP', japan],
        ['DE', germany],
      ]);
      const candidate = candidateOf({ dailyBudgetMicros: all, countryBudgets: limits });
      const { budgets, store, clock, renew, restart } = budgetsFor(candidate);
      let bidder = budgets;
      let open: { bidId: string; country: string; micros: number }[] = [];
      const spent = new Map<string, number>();
      let nowMs = noon;
      let tomorrow = noon + 12 * 3_600_000;
      for (const { action, pick, country, price, cheaper } of steps) {
        if (action === 'bid' && bidder.noBidReason(candidate, price, nowMs, country) === null) {
          const bidId = uuidv7({ msecs: nowMs });
          bidder.reserve(bidId, candidate, price, nowMs, inCountry(country));
          open.push({ bidId, country, micros: price });
        } else if (action === 'wait') nowMs += 1000;
        else if (action === 'expire') {
          // Lost bids of which no notice comes.
          nowMs += RESERVATION_MS;
          open = [];
        } else if (action === 'renew') renew(nowMs);
        else if (action === 'restart') {
          renew(nowMs);
          bidder = restart();
        } else if (open.length > 0 && (action === 'win' || action === 'lose')) {
          const [{ bidId, country: its, micros }] = open.splice(pick % open.length, 1) as [(typeof open)[0]];
          const charged = action === 'win';
          const clearing = Math.max(0, micros - cheaper);
          const outcome = { bidId, charged, held: { adsetId: candidate.adsetId, country: its, micros } };
          if (charged) {
            store.book(
              [{ ...candidate, country: its, micros: clearing }],
              [{ ...outcome, bidderId: 'bidder' }],
            );
            spent.set(its, (spent.get(its) ?? 0) + clearing);
          }
          bidder.settle(outcome, nowMs);
        }
        if (clock.nowMs >= tomorrow) {
          tomorrow += 24 * 3_600_000;
          spent.clear();
        }
        for (const [name, limit] of [...limits, ['', all] as const]) {
          const ofName = ({ country: its }: { country: string }) => name === '' || its === name;
          const openMicros = open.filter(ofName).reduce((sum, { micros }) => sum + micros, 0);
          const spentMicros = [...spent]
            .filter(([its]) => ofName({ country: its }))
            .reduce((sum, [, micros]) => sum + micros, 0);
          expect(spentMicros + openMicros).toBeLessThanOrEqual(limit);
        }
      }
    }),
    runs(100),
  );
});

describe('a daily budget of a country', () => {
  const candidate = () => candidateOf({ countryBudgets: new Map([['JP', 10_000]]) });
  /** Reserves all that the country has. */
  const useUp = (adset: Candidate, setup: ReturnType<typeof budgetsFor>) => {
    const bidId = uuidv7({ msecs: noon });
    setup.budgets.reserve(bidId, adset, 10_000, noon, inCountry('JP'));
    setup.renew();
    return bidId;
  };

  test('that is reserved stops bids there alone, until a bid loses', () => {
    const adset = candidate();
    const setup = budgetsFor(adset);
    const { budgets, renew } = setup;
    expect(budgets.noBidReason(adset, 2000, noon, 'JP')).toBeNull();
    const bidId = useUp(adset, setup);
    expect(budgets.noBidReason(adset, 2000, noon, 'JP')).toBe('country_budget');
    expect(budgets.presentNoBidReason(adset, 2000, 'JP')).toBe('country_budget');
    expect(budgets.noBidReason(adset, 2000, noon, 'DE')).toBeNull();
    expect(budgets.noBidReason(adset, 2000, noon)).toBeNull();
    budgets.settle({ bidId, charged: false }, noon);
    renew();
    expect(budgets.noBidReason(adset, 2000, noon, 'JP')).toBeNull();
  });

  test('that is spent is there again the next day', () => {
    const adset = candidate();
    const setup = budgetsFor(adset);
    const { budgets, store, renew } = setup;
    const bidId = useUp(adset, setup);
    store.book([{ ...adset, country: 'JP', micros: 10_000 }], []);
    budgets.settle({ bidId, charged: true }, noon);
    renew();
    expect(budgets.noBidReason(adset, 2000, noon, 'JP')).toBe('country_budget');
    const tomorrow = noon + 24 * 3_600_000;
    renew(tomorrow);
    expect(budgets.noBidReason(adset, 2000, tomorrow, 'JP')).toBeNull();
  });

  test('does not raise the budget of the ad set', () => {
    const adset = candidateOf({ dailyBudgetMicros: 10_000, countryBudgets: new Map([['JP', 50_000]]) });
    const setup = budgetsFor(adset);
    setup.budgets.reserve(uuidv7(), adset, 10_000, noon, inCountry('DE'));
    setup.renew();
    expect(setup.budgets.noBidReason(adset, 2000, noon, 'JP')).toBe('daily_budget');
  });

  test('gives its lease back when it is removed, and bids there go on', () => {
    const adset = candidate();
    const setup = budgetsFor(adset);
    expect(setup.store.leasedMicros(adset.adsetId, 'JP')).toBeGreaterThan(0);
    const without = { ...adset, countryBudgets: new Map<string, number>() };
    setup.budgets.setCandidates([without]);
    setup.renew();
    expect(setup.store.leasedMicros(adset.adsetId, 'JP')).toBe(0);
    expect(setup.budgets.noBidReason(without, 2000, noon, 'JP')).toBeNull();
  });
});

/** No ad sets. */
const NONE = createBitset(1);

describe('an exhausted ad set', () => {
  /** An ad set with nothing left; `isExhausted` reads its bit in the snapshot's bitset. */
  function poor(over: Partial<Candidate> = {}) {
    const candidates = [candidateOf({ dailyBudgetMicros: 10_000, ...over })];
    const [candidate] = candidates as [Candidate];
    const setup = leasedBudgets(candidates, PLENTY, noon);
    const bidId = uuidv7();
    setup.budgets.reserve(bidId, candidate, 10_000, noon);
    const isExhausted = () => hasBit(setup.budgets.exhaustedAmong(candidates) ?? NONE, 0);
    return { ...setup, candidates, candidate, bidId, isExhausted };
  }

  test('is skipped after its budget was refused, and not before', () => {
    const { budgets, candidate, isExhausted } = poor();
    expect(isExhausted()).toBe(false);
    expect(budgets.noBidReason(candidate, 2000, noon)).not.toBeNull();
    expect(isExhausted()).toBe(true);
  });

  test('is auctioned again after the next lease renewal, with or without a larger lease', () => {
    const { budgets, candidate, isExhausted } = poor();
    budgets.noBidReason(candidate, 2000, noon);
    budgets.requests(noon + 1000);
    expect(isExhausted()).toBe(false);
  });

  test('is auctioned again once its lease grows after its request', () => {
    const { budgets, store, candidate, isExhausted } = poor();
    const response = store.syncNow('bidder', budgets.requests(noon));
    budgets.noBidReason(candidate, 2000, noon);
    expect(isExhausted()).toBe(true);
    budgets.applyResponse(response, noon);
    expect(isExhausted()).toBe(false);
  });

  test('is auctioned again once one of its bids is lost', () => {
    const { budgets, candidate, bidId, isExhausted } = poor();
    budgets.noBidReason(candidate, 2000, noon);
    budgets.settle({ bidId, charged: false }, noon);
    expect([isExhausted(), budgets.noBidReason(candidate, 2000, noon)]).toEqual([false, null]);
  });

  test('is auctioned again once one of its bids has expired', () => {
    const { budgets, candidate, isExhausted } = poor();
    budgets.noBidReason(candidate, 2000, noon);
    expect(budgets.noBidReason(candidate, 2000, noon + RESERVATION_MS)).toBeNull();
    expect(isExhausted()).toBe(false);
  });

  test('requests money after each lease renewal, so that it does not seem idle', () => {
    const { budgets, candidate, renew, isExhausted } = poor();
    for (let second = 1; second < 60; second += 1) {
      budgets.noBidReason(candidate, 2000, noon + second * 1000);
      expect(isExhausted()).toBe(true);
      renew(noon + second * 1000);
      expect(isExhausted()).toBe(false);
    }
    renew(Date.parse('2026-05-05T00:00:00Z'));
    expect(budgets.noBidReason(candidate, 2000, Date.parse('2026-05-05T00:00:00Z'))).toBeNull();
  });

  test('is not skipped while it has enough for any impression', () => {
    const { budgets, candidate, bidId, isExhausted } = poor();
    budgets.settle({ bidId, charged: false }, noon);
    expect(budgets.noBidReason(candidate, 11_000, noon)).not.toBeNull();
    expect(isExhausted()).toBe(false);
  });

  test('is not skipped with even pacing, since its offers are counted', () => {
    const { budgets, candidate, isExhausted } = poor({ algorithm: 'Max installs' });
    expect(budgets.noBidReason(candidate, 2000, noon)).not.toBeNull();
    expect(isExhausted()).toBe(false);
  });

  test('is not confused with another one of a snapshot that is not applied yet', () => {
    const { budgets, candidate, candidates } = poor();
    budgets.noBidReason(candidate, 2000, noon);
    expect(budgets.exhaustedAmong([candidateOf()])).toBeNull();
    const later = [candidateOf(), ...candidates];
    budgets.setCandidates(later);
    expect(budgets.exhaustedAmong(later)).toBeNull();
  });
});

test('unspent leases are returned when the bidder stops', () => {
  const bid = fc.record({
    price: fc.integer({ min: 1, max: 2000 }),
    end: fc.constantFrom('won', 'lost', 'open'),
  });
  fc.assert(
    fc.property(fc.array(bid, { maxLength: 60 }), (bids) => {
      const candidate = candidateOf({ totalBudgetMicros: 1_000_000 });
      const { budgets, store, renew } = budgetsFor(candidate);
      let openMicros = 0;
      for (const { price, end } of bids) {
        renew();
        if (budgets.noBidReason(candidate, price, noon) !== null) continue;
        const bidId = uuidv7();
        budgets.reserve(bidId, candidate, price, noon);
        if (end === 'won') store.book([{ ...candidate, micros: price }], []);
        if (end === 'open') openMicros += price;
        else budgets.settle({ bidId, charged: end === 'won' }, noon);
      }
      budgets.applyResponse(store.syncNow('bidder', budgets.requests(noon, true)), noon);
      expect(store.leasedMicros(candidate.adsetId)).toBe(openMicros);
    }),
  );
});

test('an ad set without offers keeps a lease for the next impression, and gets more when it comes', () => {
  const candidate = candidateOf();
  const { budgets, store, renew } = budgetsFor(candidate);
  for (let second = 1; second <= 60; second += 1) renew(noon + second * 1000);
  expect(store.leasedMicros(candidate.adsetId)).toBe(2000);
  expect(budgets.noBidReason(candidate, 2000, noon + 60_000)).toBeNull();
  budgets.reserve(uuidv7(), candidate, 2000, noon + 60_000);
  renew(noon + 61_000);
  expect(budgets.noBidReason(candidate, 50_000, noon + 61_000)).toBeNull();
});

describe('an ad set is stopped by', () => {
  test('its daily budget, until the next day of the company', () => {
    const candidate = candidateOf({ dailyBudgetMicros: 10_000 });
    const setup = budgetsFor(candidate);
    spend(setup, candidate, 9000);
    setup.renew(noon);
    expect(setup.budgets.noBidReason(candidate, 2000, noon)).toBe('daily_budget');
    setup.renew(Date.parse('2026-05-04T23:59:59Z'));
    expect(setup.budgets.noBidReason(candidate, 2000, noon)).toBe('daily_budget');
    setup.renew(Date.parse('2026-05-05T00:00:00Z'));
    expect(setup.budgets.noBidReason(candidate, 2000, noon)).toBeNull();
  });

  test('its total budget, with the spend elsewhere', () => {
    const candidate = candidateOf({ totalBudgetMicros: 5000 });
    const setup = budgetsFor(candidate);
    spend(setup, candidate, 3000);
    setup.renew();
    expect(setup.budgets.noBidReason(candidate, 2000, noon)).toBeNull();
    spend(setup, candidate, 1);
    setup.renew(noon + 10);
    expect(setup.budgets.noBidReason(candidate, 2000, noon)).toBe('total_budget');
  });

  test('an empty balance, after outstanding bids are deducted', () => {
    const candidate = candidateOf();
    const { budgets, renew } = budgetsFor(candidate, 3000);
    const bidId = uuidv7();
    budgets.reserve(bidId, candidate, 2000, noon);
    renew();
    expect(budgets.noBidReason(candidate, 2000, noon)).toBe('balance');
    budgets.settle({ bidId, charged: false }, noon);
    expect(budgets.noBidReason(candidate, 2000, noon)).toBeNull();
  });

  test('a missing lease, which it then requests', () => {
    const [known, fresh] = [candidateOf(), candidateOf()];
    const { budgets, renew } = budgetsFor(known);
    expect(budgets.noBidReason(fresh, 2000, noon)).toBe('no_lease');
    renew();
    expect(budgets.noBidReason(fresh, 2000, noon)).toBeNull();
  });

  test('a silent store, until it answers', () => {
    const candidate = candidateOf();
    const { budgets, renew } = budgetsFor(candidate);
    budgets.suspend();
    expect(budgets.noBidReason(candidate, 1, noon)).toBe('no_lease');
    renew();
    expect(budgets.noBidReason(candidate, 1, noon)).toBeNull();
  });

  test('even pacing: a Max installs ad set takes only the share of offers that its day needs', () => {
    const candidate = candidateOf({ algorithm: 'Max installs', dailyBudgetMicros: 1_000_000 });
    const { budgets } = leasedBudgets([candidate], PLENTY, noon);
    // `random` returns 0 here, below any share.
    expect(budgets.noBidReason(candidate, 1, noon)).toBeNull();
    const unlucky = leasedBudgets([candidate], PLENTY, noon, undefined, () => 0.99);
    expect(unlucky.budgets.noBidReason(candidate, 1, noon)).toBe('pacing');
  });

  test('a budget that was lowered below its leases', () => {
    const candidate = candidateOf({ totalBudgetMicros: 1_000_000 });
    const { budgets, renew } = budgetsFor(candidate);
    budgets.setCandidates([{ ...candidate, totalBudgetMicros: 1000 }]);
    renew();
    expect(budgets.noBidReason(candidate, 2000, noon)).toBe('total_budget');
  });
});

test('a bid without a notice reserves its money for ten minutes', () => {
  const candidate = candidateOf();
  const { budgets } = budgetsFor(candidate, 2000);
  budgets.reserve(uuidv7(), candidate, 2000, noon);
  expect(budgets.noBidReason(candidate, 1, noon + RESERVATION_MS - 1)).not.toBeNull();
  expect(budgets.noBidReason(candidate, 1, noon + RESERVATION_MS)).toBeNull();
});

test('a bid at an exchange that caches ads reserves its money for as long as the ad may be shown', () => {
  const candidate = candidateOf();
  const { budgets, renew } = budgetsFor(candidate, 2000);
  const cached = { exchange: 'cache', expiresAfterSeconds: null, cachedSeconds: 7200 };
  const bidId = uuidv7({ msecs: noon });
  budgets.reserve(bidId, candidate, 2000, noon, cached);
  for (const afterMs of [RESERVATION_MS, 100 * 60_000, RESERVATION_MS_MAX - 1]) {
    renew(noon + afterMs);
    expect(budgets.noBidReason(candidate, 1, noon + afterMs)).not.toBeNull();
  }
  expect(budgets.noBidReason(candidate, 1, noon + RESERVATION_MS_MAX)).toBeNull();
});

test('a cached bid that is charged late costs its money once, and one that is lost frees it at once', () => {
  const candidate = candidateOf();
  const { budgets } = budgetsFor(candidate, 4000);
  const cached = { exchange: 'cache', expiresAfterSeconds: null, cachedSeconds: 7200 };
  const [shown, lost] = [uuidv7({ msecs: noon }), uuidv7({ msecs: noon })];
  for (const bidId of [shown, lost]) budgets.reserve(bidId, candidate, 2000, noon, cached);
  expect(budgets.noBidReason(candidate, 1, noon)).not.toBeNull();
  budgets.settle({ bidId: lost, charged: false }, noon + 1000);
  expect(budgets.noBidReason(candidate, 2000, noon + 1000)).toBeNull();
  const late = noon + 100 * 60_000;
  budgets.settle({ bidId: shown, charged: true }, late);
  expect(budgets.noBidReason(candidate, 2000, late)).toBeNull();
  expect(budgets.noBidReason(candidate, 2001, late)).not.toBeNull();
});

test('while notices wait to be counted, the money that they may have charged stays reserved', () => {
  const candidate = candidateOf();
  const { budgets, renew } = budgetsFor(candidate, 2000);
  budgets.setCounted(noon + RESERVATION_MS - 1);
  budgets.reserve(uuidv7(), candidate, 2000, noon);
  const later = noon + 3 * RESERVATION_MS;
  renew(later);
  expect(budgets.noBidReason(candidate, 1, later)).not.toBeNull();
  budgets.setCounted(noon + RESERVATION_MS);
  expect(budgets.noBidReason(candidate, 1, later)).toBeNull();
});

test('where notices come within seconds, a bid without one frees its money after seconds', () => {
  const candidate = candidateOf();
  const { budgets, renew } = budgetsFor(candidate, 2_000_000);
  const offer = { exchange: 'adx', expiresAfterSeconds: null };
  for (let bid = 0; bid < 500; bid += 1) {
    const bidId = uuidv7({ msecs: noon });
    budgets.reserve(bidId, candidate, 10, noon, offer);
    budgets.settle({ bidId, charged: true }, noon + 2000);
  }
  renew(noon);
  while (budgets.noBidReason(candidate, 2000, noon) === null)
    budgets.reserve(uuidv7({ msecs: noon }), candidate, 2000, noon, offer);
  const notice = uuidv7({ msecs: noon });
  budgets.reserve(notice, candidate, 0, noon, offer);
  budgets.settle({ bidId: notice, charged: true }, noon + 10_000);
  expect(budgets.noBidReason(candidate, 2000, noon + 9_999)).not.toBeNull();
  expect(budgets.noBidReason(candidate, 2000, noon + 10_000)).toBeNull();
});

test('while no notice of an exchange arrives, bids on it reserve their money for ten minutes at most', () => {
  const candidate = candidateOf();
  const { budgets, renew } = budgetsFor(candidate, 2_000_000);
  const stalled = { exchange: 'stalled', expiresAfterSeconds: null };
  const other = { exchange: 'other', expiresAfterSeconds: 30 };
  const settleAt = (atMs: number, charged: boolean, terms: typeof stalled | typeof other) => {
    const bidId = uuidv7({ msecs: atMs });
    budgets.reserve(bidId, candidate, 10, atMs, terms);
    budgets.settle({ bidId, charged }, atMs);
  };
  for (let bid = 0; bid < 500; bid += 1) settleAt(noon, true, stalled);
  renew(noon);
  while (budgets.noBidReason(candidate, 2000, noon) === null)
    budgets.reserve(uuidv7({ msecs: noon }), candidate, 2000, noon, stalled);
  const stoppedAt = (ms: number) => budgets.noBidReason(candidate, 2000, noon + ms) !== null;
  // Losses come another way, and other exchanges too.
  settleAt(noon + 60_000, false, stalled);
  settleAt(noon + 60_000, true, other);
  expect(stoppedAt(60_000)).toBe(true);
  expect(stoppedAt(RESERVATION_MS - 1)).toBe(true);
  expect(stoppedAt(RESERVATION_MS)).toBe(false);
});

test('bids at an exchange without loss notices expire early, even if many of them are open', () => {
  const candidate = candidateOf();
  const { budgets, renew } = budgetsFor(candidate, 2_000_000);
  const offer = { exchange: 'adx', expiresAfterSeconds: null };
  const bid = (micros: number) => {
    const bidId = uuidv7({ msecs: noon });
    budgets.reserve(bidId, candidate, micros, noon, offer);
    return bidId;
  };
  for (let n = 0; n < 500; n += 1) budgets.settle({ bidId: bid(10), charged: true }, noon);
  renew(noon);
  while (budgets.noBidReason(candidate, 2000, noon) === null) bid(2000);
  for (let n = 0; n < 25_000; n += 1) bid(0);
  const won = bid(0);
  budgets.settle({ bidId: won, charged: true }, noon + 10_000);
  expect(budgets.noBidReason(candidate, 2000, noon + 10_000)).toBeNull();
});

test('the store learns how long bids reserve money, and for longer while no notices arrive', () => {
  const candidate = candidateOf();
  const { budgets, renew } = budgetsFor(candidate, 2_000_000);
  const offer = { exchange: 'adx', expiresAfterSeconds: null };
  const bid = (atMs: number) => {
    const bidId = uuidv7({ msecs: atMs });
    budgets.reserve(bidId, candidate, 10, atMs, offer);
    return bidId;
  };
  const reservedMsAt = (atMs: number) => {
    const [request] = budgets.requests(atMs);
    renew(atMs);
    return request!.reservedMs;
  };
  for (let n = 0; n < 500; n += 1) budgets.settle({ bidId: bid(noon), charged: true }, noon);
  bid(noon);
  expect(reservedMsAt(noon)).toBe(RESERVATION_MS);
  budgets.settle({ bidId: bid(noon), charged: true }, noon + RESERVATION_MS);
  expect(reservedMsAt(noon + RESERVATION_MS)).toBe(RESERVATION_MS);
  // All that were made before the delays were known are over.
  budgets.settle({ bidId: bid(noon + 2 * RESERVATION_MS), charged: true }, noon + 2 * RESERVATION_MS);
  const later = noon + 3 * RESERVATION_MS + 1000;
  bid(later);
  expect(reservedMsAt(later)).toBe(10_000);
  bid(later + 30_000);
  expect(reservedMsAt(later + 30_000)).toBe(30_000);
});

test('a killed bidder keeps the money of bids that outlast the bids of its previous request', () => {
  const candidate = candidateOf();
  // With this number, ad sets without a change are requested every four seconds.
  const candidates = [candidate, ...Array.from({ length: 2000 }, () => candidateOf())];
  const { budgets, store, clock, renew } = leasedBudgets(candidates, 2_000_000, noon);
  const bid = (atMs: number, expiresAfterSeconds: number | null) => {
    expect(budgets.noBidReason(candidate, 2000, atMs)).toBeNull();
    const bidId = uuidv7({ msecs: atMs });
    budgets.reserve(bidId, candidate, 2000, atMs, { exchange: 'adx', expiresAfterSeconds });
    return bidId;
  };
  const lost = bid(noon, 1);
  renew(noon + 1000);
  // The other bid takes the place of this one, and the lease suffices as it is.
  budgets.settle({ bidId: lost, charged: false }, noon + 1500);
  bid(noon + 1500, null);
  renew(noon + 2000);
  const reservedAfter = (ms: number) => {
    clock.nowMs = noon + 2000 + ms;
    store.syncNow('other bidder', []);
    return store.leasedMicros(candidate.adsetId);
  };
  expect(reservedAfter(60_000)).toBeGreaterThanOrEqual(2000);
  expect(reservedAfter(LEASE_MS + 1)).toBe(0);
});

test('notices that are counted late do not show that notices arrive now', () => {
  const candidate = candidateOf();
  const { budgets, renew } = budgetsFor(candidate, 2_000_000);
  const offer = { exchange: 'adx', expiresAfterSeconds: null };
  const bidIds = Array.from({ length: 500 }, () => uuidv7({ msecs: noon }));
  for (const bidId of bidIds) budgets.reserve(bidId, candidate, 10, noon, offer);
  for (const bidId of bidIds.slice(0, 400)) budgets.settle({ bidId, charged: true }, noon + 1000);
  renew(noon + 1000);
  while (budgets.noBidReason(candidate, 2000, noon + 1000) === null)
    budgets.reserve(uuidv7({ msecs: noon + 1000 }), candidate, 2000, noon + 1000, offer);
  budgets.setCounted(noon + 5000);
  for (const bidId of bidIds.slice(400)) budgets.settle({ bidId, charged: true }, noon + 300_000);
  budgets.setCounted(noon + 300_000);
  expect(budgets.noBidReason(candidate, 2000, noon + 300_000)).not.toBeNull();
});

test('a repeated notice, or one of an expired bid, frees nothing twice', () => {
  const candidate = candidateOf();
  const { budgets } = budgetsFor(candidate, 4000);
  const [first, second] = [uuidv7(), uuidv7()];
  budgets.reserve(first, candidate, 2000, noon);
  budgets.reserve(second, candidate, 2000, noon);
  budgets.settle({ bidId: first, charged: false }, noon);
  budgets.settle({ bidId: first, charged: false }, noon);
  expect(budgets.noBidReason(candidate, 2001, noon)).not.toBeNull();
  expect(budgets.noBidReason(candidate, 2000, noon + RESERVATION_MS)).toBeNull();
  budgets.settle({ bidId: second, charged: true }, noon);
  expect(budgets.noBidReason(candidate, 4000, noon + RESERVATION_MS)).toBeNull();
});

test('expired bids are released in small parts, oldest first', () => {
  const candidate = candidateOf({ ceilingCpmMicros: 30_000 });
  const { budgets } = budgetsFor(candidate, 600);
  for (let bid = 0; bid < 600; bid += 1) budgets.reserve(uuidv7(), candidate, 1, noon);
  const later = noon + RESERVATION_MS;
  expect(budgets.noBidReason(candidate, 65, later)).not.toBeNull();
  expect(budgets.noBidReason(candidate, 128, later)).toBeNull();
  for (let call = 0; call < 8; call += 1) budgets.noBidReason(candidate, 1, later);
  expect(budgets.noBidReason(candidate, 600, later)).toBeNull();
});

test('released bids do not delay those that expire', () => {
  const candidate = candidateOf({ ceilingCpmMicros: 5000 });
  const { budgets } = budgetsFor(candidate, 100);
  const [first, second] = [uuidv7(), uuidv7()];
  budgets.reserve(first, candidate, 40, noon);
  expect(budgets.noBidReason(candidate, 1, noon)).toBeNull();
  budgets.settle({ bidId: first, charged: false }, noon);
  budgets.reserve(second, candidate, 90, noon + 1);
  expect(budgets.noBidReason(candidate, 11, noon + RESERVATION_MS)).not.toBeNull();
  expect(budgets.noBidReason(candidate, 100, noon + 1 + RESERVATION_MS)).toBeNull();
  budgets.reserve(uuidv7(), candidate, 90, noon + 2 + RESERVATION_MS);
  expect(budgets.noBidReason(candidate, 100, noon + 2 + 2 * RESERVATION_MS)).toBeNull();
});

test('too many outstanding bids stop bidding until some are answered', () => {
  const candidate = candidateOf();
  const { budgets } = budgetsFor(candidate, PLENTY, 2);
  const bidId = uuidv7();
  budgets.reserve(bidId, candidate, 1, noon);
  budgets.reserve(uuidv7(), candidate, 1, noon);
  expect(budgets.noBidReason(candidate, 1, noon)).toBe('overloaded');
  budgets.settle({ bidId, charged: false }, noon);
  expect(budgets.noBidReason(candidate, 1, noon)).toBeNull();
});

test('a lease grows with bids, and shrinks to one impression without offers', () => {
  const candidate = candidateOf();
  const { budgets, store, renew } = budgetsFor(candidate);
  const leased = () => store.leasedMicros(candidate.adsetId);
  const small = leased();
  for (let second = 1; second <= 5; second += 1) {
    for (let bid = 0; bid < 100; bid += 1) {
      if (budgets.noBidReason(candidate, 2000, noon) === null)
        budgets.reserve(uuidv7(), candidate, 2000, noon);
    }
    renew(noon + second * 1000);
  }
  const heldMicros = leased() - small;
  expect(heldMicros).toBeGreaterThan(5 * small);
  for (let second = 6; second < 60; second += 1) renew(noon + second * 1000);
  expect(leased()).toBeLessThan(heldMicros + small);
  renew(noon + 10_000 + RESERVATION_MS);
  expect(leased()).toBe(2000);
});
