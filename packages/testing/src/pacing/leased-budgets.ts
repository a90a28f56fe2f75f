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
  const make = () => {
    const made = new Budgets({ random, trafficProfileOf: () => FLAT, clocksOf: () => [] }, reservationsMax);
    made.setFunds(new Map(candidates.map(({ companyId }) => [companyId, fundsMicros])));
    made.setCandidates(candidates);
    return made;
  };
  const budgets = make();
  let running = { id: 'bidder', budgets };
  /** Requests leases again. */
  const renew = (atMs = clock.nowMs): void => {
    clock.nowMs = atMs;
    running.budgets.applyResponse(store.syncNow(running.id, running.budgets.requests(atMs)), atMs);
  };
  /** Kills the bidder. Another one starts in its place, with leases. */
  const restart = (): Budgets => {
    running = { id: `${running.id}+`, budgets: make() };
    renew();
    return running.budgets;
  };
  renew();
  return { budgets, store, clock, renew, restart };
}
