import { expect, test } from 'vitest';
import { invoiceableMonths, monthsSince, statementTable } from './statement-values.ts';

test('months go back to the first one', () => {
  expect(monthsSince('2025-11-30', '2026-02')).toEqual(['2026-02', '2026-01', '2025-12', '2025-11']);
  expect(monthsSince('2026-02-01', '2026-02')).toEqual(['2026-02']);
});

test('a month can be invoiced once it is over, and after the month of the last invoice', () => {
  const of = { created: '2025-12-30', present: '2026-03' };
  expect(invoiceableMonths({ ...of, lastMonth: null })).toEqual(['2026-02', '2026-01', '2025-12']);
  expect(invoiceableMonths({ ...of, lastMonth: '2026-01' })).toEqual(['2026-02']);
  expect(invoiceableMonths({ ...of, lastMonth: '2026-02' })).toEqual([]);
});

test('a statement is a table whose balances follow from its amounts', () => {
  const { data } = statementTable({
    company_uuid: '01890000-0000-7000-8000-000000000000',
    company_name: 'Acme',
    month: '2026-01',
    time_zone: 'UTC',
    open: false,
    opening: 0.1,
    closing: 0.3,
    totals: { top_up: 0, credit: 0.2, debit: 0, spend: 0 },
    lines: [
      { date: '2026-01-05', kind: 'credit', description: 'Start', amount: 0.1 + 0.1, balance: 0.1 + 0.2 },
    ],
    campaigns: [],
  });
  expect(data).toEqual([
    ['2026-01', 'opening', 'Opening balance', '', 0.1],
    ['2026-01-05', 'credit', 'Start', 0.2, 0.3],
    ['2026-01', 'closing', 'Closing balance', '', 0.3],
  ]);
});
