import { expect, test } from 'vitest';
import { candidateOf } from '@bidwell/testing/pacing/candidates';
import { MemoryLeases } from '@bidwell/testing/pacing/memory-leases';
import { Budgets } from './budgets.ts';
import { FLAT } from './traffic-profile.ts';

/** Ad sets with many offers. */
const POPULAR = 20;
const NOON_MS = Date.parse('2026-05-04T12:00:00Z');

/** Bidders of the same ad sets, of which the first ones get many offers and the others one in each second. */
function start({ bidders, adsets }: { bidders: number; adsets: number }) {
  const clock = { nowMs: NOON_MS };
  const store = new MemoryLeases(() => clock.nowMs);
  const candidates = Array.from({ length: adsets }, () => candidateOf({ dailyBudgetMicros: 1e12 }));
  const funds = new Map(candidates.map(({ companyId }) => [companyId, 1e15]));
  const all = Array.from({ length: bidders }, (_, index) => {
    const budgets = new Budgets({ random: () => 0, trafficProfileOf: () => FLAT, clocksOf: () => [] });
    budgets.setFunds(funds);
    budgets.setCandidates(candidates);
    return { id: `bidder-${index}`, budgets, bids: 0 };
  });
  /** Renews the leases of all bidders; returns how many leases each requested. */
  const renew = () =>
    all.map(({ id, budgets }) => {
      const requests = budgets.requests(clock.nowMs);
      budgets.applyResponse(store.syncNow(id, requests), clock.nowMs);
      return requests.length;
    });
  /** Bids for a second as often as the leases allow; returns the offers without a bid. */
  const bid = (): number => {
    let rejected = 0;
    for (const bidder of all)
      for (const [index, candidate] of candidates.entries())
        for (let count = 0; count < (index < POPULAR ? 40 : 1); count += 1) {
          if (bidder.budgets.noBidReason(candidate, 2000, clock.nowMs) === null)
            bidder.budgets.reserve(`${bidder.id}-${(bidder.bids += 1)}`, candidate, 2000, clock.nowMs);
          else rejected += 1;
        }
    return rejected;
  };
  return { renew, bid, pass: (ms: number) => void (clock.nowMs += ms) };
}

const sum = (counts: readonly number[]) => counts.reduce((total, count) => total + count, 0);

test('all bidders together renew at most two thousand leases a second, and no ad set runs out of money', () => {
  const { renew, bid, pass } = start({ bidders: 4, adsets: 1000 });
  renew();
  let rejected = 0;
  for (let second = 0; second < 12; second += 1) {
    const isSettled = second >= 6;
    const late = bid();
    if (isSettled) rejected += late;
    pass(1000);
    const renewed = sum(renew());
    if (isSettled) expect(renewed).toBeLessThanOrEqual(2000);
    if (isSettled) expect(renewed).toBeGreaterThan(1500);
  }
  expect(rejected).toBe(0);
});

test('a bidder that stops gives back all its leases at once', () => {
  const clock = { nowMs: NOON_MS };
  const store = new MemoryLeases(() => clock.nowMs);
  const candidates = Array.from({ length: 3000 }, () => candidateOf({ dailyBudgetMicros: 1e9 }));
  const budgets = new Budgets({ random: () => 0, trafficProfileOf: () => FLAT, clocksOf: () => [] });
  budgets.setFunds(new Map(candidates.map(({ companyId }) => [companyId, 1e12])));
  budgets.setCandidates(candidates);
  budgets.applyResponse(store.syncNow('one', budgets.requests(clock.nowMs)), clock.nowMs);
  const leasedMicros = () => sum(candidates.map(({ adsetId }) => store.leasedMicros(adsetId)));
  expect(leasedMicros()).toBeGreaterThan(0);
  clock.nowMs += 100;
  store.syncNow('one', budgets.requests(clock.nowMs, true));
  expect(leasedMicros()).toBe(0);
});
