import fc from 'fast-check';
import { v7 as uuidv7 } from 'uuid';
import { describe, expect, test } from 'vitest';
import { candidateOf } from '../../testing/candidates.ts';
import { Budgets, RESERVATION_MS } from './budgets.ts';

const noon = Date.parse('2026-05-04T12:00:00Z');

function budgetsWith(balanceMicros: number, companyId = candidateOf().companyId): Budgets {
  const budgets = new Budgets();
  budgets.load({ ever: new Map(), recent: [], balances: new Map([[companyId, balanceMicros]]) });
  return budgets;
}

test('whatever order notices come in, no budget is broken by more than the bids that were allowed', () => {
  const step = fc.record({
    action: fc.constantFrom('bid', 'win', 'lose', 'wait'),
    pick: fc.nat(),
    price: fc.integer({ min: 1, max: 5000 }),
  });
  fc.assert(
    fc.property(
      fc.array(step, { maxLength: 200 }),
      fc.integer({ min: 1000, max: 40_000 }),
      (steps, budgetMicros) => {
        const candidate = candidateOf({ dailyBudgetMicros: budgetMicros });
        const budgets = budgetsWith(1_000_000_000);
        const open: { bidId: string; micros: number }[] = [];
        let spentMicros = 0;
        let nowMs = noon;
        for (const { action, pick, price } of steps) {
          if (action === 'bid' && budgets.refusal(candidate, price, nowMs) === null) {
            const bidId = uuidv7();
            budgets.reserve(bidId, candidate, price, nowMs);
            open.push({ bidId, micros: price });
          } else if (action === 'wait') {
            nowMs += 1000;
          } else if (open.length > 0) {
            const [bid] = open.splice(pick % open.length, 1);
            if (action === 'win') budgets.settle({ ...candidate, bidId: bid!.bidId }, bid!.micros, nowMs);
            else budgets.release(bid!.bidId);
            if (action === 'win') spentMicros += bid!.micros;
          }
          expect(spentMicros).toBeLessThanOrEqual(budgetMicros);
        }
      },
    ),
  );
});

describe('what stops an ad set', () => {
  test('its daily budget, until the next day of the company', () => {
    const candidate = candidateOf({ dailyBudgetMicros: 1000, timeZone: 'America/New_York' });
    const budgets = budgetsWith(1_000_000);
    budgets.settle({ ...candidate, bidId: uuidv7() }, 1000, noon);
    expect(budgets.refusal(candidate, 1, noon)).toBe('daily_budget');
    expect(budgets.refusal(candidate, 1, Date.parse('2026-05-05T03:59:59Z'))).toBe('daily_budget');
    expect(budgets.refusal(candidate, 1, Date.parse('2026-05-05T04:00:00Z'))).toBeNull();
  });

  test('its total budget, with what was spent before this process', () => {
    const candidate = candidateOf({ totalBudgetMicros: 5000 });
    const budgets = new Budgets();
    budgets.load({
      ever: new Map([[candidate.adsetId, 4990]]),
      recent: [],
      balances: new Map([[candidate.companyId, 1e9]]),
    });
    expect(budgets.refusal(candidate, 10, noon)).toBeNull();
    expect(budgets.refusal(candidate, 11, noon)).toBe('total_budget');
  });

  test('an empty balance, of which outstanding bids hold their part', () => {
    const candidate = candidateOf();
    const budgets = budgetsWith(100);
    const bidId = uuidv7();
    budgets.reserve(bidId, candidate, 60, noon);
    expect(budgets.refusal(candidate, 50, noon)).toBe('balance');
    budgets.release(bidId);
    expect(budgets.refusal(candidate, 50, noon)).toBeNull();
  });

  test('even pacing: a Max installs ad set may not be far ahead of the clock', () => {
    const candidate = candidateOf({ algorithm: 'Max installs', dailyBudgetMicros: 100_000 });
    const budgets = budgetsWith(1_000_000_000);
    budgets.settle({ ...candidate, bidId: uuidv7() }, 52_000, noon);
    expect(budgets.refusal(candidate, 1, noon)).toBe('pacing');
    expect(budgets.refusal(candidate, 1, noon + 3_600_000)).toBeNull();
  });
});

test('a bid that nobody answered holds its money for ten minutes', () => {
  const candidate = candidateOf();
  const budgets = budgetsWith(100);
  budgets.reserve(uuidv7(), candidate, 100, noon);
  expect(budgets.refusal(candidate, 1, noon + RESERVATION_MS - 1)).toBe('balance');
  expect(budgets.refusal(candidate, 1, noon + RESERVATION_MS)).toBeNull();
});

