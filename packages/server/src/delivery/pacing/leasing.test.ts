import { pino } from 'pino';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { v7 as uuidv7 } from 'uuid';
import { candidateOf } from '@bidwell/testing/pacing/candidates';
import { MemoryLeases } from '@bidwell/testing/pacing/memory-leases';
import { poolTurns } from '../../platform/postgres/pool/pool-turns.ts';
import { DOLLARS_ONLY } from '../model/bid-request.ts';
import { compileSnapshot } from '../snapshot/compile.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import type { Candidate } from '../model/candidate.ts';
import { PLAIN_PRICES } from '../model/price-rules.ts';
import { Budgets } from './budgets.ts';
import { LAG_MS_MAX, type LeaseStore, RESERVATION_MS, SILENCE_MS } from './leases.ts';
import { startLeasing } from './leasing.ts';
import { FLAT } from './traffic-profile.ts';

beforeEach(() => void vi.useFakeTimers({ now: Date.parse('2026-05-04T12:00:00Z') }));
afterEach(() => void vi.useRealTimers());

/** A bidder of one ad set with a lease store in memory, which fails while `broken` is set. */
function start(candidate: Candidate) {
  const state = {
    broken: false,
    countedMs: Infinity,
    current: compileSnapshot([]),
    prepare: async (_next: Snapshot) => {},
    takeTurn: async () => (): void => {},
  };
  const memory = new MemoryLeases(Date.now);
  const requested: string[][] = [];
  const store: LeaseStore = {
    sync: async (bidderId, requests) => {
      requested.push(requests.map(({ adsetId }) => adsetId));
      if (state.broken) throw new Error('unavailable');
      const end = await state.takeTurn();
      try {
        return await memory.sync(bidderId, requests);
      } finally {
        end();
      }
    },
  };
  const budgets = new Budgets({ random: () => 0, trafficProfileOf: () => FLAT, clocksOf: () => [] });
  budgets.setFunds(new Map([[candidate.companyId, 1_000_000]]));
  const withOne: Snapshot = { ...compileSnapshot([]), candidates: [candidate] };
  state.current = withOne;
  const leasing = startLeasing({
    bidderId: 'bidder',
    budgets,
    store,
    snapshot: {
      current: () => state.current,
      beforeSwap: (prepare) => void (state.prepare = prepare),
      ssp: () => undefined,
      priceRules: () => PLAIN_PRICES,
      rates: () => DOLLARS_ONLY,
      skadnetwork: () => ({ networks: [], exchanges: [] }),
      running: () => undefined,
      destination: () => null,
      timeZone: () => 'UTC',
      invalidate: () => {},
      refreshed: async () => {},
      load: async () => {},
      restore: async () => {},
      origin: () => ({ source: 'postgres' as const, version: '', confirmedAtMs: 0 }),
      close: async () => {},
    },
    traffic: {
      count: () => {},
      countUnwanted: () => {},
      clocksOf: () => [],
      profileOf: () => FLAT,
      store: async () => {},
      learn: async () => {},
    },
    intake: { countedMs: async () => state.countedMs },
    log: pino({ level: 'silent' }),
    now: () => new Date(),
  });
  const noBidReason = () => budgets.noBidReason(candidate, 2000, Date.now());
  return { state, withOne, memory, budgets, leasing, noBidReason, requested };
}

test('a renewal waits for one other job of the process at the database, not for all', async () => {
  const { state, noBidReason } = start(candidateOf());
  const turns = poolTurns(1, 60_000);
  state.takeTurn = turns;
  const endFirst = await turns();
  const second = turns();
  const third = turns();
  await vi.advanceTimersByTimeAsync(1500);
  expect(noBidReason()).toBe('no_lease');
  endFirst();
  (await second)();
  await vi.advanceTimersByTimeAsync(1);
  expect(noBidReason()).toBeNull();
  (await third)();
});

test('bidding stops when the store is silent, and continues when it answers', async () => {
  const { state, noBidReason, leasing } = start(candidateOf());
  await vi.advanceTimersByTimeAsync(1500);
  expect(noBidReason()).toBeNull();
  state.broken = true;
  await vi.advanceTimersByTimeAsync(SILENCE_MS - 2000);
  expect(noBidReason()).toBeNull();
  await vi.advanceTimersByTimeAsync(3000);
  expect(noBidReason()).toBe('no_lease');
  state.broken = false;
  await vi.advanceTimersByTimeAsync(2000);
  expect(noBidReason()).toBeNull();
  await leasing.stop();
});

test('a stop returns everything but the reservations', async () => {
  const candidate = candidateOf();
  const { memory, budgets, noBidReason, leasing } = start(candidate);
  await leasing.renewed();
  expect(memory.leasedMicros(candidate.adsetId)).toBeGreaterThan(2000);
  budgets.reserve(uuidv7(), candidate, 2000, Date.now());
  await leasing.stop();
  expect(noBidReason()).toBe('no_lease');
  await leasing.leave();
  expect(memory.leasedMicros(candidate.adsetId)).toBe(2000);
});

test('an ad set that starts has its lease before its first offer', async () => {
  const { state, withOne, noBidReason, leasing } = start(candidateOf());
  state.current = compileSnapshot([]);
  await leasing.renewed();
  await state.prepare(withOne);
  state.current = withOne;
  expect(noBidReason()).toBeNull();
  await leasing.stop();
});

test('an unavailable store does not delay ad sets that start', async () => {
  const { state, withOne, noBidReason, leasing } = start(candidateOf());
  state.current = compileSnapshot([]);
  state.broken = true;
  await state.prepare(withOne);
  state.current = withOne;
  expect(noBidReason()).toBe('no_lease');
  state.broken = false;
  await vi.advanceTimersByTimeAsync(2500);
  expect(noBidReason()).toBeNull();
  await leasing.stop();
});

test('reservations outlast counting that stands still, by an hour at most', async () => {
  const candidate = candidateOf();
  const { state, budgets, noBidReason, leasing } = start(candidate);
  await leasing.renewed();
  const startedMs = Date.now();
  state.countedMs = startedMs;
  await leasing.renewed();
  budgets.setFunds(new Map([[candidate.companyId, 2000]]));
  budgets.reserve(uuidv7(), candidate, 2000, startedMs);
  await vi.advanceTimersByTimeAsync(RESERVATION_MS + LAG_MS_MAX - 5000);
  expect(noBidReason()).toBe('balance');
  await vi.advanceTimersByTimeAsync(10_000);
  expect(noBidReason()).toBeNull();
  await leasing.stop();
});

test('a bidder that was frozen bids with no lease of before: it requests all of them anew', async () => {
  const candidate = candidateOf();
  const { leasing, budgets, noBidReason, requested } = start(candidate);
  await vi.advanceTimersByTimeAsync(5000);
  expect([leasing.isFresh(), noBidReason()]).toEqual([true, null]);
  // Nothing is to be requested for a minute.
  requested.length = 0;
  await leasing.renewed();
  expect(requested.flat()).toEqual([]);
  // Timers do not run while a process is frozen.
  const { now } = performance;
  const frozenMs = 2 * SILENCE_MS;
  const frozen = vi.spyOn(performance, 'now').mockImplementation(() => now.call(performance) + frozenMs);
  expect(leasing.isFresh()).toBe(false);
  const suspended = vi.spyOn(budgets, 'suspend');
  await leasing.renewed();
  expect(suspended).toHaveBeenCalled();
  expect(requested.flat()).toEqual([candidate.adsetId]);
  expect([leasing.isFresh(), noBidReason()]).toEqual([true, null]);
  frozen.mockRestore();
  await leasing.stop();
});
