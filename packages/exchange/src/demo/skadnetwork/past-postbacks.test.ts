import { randomUUID } from 'node:crypto';
import { iosAppBody, make } from '@bidwell/testing/advertising';
import { type SampleEvent, storeEvents } from '@bidwell/testing/stored-events';
import { testApp } from '@bidwell/testing/test-app';
import type { AddressInfo } from 'node:net';
import { afterAll, expect, test } from 'vitest';
import { PUBLISHER_APPS } from '../../traffic/publishers.ts';
import { bidIdAt } from '../history/generate.ts';
import { pick, seededRandom } from '../../random.ts';
import { operatorApi } from '../api.ts';
import { ensureExchange } from '../company.ts';
import { EXCHANGES } from '../exchanges.ts';
import { listsNetwork } from './network.ts';
import { newDeviceKey, sendPastPostbacks } from './past-postbacks.ts';

const DAY_MS = 86_400_000;
const NOW_MS = Date.parse('2026-06-20T12:00:00Z');
const deviceKey = newDeviceKey();
const app = await testApp({ INSTALL_POSTBACK_TEST_KEY: deviceKey.publicSpki });
app.clock.now = new Date(NOW_MS);
await app.http.listen({ host: '127.0.0.1', port: 0 });
afterAll(async () => app.http.close());

const adsetIds = [randomUUID(), randomUUID(), randomUUID()] as const;
const bundles = PUBLISHER_APPS.filter(({ os }) => os === 'ios').map(({ bundle }) => bundle);

/** Events of people who came to the app in the last 60 days: some clicked, and some buy something. */
function eventsOf(appId: string): SampleEvent[] {
  const random = seededRandom(7);
  return Array.from({ length: 300 }, (_, index): SampleEvent[] => {
    const bidMs = NOW_MS - 60 * DAY_MS * random();
    const bidId = bidIdAt(Math.floor(bidMs), random);
    const of = { appId, adsetId: pick(random, adsetIds), bundle: pick(random, bundles), country: 'DE' };
    const at = (ms: number) => new Date(bidMs + ms).toISOString();
    const install: SampleEvent = { ...of, kind: 'install', bidId, at: at(60_000) };
    const bought = { name: 'purchase', revenueMicros: 4_990_000, clickBidId: bidId, eventAt: at(90_000) };
    return [
      ...(index % 3 === 0 ? [{ ...of, kind: 'click' as const, bidId, at: at(10_000) }] : []),
      install,
      ...(index % 4 === 0 ? [{ ...of, kind: 'app_event' as const, at: at(93_000), app: bought }] : []),
    ];
  }).flat();
}

test('what the devices of the demo count is what its report says', async () => {
  const company = await app.freshCompany();
  const { companyId } = company;
  const appId = await make(company, '/app', iosAppBody());
  await storeEvents(app.ctx, companyId, eventsOf(appId));
  const base = `http://127.0.0.1:${(app.http.server.address() as AddressInfo).port}`;
  const api = operatorApi(base, app.ctx.config.operatorToken);
  for (const exchange of EXCHANGES) await ensureExchange(api, exchange);
  const delivered = await sendPastPostbacks({
    app,
    base,
    staff: { api, logIn() {} },
    adsets: adsetIds.map((adsetId) => ({ companyId, appId, adsetId, os: 'ios', isRunning: () => true })),
    deviceKey,
    clock: app.clock,
    nowMs: NOW_MS,
    progress: { phase() {}, done() {} },
  });
  expect(delivered.length).toBeGreaterThan(50);
  for (const { ad, atMs } of delivered) {
    expect(listsNetwork(String(ad.sourceAppId))).toBe(true);
    expect(atMs).toBeLessThanOrEqual(NOW_MS);
  }

  // Postbacks are of signed bids, so each number has a last one.
  const listed = await company.call('GET', `/app/${appId}/source_identifiers`);
  const lastBids = listed.data.source_identifiers.map(
    ({ last_bid_at: last }: { last_bid_at: string }) => last,
  );
  expect(lastBids).toEqual(adsetIds.map(() => new Date(NOW_MS - 3_600_000).toISOString()));

  const { data } = await company.call('POST', '/analytics/skadnetwork', {
    start_date: '2026-04-01',
    end_date: '2026-06-20',
    by: ['day', 'window', 'result', 'value'],
  });
  const reported = data.rows.map(
    ({ groups, postbacks }: { groups: { key: string | null }[]; postbacks: number }) =>
      [JSON.stringify(groups.map(({ key }) => key)), postbacks] as const,
  );
  const counted = new Map<string, number>();
  for (const { atMs, window, didWin, fineValue, coarseValue } of delivered) {
    const value = fineValue ?? coarseValue;
    const key = JSON.stringify([
      new Date(atMs).toISOString().slice(0, 10),
      String(window),
      didWin ? 'won' : 'lost',
      value === null ? null : String(value),
    ]);
    counted.set(key, (counted.get(key) ?? 0) + 1);
  }
  expect(new Map(reported)).toEqual(counted);
  expect(data.problems).toEqual([]);

  const values = await company.call('POST', '/analytics/skadnetwork', {
    start_date: '2026-04-01',
    end_date: '2026-06-20',
    by: ['adset', 'value'],
  });
  const purchases = delivered.filter(({ fineValue }) => fineValue === 40).length;
  expect(purchases).toBeGreaterThan(0);
  const ofPurchases = values.data.rows.filter(
    ({ groups }: { groups: { key: string }[] }) => groups[1]!.key === '40',
  );
  expect(ofPurchases.reduce((sum: number, { postbacks }: { postbacks: number }) => sum + postbacks, 0)).toBe(
    purchases,
  );
});
