import type { Micros } from '@bidwell/contract/lib/money';
import { Budgets } from '@bidwell/server/delivery/pacing/budgets';
import { FLAT } from '@bidwell/server/delivery/pacing/traffic-profile';
import type { Candidate } from '@bidwell/server/delivery/model/candidate';
import { MemoryLeases } from './memory-leases.ts';

/** Budgets of a single bidder with leases for these ad sets, whose companies have `fundsMicros` each. */
export function leasedBudgets(
  candidates: readonly Candidate[],
  fundsMicros: Micros,
  nowMs: number,
  reservationsMax?: number,
  random = () => 0,
) {
  const store = new MemoryLeases(() => clock.nowMs);
  /** The store's. */
  const clock = { nowMs };
  const budgets = new Budgets({ random, trafficProfileOf: () => FLAT, clocksOf: () => [] }, reservationsMax);
  budgets.setFunds(new Map(candidates.map(({ companyId }) => [companyId, fundsMicros])));
  budgets.setCandidates(candidates);
  /** Requests leases again. */
  const renew = (atMs = clock.nowMs): void => {
    clock.nowMs = atMs;
    budgets.applyResponse(store.syncNow('bidder', budgets.requests(atMs)), atMs);
  };
  renew();
  return { budgets, store, clock, renew };
}
