import { expect, test } from 'vitest';
import { gibOf, quotaChange } from './storage-values.ts';

const GIB = 1024 ** 3;

test('a quota is changed to a number of GiB, or by an empty input to the quota of the settings', () => {
  expect(quotaChange(null, 1.5)).toEqual({ storage_quota_bytes: 1.5 * GIB });
  expect(quotaChange(2 * GIB, 0)).toEqual({ storage_quota_bytes: 0 });
  expect(quotaChange(2 * GIB, '')).toEqual({ storage_quota_bytes: null });
});

test.each([2 * GIB, null])(
  'the quota %s is changed neither by its own value nor by a text that is not a number',
  (own) => {
    for (const input of [gibOf(own), '-', '.']) expect(quotaChange(own, input)).toBeNull();
  },
);
