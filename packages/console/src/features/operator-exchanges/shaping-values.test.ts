import { expect, test } from 'vitest';
import { formatText, pretargetingTable, segmentTexts, segmentsTable, systemText } from './shaping-values.ts';

test('a value that is not known is an empty cell, not 0', () => {
  const segment = { country: 'US', system: 'ios', format: 'video', offered: 10, skipped: 5 };
  expect(segmentsTable([{ ...segment, skipped_value_per_day: null }]).data).toEqual([
    ['US', 'iOS', 'video', 10, 5, ''],
  ]);
  expect(segmentsTable([{ ...segment, skipped_value_per_day: 1.25 }]).data[0]!.at(-1)).toBe(1.25);
});

test('requests of kinds that are not counted apart are all others', () => {
  const rest = { country: '', system: '', format: '', offered: 9, skipped: 8, skipped_value_per_day: 1 };
  expect(segmentsTable([rest]).data).toEqual([['All others', '', '', 9, 8, 1]]);
  expect(segmentTexts({ ...rest, system: 'ios' })).toEqual(['Unknown', 'iOS', 'Unknown']);
});

test('a configuration is a row with its lists', () => {
  const configuration = {
    system: 'android',
    countries: ['DE', 'US'],
    formats: ['banner 320x50', 'native'],
    requests_per_second: 12.345,
    value_per_day: 100,
    added_value_per_day: 40,
  };
  expect(pretargetingTable([configuration]).data).toEqual([
    ['Android', 'DE US', 'banner 320x50; native', 12.35, 100, 40],
  ]);
});

test('names of systems and formats are readable, and unknown ones say so', () => {
  expect([systemText('ios'), systemText('')]).toEqual(['iOS', 'Unknown']);
  expect([formatText('interstitial 320x480 + video'), formatText('')]).toEqual([
    'interstitial 320×480 + video',
    'Unknown',
  ]);
});
