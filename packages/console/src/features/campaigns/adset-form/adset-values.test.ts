import { ADSET_AMOUNTS, type AdsetAmount } from '@bidwell/contract/adsets/fields';
import { AdsetUpdate } from '@bidwell/contract/adsets/schema';
import { expect, test } from 'vitest';
import { adsetErrors, adsetValues } from './adset-values.ts';
import { type BulkField, bulkFields, editErrors, noEdit } from '../bulk-edit/bulk-edit.ts';

const fields = Object.keys(ADSET_AMOUNTS) as AdsetAmount[];

test.each(fields)('the form and the API refuse the same amounts of %s', (field) => {
  const { min, max } = ADSET_AMOUNTS[field];
  const amounts = [-1, min / 2, min, 1, max, max + 0.01, max * 2];
  const accepted = amounts.filter((dollars) => AdsetUpdate.safeParse({ [field]: dollars }).success);
  expect(accepted).toEqual([min, 1, max]);
  const inForm = amounts.filter((dollars) => !adsetErrors({ ...adsetValues(), [field]: dollars })[field]);
  expect(inForm).toEqual(accepted);
});

test.each(Object.keys(bulkFields) as BulkField[])('many at once may have the same amounts of %s', (field) => {
  const { min, max } = ADSET_AMOUNTS[field];
  const errorsOf = (amount: number) =>
    editErrors({ ...noEdit, amounts: { ...noEdit.amounts, [field]: { how: 'set', amount } } });
  for (const amount of [min, max]) expect(errorsOf(amount)).toEqual({});
  for (const amount of [min / 2, max + 0.01]) expect(errorsOf(amount)).toHaveProperty(field);
});

test('audiences that are included and excluded at once are refused', () => {
  const [a, b, c] = [1, 2, 3].map((n) => `01890000-0000-7000-8000-00000000000${n}`) as [
    string,
    string,
    string,
  ];
  const errorOf = (audience_exclude: string[]) =>
    adsetErrors({ ...adsetValues(), audience_include: [[a], [b, c]], audience_exclude })['audience_exclude'];
  expect(errorOf([b])).toBeUndefined();
  expect(errorOf([a])).toContain('no bid can match');
});
