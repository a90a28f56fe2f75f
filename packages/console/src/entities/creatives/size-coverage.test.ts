import { bannerResolutions } from '@bidwell/contract/creatives/schema';
import { expect, test } from 'vitest';
import { bannerCoverage, videoCoverage } from './size-coverage.ts';

test('sizes are counted in their groups', () => {
  const coverage = bannerCoverage(bannerResolutions, [
    { type: 'Banner', width: 320, height: 50 },
    { type: 'Banner', width: 320, height: 50 },
    { type: 'Banner', width: 728, height: 90 },
    { type: 'Native', width: 80, height: 80 },
    { type: 'Video', width: 320, height: 480 },
    { type: 'Playable', width: null, height: null },
  ]);
  expect(coverage.map(({ label, covered }) => [label, covered])).toEqual([
    ['Small', 1],
    ['Medium', 0],
    ['Tablet', 1],
    ['Full screen', 0],
    ['Native', 1],
  ]);
  expect(coverage[0]!.sizes[0]).toEqual({ width: 320, height: 50, creatives: 2 });
});

test('videos are landscape or portrait', () => {
  expect(
    videoCoverage([
      { type: 'Video', width: 1920, height: 1080 },
      { type: 'Video', width: 720, height: 1280 },
      { type: 'Video', width: 1080, height: 1920 },
      { type: 'Banner', width: 320, height: 50 },
      { type: 'Video', width: null, height: null },
    ]),
  ).toEqual({ landscape: 1, portrait: 2 });
});
