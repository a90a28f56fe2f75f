import { isBannerSize } from '@bidwell/contract/creatives/schema';
import { genresOf } from '@bidwell/contract/reference/genres';
import { parseStoreLink } from '@bidwell/contract/apps/store-link';
import { runs } from '@bidwell/testing/whole-run';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { seededRandom } from '../random.ts';
import { activityAt, trafficLevelAt } from './countries.ts';
import { tcfAllows } from '@bidwell/server/delivery/privacy/tcf';
import { createTraffic } from './generate.ts';
import { PUBLISHER_APPS } from './publishers.ts';

const NOON = Date.UTC(2026, 4, 12, 12);

function requests(count: number, { seed = 1, atMs = NOON, secure = false } = {}) {
  const traffic = createTraffic({ random: seededRandom(seed), worldSeed: seed, secure });
  return Array.from({ length: count }, () => traffic.next(atMs));
}

test('every request is complete, at any time and for any seed', () => {
  fc.assert(
    fc.property(fc.integer(), fc.integer({ min: 0, max: 4e12 }), fc.boolean(), (seed, atMs, secure) => {
      const { request, person, slots } = requests(1, { seed, atMs, secure })[0]!;
      expect(request.id).toMatch(/^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/);
      expect(request.imp).toHaveLength(slots.length);
      expect(new Set(request.imp.map(({ id }) => id)).size).toBe(request.imp.length);
      for (const imp of request.imp) {
        expect(imp.bidfloor).toBeGreaterThanOrEqual(0);
        expect(imp.secure).toBe(secure ? 1 : 0);
        expect(imp.banner.format[0]).toEqual({ w: imp.banner.w, h: imp.banner.h });
        for (const { w, h } of imp.banner.format) expect(isBannerSize(w, h)).toBe(true);
      }
      expect(request.device.geo.country).toMatch(/^[A-Z]{3}$/);
      expect(request.device.ip).toMatch(/^(192\.0\.2|198\.51\.100|203\.0\.113)\.\d+$/);
      expect('ifa' in request.device).toBe(request.device.lmt === 0);
      expect(request.device.os === 'iOS').toBe(request.device.make === 'Apple');
      const store = parseStoreLink(request.app.storeurl);
      expect(store).toMatchObject({ os: person.os, bundleId: request.app.bundle });
    }),
    runs(300),
  );
});

test('there are about 40 apps of both stores, each with its own bundle and a genre', () => {
  expect(PUBLISHER_APPS.length).toBeGreaterThanOrEqual(40);
  expect(new Set(PUBLISHER_APPS.map(({ bundle }) => bundle)).size).toBe(PUBLISHER_APPS.length);
  for (const { categories } of PUBLISHER_APPS) expect(genresOf(categories).size).toBeGreaterThan(0);
});

test('a few people are in much of the traffic, and most people consent where the GDPR applies', () => {
  const people = { regularsShare: 0.35, vendorId: 12 };
  const traffic = createTraffic({ random: seededRandom(3), worldSeed: 3, secure: true, people });
  const all = Array.from({ length: 4000 }, () => traffic.next(NOON));
  const regular = all.filter(({ person }) => person.isRegular).length / all.length;
  expect(regular).toBeGreaterThan(0.3);
  expect(regular).toBeLessThan(0.45);
  const european = all.filter(({ person }) => person.country.gdpr);
  const consenting = european.filter(({ request: { user } }) =>
    tcfAllows(user.ext!.consent, 12, { purposes: [1, 3, 4, 7], preciseLocation: false }),
  );
  expect(consenting.length).toBe(european.filter(({ person }) => person.consents).length);
  expect(consenting.length / european.length).toBeGreaterThan(0.75);
  expect(consenting.length / european.length).toBeLessThan(0.95);
  for (const { request, person } of all) if (!person.country.gdpr) expect(request.user.ext).toBeUndefined();
});

test('the same seed generates the same traffic, and users come back', () => {
  expect(requests(20, { seed: 5 })).toEqual(requests(20, { seed: 5 }));
  const ids = requests(5000, { seed: 5 }).map(({ person }) => person.advertisingId);
  expect(new Set(ids).size).toBeLessThan(ids.length);
});

test('the traffic is mixed: many countries, apps, sizes and both systems, none of them dominant', () => {
  const sample = requests(5000);
  const shareOf = (fits: (one: (typeof sample)[number]) => boolean) =>
    sample.filter(fits).length / sample.length;
  const distinct = (read: (one: (typeof sample)[number]) => string) => new Set(sample.map(read)).size;
  expect(distinct(({ person }) => person.country.code)).toBeGreaterThanOrEqual(15);
  expect(distinct(({ app }) => app.bundle)).toBeGreaterThanOrEqual(40);
  expect(distinct(({ slots }) => slots[0]!.name)).toBe(9);
  expect(shareOf(({ person }) => person.os === 'ios')).toBeGreaterThan(0.2);
  expect(shareOf(({ person }) => person.os === 'ios')).toBeLessThan(0.6);
  expect(shareOf(({ request }) => request.device.devicetype === 5)).toBeGreaterThan(0.02);
  expect(shareOf(({ request }) => request.at === 1)).toBeCloseTo(0.65, 1);
  expect(shareOf(({ slots }) => slots[0]!.interstitial)).toBeGreaterThan(0.15);
});

test('traffic is low at night and high in the evening, and near its average over a day', () => {
  expect(activityAt(Date.UTC(2026, 4, 12, 4), 0)).toBeLessThan(0.3);
  expect(activityAt(Date.UTC(2026, 4, 12, 21), 0)).toBeGreaterThan(1.5);
  const levels = Array.from({ length: 24 }, (_, hour) => trafficLevelAt(Date.UTC(2026, 4, 12, hour)));
  expect(levels.reduce((sum, level) => sum + level, 0) / 24).toBeCloseTo(1, 1);
  const japanAt = (hour: number) =>
    requests(2000, { atMs: Date.UTC(2026, 4, 12, hour) }).filter(
      ({ person }) => person.country.code === 'JPN',
    ).length;
  expect(japanAt(12)).toBeGreaterThan(2 * japanAt(19));
});
