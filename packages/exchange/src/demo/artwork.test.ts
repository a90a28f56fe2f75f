import { bannerResolutions } from '@bidwell/contract/creatives/schema';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { drawBanner } from './artwork.ts';
import { NATIVE_IMAGE } from './creatives.ts';
import { COMPANIES } from './companies.ts';

const apps = COMPANIES.flatMap((company) => company.apps);
const banners = apps.flatMap(({ brand, groups }) =>
  Object.values(groups).flatMap(({ banners: sizes = [], palettes = 1, native }) =>
    brand.palettes.slice(0, palettes).flatMap((palette) =>
      [...sizes, ...(native ? [NATIVE_IMAGE] : [])].map(([width, height]) => ({
        brand,
        palette,
        width,
        height,
      })),
    ),
  ),
);

test.each(
  banners.map((banner) => [
    `${banner.brand.name} ${banner.palette.name} ${banner.width}x${banner.height}`,
    banner,
  ]),
)('%s is a PNG of an allowed size that shows something', async (_name, { brand, palette, width, height }) => {
  const image = sharp(await drawBanner(brand, palette, width, height));
  expect(await image.metadata()).toMatchObject({ format: 'png', width, height });
  const { channels } = await image.stats();
  for (const { stdev } of channels.slice(0, 3)) expect(stdev).toBeGreaterThan(10);
  expect(Object.values(bannerResolutions).flat()).toContainEqual({ width, height });
});

test('names that the plan refers to exist and are unique', () => {
  const adsets = apps.flatMap(({ campaigns, groups }) =>
    campaigns.flatMap((campaign) => campaign.adsets.map((adset) => ({ adset, groups }))),
  );
  expect(new Set(adsets.map(({ adset }) => adset.name)).size).toBe(adsets.length);
  for (const { adset, groups } of adsets)
    for (const group of adset.groups) expect(Object.keys(groups)).toContain(group);
});
