import fc from 'fast-check';
import { expect, test } from 'vitest';
import { partsInCents, statementInCents } from './cents.ts';

const cents = (dollars: number) => Math.round(dollars * 100);
const sumOf = (amounts: readonly number[]) => amounts.reduce((sum, amount) => sum + cents(amount), 0);

/** A statement of these movements, in micros. */
function statement(opening: number, movements: readonly { kind: 'credit' | 'spend'; micros: number }[]) {
  let balance = opening;
  const lines = movements.map(({ kind, micros }) => {
    balance += micros;
    return { date: '2026-05-04', kind, description: '', amount: micros / 1e6, balance: balance / 1e6 };
  });
  const of = (expected: string) =>
    movements.reduce((sum, { kind, micros }) => sum + (kind === expected ? micros : 0), 0) / 1e6;
  const spends = movements.filter(({ kind }) => kind === 'spend');
  return {
    time_zone: 'UTC',
    open: false,
    opening: opening / 1e6,
    closing: balance / 1e6,
    totals: { top_up: 0, credit: of('credit'), debit: 0, spend: of('spend') },
    lines,
    campaigns: spends.map(({ micros }, index) => ({
      uuid: String(index),
      name: 'One',
      spend: -micros / 1e6,
    })),
  };
}

test('what a statement shows adds up to the cent, where each amount alone is rounded down', () => {
  const spend = { kind: 'spend', micros: -4_000 } as const;
  const shown = statementInCents(statement(0, [{ kind: 'credit', micros: 1e6 }, spend, spend, spend]));
  expect(shown.lines.map(({ amount, balance }) => [amount, balance])).toEqual([
    [1, 1],
    [0, 1],
    [-0.01, 0.99],
    [0, 0.99],
  ]);
  expect(shown).toMatchObject({ closing: 0.99, totals: { credit: 1, spend: -0.01 } });
  expect(shown.campaigns.map((campaign) => campaign.spend)).toEqual([0.01, 0, 0]);
});

test('any statement adds up: lines to balances, totals to the closing balance, campaigns to the spend', () => {
  const movement = fc.oneof(
    fc.record({
      kind: fc.constant('credit' as const),
      micros: fc.integer({ min: 1, max: 1e6 }).map((n) => n * 1e4),
    }),
    fc.record({ kind: fc.constant('spend' as const), micros: fc.integer({ min: -1e9, max: -1 }) }),
  );
  fc.assert(
    fc.property(
      fc.integer({ min: -1e9, max: 1e10 }),
      fc.array(movement, { maxLength: 30 }),
      (opening, all) => {
        const { lines, totals, campaigns, ...shown } = statementInCents(statement(opening, all));
        const amounts = sumOf(lines.map(({ amount }) => amount));
        expect(cents(shown.opening) + amounts).toBe(cents(shown.closing));
        expect(sumOf(Object.values(totals))).toBe(amounts);
        expect(sumOf(campaigns.map(({ spend }) => spend)) + cents(totals.spend)).toBe(0);
        for (const [index, { amount }] of lines.entries())
          expect(Math.abs(amount - all[index]!.micros / 1e6)).toBeLessThan(0.0101);
      },
    ),
  );
});

test('parts add up to their total, the largest remainders rounded up', () => {
  expect(partsInCents([1.004, 1.004, 1.003], 3.011)).toEqual([1.01, 1, 1]);
  expect(partsInCents([], 0)).toEqual([]);
  expect(partsInCents([1.004, 2.006], 9)).toEqual([1, 2.01]);
});
