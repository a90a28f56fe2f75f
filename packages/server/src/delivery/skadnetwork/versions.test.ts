import { expect, test } from 'vitest';
import { hasAdAttributionKit, highestVersion } from './signable.ts';

test.each([
  [['2.0', '2.1', '2.2', '3.0', '4.0'], '17.5.1', '4.0'],
  [['2.0', '2.1', '2.2', '3.0', '4.0'], '16.0', '3.0'],
  [['2.0', '2.1', '2.2', '3.0', '4.0'], '14.5', '2.2'],
  [['2.0', '2.1', '2.2'], '14.4.2', '2.1'],
  [['2.2', '3.0'], '14.4', null],
  [['4.0'], '', '4.0'],
  [['4.0'], '9', null],
  [['1.0', '5.0', 'new'], '18.0', null],
  [[], '18.0', null],
])('of %j, a device with iOS %s gets %s', (offered, ios, version) => {
  expect(highestVersion(new Set(offered), ios)).toBe(version);
});

test('AdAttributionKit begins with iOS 17.4', () => {
  expect(['17.3.1', '17.4', '17.10', '18', '16.7', ''].map(hasAdAttributionKit)).toEqual([
    false,
    true,
    true,
    true,
    false,
    true,
  ]);
});
