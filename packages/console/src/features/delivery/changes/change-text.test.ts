import type { ComparedChange, ComparedSide } from '@bidwell/contract/campaign-reports/changes';
import { rateOf } from '@bidwell/contract/lib/rate';
import { expect, test } from 'vitest';
import { type Compared, budgetDaysText, notComparedText, outcomeText, sidesText } from './change-text.ts';

const side = (impressions: number, clicks: number, installs: number): ComparedSide => ({
  impressions_per_day: impressions,
  spend_per_day: impressions / 100,
  installs,
  ctr_rate: rateOf(clicks, impressions, 100),
  ipm_rate: installs < 5 ? null : rateOf(installs, impressions, 1000),
  cpi: null,
});
const compared = (before: ComparedSide, after: ComparedSide, days = 1): Compared => ({
  outcome: 'compared',
  days,
  before,
  after,
});

test('rates are higher or lower where their intervals are apart, and nothing is said of a cause', () => {
  expect(outcomeText(compared(side(1000, 10, 50), side(1500, 100, 20)))).toBe(
    'After the change: impressions per 24 hours +50.0%, spend per 24 hours +50.0%, CTR higher, IPM lower.',
  );
  expect(outcomeText(compared(side(1000, 10, 4), side(900, 12, 20)))).toBe(
    'After the change: impressions per 24 hours -10.0%, spend per 24 hours -10.0%, CTR without a clear difference.',
  );
  expect(outcomeText(compared(side(0, 0, 0), side(900, 12, 20)))).toBe(
    'After the change: impressions per 24 hours up from 0, spend per 24 hours up from 0.',
  );
  expect(outcomeText(compared(side(0, 0, 0), side(0, 0, 0)))).toBe('No impressions before or after.');
});

test('the sides say how long they are, and with how many other changes', () => {
  const one = compared(side(1, 0, 0), side(1, 0, 0));
  expect(sidesText(one, 0)).toBe('24 hours before and after');
  expect(sidesText({ ...one, days: 7 }, 2)).toBe(
    '7 × 24 hours before and after, together with 2 other changes within the hour',
  );
});

test('a change that is not compared says why', () => {
  const fields = [{ field: 'bet_cpm', before: 2, after: 3 }];
  const change = { action: 'update', entity_type: 'adset', fields } as unknown as ComparedChange;
  expect(notComparedText({ ...change, comparison: { outcome: 'too_early', hours: 1 } })).toBe(
    'Not enough data yet: 1 hour since the change. Figures are compared from a day on.',
  );
  expect(notComparedText({ ...change, comparison: { outcome: 'too_close' } })).toBe(
    'Not compared: another change of this ad set came less than a day before or after.',
  );
  expect(notComparedText({ ...change, comparison: null })).toBe('Not compared: the ad set was new.');
  const renamed = [{ field: 'name', before: 'One', after: 'Two' }];
  expect(notComparedText({ ...change, fields: renamed, comparison: null })).toBe(
    'Not compared: names and descriptions do not affect delivery.',
  );
});

test('the spend under a changed daily budget is listed by calendar day', () => {
  const change = (budget_days: ComparedChange['budget_days']) => ({ budget_days }) as ComparedChange;
  const days = [
    { date: '2026-11-25', spends: 219.98 },
    { date: '2026-11-26', spends: 147.4 },
  ];
  expect(budgetDaysText(change(days), '2026-11-28')).toBe(
    'Daily budgets are for calendar days: it spent $219.98 on Nov 25 / 2026 and $147.40 on Nov 26 / 2026.',
  );
  expect(budgetDaysText(change(days), '2026-11-26')).toMatch(/and \$147\.40 on Nov 26 \/ 2026 so far\.$/);
  expect(budgetDaysText(change([]), '2026-11-28')).toBeNull();
});
