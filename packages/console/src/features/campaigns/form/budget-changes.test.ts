import { expect, test } from 'vitest';
import { adsetValues } from '../adset-form/adset-values.ts';
import { budgetChanges } from './budget-changes.ts';

const saved = { ...adsetValues(), daily_budget_const: 50, all_budget_const: null };

test('a request for approval has the budgets that a form changes of saved ad sets, and nothing else', () => {
  const values = { ...saved, name: 'Another', bet_cpm: 3, daily_budget_const: 500 };
  const adsets = [
    { uuid: 'a', values, saved },
    { uuid: 'b', values: { ...saved, name: 'Another' }, saved },
    { uuid: null, values, saved: null },
  ];
  expect(budgetChanges(adsets)).toEqual([{ uuid: 'a', daily_budget_const: 500 }]);
});

test('an ad set that a form starts is asked for, and an unlimited budget is null', () => {
  const paused = { ...saved, status: 'Paused' as const };
  const unlimited = { uuid: 'a', values: { ...saved, daily_budget_const: null }, saved: paused };
  const stopped = { uuid: 'b', values: paused, saved };
  expect(budgetChanges([unlimited, stopped])).toEqual([
    { uuid: 'a', daily_budget_const: null, status: 'Active' },
  ]);
});
