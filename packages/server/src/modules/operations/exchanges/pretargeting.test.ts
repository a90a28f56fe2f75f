import fc from 'fast-check';
import { runs } from '@bidwell/testing/whole-run';
import { expect, test } from 'vitest';
import { type OfferedSegment, pretargetingOf } from './pretargeting.ts';

const segmentOf = (over: Partial<OfferedSegment> = {}): OfferedSegment => ({
  country: 'US',
  system: 'android',
  format: 'banner 320x50',
  offered: 1000,
  skipped: 800,
  micros: 1_000_000,
  skippedMicros: 500_000,
  ...over,
});

test('countries with the same formats are one configuration, with what it is worth in a day', () => {
  const segments = [
    segmentOf(),
    segmentOf({ country: 'DE' }),
    segmentOf({ system: 'ios', format: 'video', micros: 9_000_000 }),
    segmentOf({ country: 'FR', micros: 0, skippedMicros: 0 }),
    segmentOf({ country: 'BR', micros: null, skippedMicros: null }),
  ];
  expect(pretargetingOf(segments, 1000, 86_400)).toEqual([
    {
      system: 'ios',
      countries: ['US'],
      formats: ['video'],
      requests_per_second: 1000 / 86_400,
      value_per_day: 9,
      added_value_per_day: 0.5,
    },
    {
      system: 'android',
      countries: ['DE', 'US'],
      formats: ['banner 320x50'],
      requests_per_second: 2000 / 86_400,
      value_per_day: 2,
      added_value_per_day: 1,
    },
  ]);
});

test('what is worth the most for a request comes first, as far as it fits in the limit', () => {
  const segments = [
    segmentOf({ country: 'US', offered: 600, micros: 600 }),
    segmentOf({ country: 'DE', offered: 600, micros: 1200 }),
    segmentOf({ country: 'FR', offered: 400, micros: 100 }),
  ];
  const countries = pretargetingOf(segments, 10, 100).flatMap((one) => one.countries);
  expect(countries.sort()).toEqual(['DE', 'FR']);
});

test('there are at most ten configurations, within the limit, and none that is worth nothing', () => {
  const segment = fc.record({
    country: fc.constantFrom('US', 'DE', 'BR', 'JP', 'IN', 'GB', ''),
    system: fc.constantFrom('android', 'ios', ''),
    format: fc.constantFrom('banner 320x50', 'video', 'native', 'interstitial 320x480 + video', ''),
    offered: fc.integer({ min: 1, max: 10_000 }),
    micros: fc.option(fc.integer({ min: 0, max: 1_000_000 })),
  });
  const distinct = fc.uniqueArray(segment, {
    maxLength: 100,
    selector: ({ country, system, format }) => `${country} ${system} ${format}`,
  });
  fc.assert(
    fc.property(distinct, fc.integer({ min: 1, max: 500 }), (offered, limit) => {
      const segments = offered.map((one) => ({ ...one, skipped: one.offered, skippedMicros: one.micros }));
      const found = pretargetingOf(segments, limit, 60);
      expect(found.length).toBeLessThanOrEqual(10);
      const perSecond = found.reduce((sum, one) => sum + one.requests_per_second, 0);
      if (found.flatMap(({ countries }) => countries).length > 1)
        expect(perSecond).toBeLessThanOrEqual(limit + 1e-6);
      for (const one of found) {
        expect(one.value_per_day).toBeGreaterThan(0);
        expect(one.countries).not.toContain('');
      }
    }),
    runs(200),
  );
});