test("today's spend from before this process counts, yesterday's does not", () => {
  const candidate = candidateOf({ dailyBudgetMicros: 1000 });
  const budgets = new Budgets();
  const slice = (at: string, spentMicros: number) => ({
    adsetId: candidate.adsetId,
    quarterMs: Date.parse(at),
    spentMicros,
  });
  const recent = [slice('2026-05-03T23:45:00Z', 900), slice('2026-05-04T00:00:00Z', 400)];
  budgets.load({ ever: new Map(), recent, balances: new Map([[candidate.companyId, 1e9]]) });
  expect(budgets.refusal(candidate, 600, noon)).toBeNull();
  expect(budgets.refusal(candidate, 601, noon)).toBe('daily_budget');
});

test('what a quiet hour left expires in small parts, oldest first', () => {
  const candidate = candidateOf();
  const budgets = budgetsWith(600);
  for (let bid = 0; bid < 600; bid += 1) budgets.reserve(uuidv7(), candidate, 1, noon);
  const later = noon + RESERVATION_MS;
  expect(budgets.refusal(candidate, 65, later)).toBe('balance');
  expect(budgets.refusal(candidate, 128, later)).toBeNull();
  for (let call = 0; call < 8; call += 1) budgets.refusal(candidate, 1, later);
  expect(budgets.refusal(candidate, 600, later)).toBeNull();
});

test('bids that were released do not stand in the way of those that expire', () => {
  const candidate = candidateOf();
  const budgets = budgetsWith(100);
  const [first, second] = [uuidv7(), uuidv7()];
  budgets.reserve(first, candidate, 40, noon);
  expect(budgets.refusal(candidate, 1, noon)).toBeNull();
  budgets.release(first);
  budgets.reserve(second, candidate, 90, noon + 1);
  expect(budgets.refusal(candidate, 11, noon + RESERVATION_MS)).toBe('balance');
  expect(budgets.refusal(candidate, 100, noon + 1 + RESERVATION_MS)).toBeNull();
  budgets.reserve(uuidv7(), candidate, 90, noon + 2 + RESERVATION_MS);
  expect(budgets.refusal(candidate, 100, noon + 2 + 2 * RESERVATION_MS)).toBeNull();
});

test('too many bids without an answer stop bidding until some are answered', () => {
  const candidate = candidateOf();
  const budgets = new Budgets(2);
  budgets.load({ ever: new Map(), recent: [], balances: new Map([[candidate.companyId, 1e9]]) });
  const bidId = uuidv7();
  budgets.reserve(bidId, candidate, 1, noon);
  budgets.reserve(uuidv7(), candidate, 1, noon);
  expect(budgets.refusal(candidate, 1, noon)).toBe('overloaded');
  budgets.release(bidId);
  expect(budgets.refusal(candidate, 1, noon)).toBeNull();
});

test('what the same request already bids for a company counts', () => {
  const candidate = candidateOf();
  expect(budgetsWith(100).refusal(candidate, 50, noon, 50)).toBeNull();
  expect(budgetsWith(100).refusal(candidate, 50, noon, 51)).toBe('balance');
});

describe('balances that are read anew', () => {
  test('keep what bids hold back', async () => {
    const candidate = candidateOf();
    const budgets = budgetsWith(100);
    budgets.reserve(uuidv7(), candidate, 60, noon);
    await budgets.reloadBalances(async () => new Map([[candidate.companyId, 200]]));
    expect(budgets.refusal(candidate, 140, noon)).toBeNull();
    expect(budgets.refusal(candidate, 141, noon)).toBe('balance');
  });

  test('change nothing when they cannot be read', async () => {
    const candidate = candidateOf();
    const budgets = budgetsWith(100);
    budgets.reserve(uuidv7(), candidate, 60, noon);
    await expect(budgets.reloadBalances(() => Promise.reject(new Error('away')))).rejects.toThrow('away');
    expect(budgets.refusal(candidate, 40, noon)).toBeNull();
    expect(budgets.refusal(candidate, 41, noon)).toBe('balance');
  });

  test('do not forget what was spent while they were read', async () => {
    const candidate = candidateOf();
    const budgets = budgetsWith(100);
    await budgets.reloadBalances(async () => {
      budgets.settle({ ...candidate, bidId: uuidv7() }, 70, noon);
      return new Map([[candidate.companyId, 100]]);
    });
    expect(budgets.refusal(candidate, 31, noon)).toBe('balance');
    await budgets.reloadBalances(async () => new Map([[candidate.companyId, 30]]));
    expect(budgets.refusal(candidate, 30, noon)).toBeNull();
  });
});
