import { APP_EVENT_NAMES_MAX } from '@bidwell/contract/apps/event-settings';
import { appBody, changesOf, make } from '@bidwell/testing/advertising';
import { testApp } from '@bidwell/testing/test-app';
import { expect, test } from 'vitest';
import { createSigner } from '../trackers/signer.ts';
import { pathOf, sampleRef } from '../trackers/sample-ref.ts';
import { readEventNames } from './event-names.ts';

const SECRET = 'a signing secret of the tests of event names, fixed';
const app = await testApp({ SIGNING_SECRET: SECRET }, undefined, { postbackAnswerMs: () => 2 ** 31 - 1 });
const signer = createSigner(SECRET, 'http://bidwell.test');

/** An app of a fresh company that has some names of events already: '0', '1' and so on. */
async function appWithNames(count: number) {
  const company = await app.freshCompany();
  const appId = await make(company, '/app', appBody());
  const names = Array.from({ length: count }, (_, index) => ({
    company_uuid: company.companyId,
    app_uuid: appId,
    name: `${index}`,
    first_seen_at: app.clock.now,
  }));
  if (count > 0) await app.ctx.db.insertInto('app_event_names').values(names).execute();
  const { secret } = (await company.call('GET', '/postbacks')).data;
  /** Reports an event of a new click, and returns its outcome and the name under which it is stored. */
  const report = async (name: string) => {
    const ref = sampleRef({ companyId: company.companyId, appId });
    await app.http.inject({ url: pathOf(signer.urlsFor(ref).click) });
    const query = new URLSearchParams({ clickid: signer.clickIdFor(ref), event_name: name });
    const response = await app.http.inject({ url: `/postback/appsflyer/${secret}?${query.toString()}` });
    expect(response.json()).toEqual({ data: { outcome: 'stored' } });
    await app.settled();
    const [event] = await app.ctx.clickhouse.query<{ name: string }>(
      "select event_name as name from events where company_id = {company:UUID} and kind = 'app_event' and click_bid_id = {bid:UUID}",
      { company: company.companyId, bid: ref.bidId },
    );
    return event!.name;
  };
  return { company, appId, report };
}

test('an app with 500 names has further names counted together, and the names of another app are not affected', async () => {
  const full = await appWithNames(APP_EVENT_NAMES_MAX);
  expect(await full.report('purchase')).toBe('(other)');
  expect(await full.report('7')).toBe('7');
  const other = await appWithNames(0);
  expect([await other.report('purchase'), await other.report('purchase')]).toEqual(['purchase', 'purchase']);
});

test('trackers that name events at the same time stay within the limit of the app together', async () => {
  const { company, appId } = await appWithNames(APP_EVENT_NAMES_MAX - 1);
  const admitted = await Promise.all(
    ['one', 'two', 'three'].map(async (name) => {
      const event = { companyId: company.companyId, appId, name };
      const names = await readEventNames(app.ctx.db, [event]);
      return names.admit(event, app.clock.now);
    }),
  );
  expect(admitted.filter((name) => name === '(other)')).toHaveLength(2);
});

test('a name with a NUL is stored without it', async () => {
  const { company, appId, report } = await appWithNames(0);
  expect(await report(`pur${String.fromCharCode(0)}chase`)).toBe('purchase');
  const names = await app.ctx.db
    .selectFrom('app_event_names')
    .select(['company_uuid', 'name'])
    .where('app_uuid', '=', appId)
    .execute();
  expect(names).toEqual([{ company_uuid: company.companyId, name: 'purchase' }]);
});

test('deleting an app deletes its names, and events that arrive afterwards have none of their own', async () => {
  const { company, appId, report } = await appWithNames(0);
  await report('purchase');
  expect((await company.call('DELETE', '/app/batch', { uuids: [appId] })).status).toBe(200);
  expect(await report('purchase')).toBe('(other)');
});

test('an app lists its events, and those later than its window do not count', async () => {
  const { company, appId, report } = await appWithNames(0);
  await report('purchase');
  const path = `/app/${appId}/events`;
  const at = app.clock.now.toISOString();
  const settings = {
    click_window_days: 180,
    view_window_days: 180,
    revenue_sources: ['purchases', 'ad_revenue'],
  };
  const purchase = { name: 'purchase', label: null, offered: true, payer: 'purchase' };
  expect((await company.call('GET', path)).data).toEqual({
    events: [{ ...purchase, first_seen_at: at, last_seen_at: at }],
    ...settings,
  });
  const changed = await company.call('PUT', path, { click_window_days: 7 });
  expect(changed).toMatchObject({ status: 200, data: { ...settings, click_window_days: 7, events: [] } });
  expect((await changesOf(app, company, appId)).at(-1)).toMatchObject({
    action: 'update',
    fields: [{ field: 'event_click_window_days', before: 180, after: 7 }],
  });
  const ref = sampleRef({ companyId: company.companyId, appId }, app.clock.now.getTime() - 8 * 86_400_000);
  const { now } = app.clock;
  app.clock.now = new Date(now.getTime() - 8 * 86_400_000);
  await app.http.inject({ url: pathOf(signer.urlsFor(ref).click) });
  app.clock.now = now;
  const { secret } = (await company.call('GET', '/postbacks')).data;
  const late = await app.http.inject({
    url: `/postback/appsflyer/${secret}?clickid=${signer.clickIdFor(ref)}&event_name=level`,
  });
  expect(late.json()).toEqual({ data: { outcome: 'expired' } });
  const stranger = await app.freshCompany();
  expect((await stranger.call('GET', path)).status).toBe(404);
  expect((await stranger.call('PUT', path, { click_window_days: 1 })).status).toBe(404);
  expect((await company.call('PUT', path, { view_window_days: 181 })).errors).toEqual([
    { field: 'view_window_days', message: 'Enter 1 to 180 days' },
  ]);
});
