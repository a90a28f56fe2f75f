import { fillTrackingMacros } from '@bidwell/contract/tracking-links/macros';
import { PARTNERS } from '@bidwell/contract/measurement/partners/partners';
import { dateAt } from '@bidwell/contract/lib/calendar';
import { appBody, make } from '@bidwell/testing/advertising';
import { answersWhenDecided, partnersOf } from '@bidwell/testing/partners';
import { type PushedEvent, pushMessage } from '@bidwell/testing/partners/appsflyer-push';
import { testApp } from '@bidwell/testing/test-app';
import { expect, test } from 'vitest';
import type { BidRef } from '../model/event.ts';

const app = await testApp({}, undefined, answersWhenDecided);
const { signer, send, freshAdvertiser } = partnersOf(app);

/** The tracking link of a bid, as AppsFlyer's template has it, with the macros filled. */
const linkOf = (ref: BidRef, view = false) => {
  const { click, view: viewLink } = PARTNERS.appsflyer.links;
  const template = (view ? viewLink : click).replace('<app>', 'com.example').replace('<device>', 'idfa=');
  return fillTrackingMacros(template, { click_id: signer.clickIdFor(ref), campaign_id: ref.campaignId });
};

async function pushed(secret: string, event: Partial<PushedEvent>, more: Record<string, unknown> = {}) {
  const message = pushMessage({
    link: null,
    appId: 'com.example',
    eventName: 'install',
    at: app.clock.now,
    ...event,
  });
  const response = await app.http.inject({
    method: 'POST',
    url: `/postback/appsflyer/${secret}/push`,
    headers: { 'content-type': 'application/json' },
    payload: JSON.stringify({ ...message, ...more }),
  });
  expect(response.statusCode).toBe(200);
  return response.json<{ data: { outcome: string } }>().data.outcome;
}

const purchase = { amount: 2.5, currency: 'EUR', usd: 2.75 };
/** The postbacks of AppsFlyer about the same, by our templates: times to the second and amounts in other spellings. */
const postbacks = {
  install: { event_name: 'install', retargeting: 'false' },
  purchase: { event_name: 'af_purchase', revenue: '2.50', currency: 'eur', revenue_usd: '2.75' },
  tutorial: { event_name: 'af_tutorial', revenue: '0', currency: '' },
  return: { event_name: 'install', retargeting: 'true' },
};

test.each(['push', 'postback'])(
  'an install, its events and a return count once where both messages and postbacks report them, the %s first',
  async (first) => {
    const { company, secret, clicked } = await freshAdvertiser();
    const ref = await clicked();
    const at = new Date(Math.floor(app.clock.now.getTime() / 1000) * 1000 + 364);
    const link = linkOf(ref);
    const second = at.toISOString().slice(0, 19).replace('T', ' ');
    const asPush = {
      install: async () => pushed(secret, { link, at }),
      purchase: async () => pushed(secret, { link, at, eventName: 'af_purchase', revenue: purchase }),
      tutorial: async () => pushed(secret, { link, at, eventName: 'af_tutorial' }),
      return: async () => pushed(secret, { link, at, eventName: 're-engagement' }),
    };
    const asPostback = async (of: keyof typeof postbacks) => {
      const isEvent = of === 'purchase' || of === 'tutorial';
      return send(`/postback/appsflyer/${secret}`, {
        click_id: signer.clickIdFor(ref),
        ...postbacks[of],
        ...(isEvent && { event_time: second }),
      });
    };
    const outcomes: string[] = [];
    for (const of of Object.keys(postbacks) as (keyof typeof postbacks)[]) {
      const both = [async () => asPostback(of), asPush[of]];
      for (const report of first === 'push' ? both.toReversed() : both) outcomes.push(await report());
    }
    expect(outcomes).toEqual(Object.keys(postbacks).flatMap(() => ['stored', 'duplicate']));
    await app.settled();
    const day = dateAt(app.clock.now.getTime(), 'UTC');
    const { data } = await company.call('POST', '/analytics/level', {
      start_date: day,
      end_date: day,
      levels: { campaign: '' },
      metrics: ['installs', 'app_events', 'revenue'],
    });
    expect(data.rows).toEqual([
      expect.objectContaining({
        value: ref.campaignId,
        installs: 1,
        app_events: 3,
        revenue: expect.closeTo(2.75, 6),
      }),
    ]);
  },
);

test('a message names its click by its link, a view link too, and by a field of the link’s own', async () => {
  const { secret, clicked } = await freshAdvertiser();
  const [one, other, third] = await Promise.all([clicked(), clicked(), clicked()]);
  expect(await pushed(secret, { link: linkOf(one, true) })).toBe('stored');
  expect(await pushed(secret, {}, { af_sub2: signer.clickIdFor(other) })).toBe('stored');
  // Another network's link next to ours, and a rejection.
  const elsewhere = 'https://app.appsflyer.com/com.example?pid=other_int&clickid=abc';
  expect(await pushed(secret, { link: elsewhere }, { af_sub1: signer.clickIdFor(third) })).toBe('stored');
  expect(await pushed(secret, { link: linkOf(third) }, { blocked_reason: 'bots' })).toBe('taken_back');
});

test('an organic install and an install of another network count nothing, and leave no data of the device', async () => {
  const { company, secret } = await freshAdvertiser();
  await make(company, '/app', { ...appBody(), bundle_id: 'com.example.push' });
  const of = { appId: 'com.example.push' };
  const link = 'https://app.appsflyer.com/com.example.push?pid=other_int&c=theirs&clickid=abc';
  const ids = { advertising_id: '38400000-8cf0-11bd-b23e-10b96e40000d' };
  expect([await pushed(secret, of, ids), await pushed(secret, { ...of, link }, ids)]).toEqual([
    'unattributed',
    'unattributed',
  ]);
  const rows = await app.ctx.clickhouse.query<{ parameters: string }>(
    'select parameters from postbacks where company_id = {company:UUID}',
    { company: company.companyId },
  );
  expect(rows).toHaveLength(2);
  const stored = rows.map(({ parameters }) => parameters).join();
  for (const ofDevice of ['203.0.113.7', 'Dalvik', '38400000', '1700000000000', 'abc'])
    expect(stored).not.toContain(ofDevice);
  expect(stored).toContain('theirs');
});

test('a message without the company’s token counts nothing, in the header or as another address', async () => {
  const { company, secret, clicked } = await freshAdvertiser();
  await company.call('PUT', '/postbacks/appsflyer', { secret: 'a token of AppsFlyer' });
  const link = linkOf(await clicked());
  expect(await pushed(secret, { link })).toBe('unverified');
  const response = await app.http.inject({
    method: 'POST',
    url: `/postback/appsflyer/${secret}/push`,
    headers: { 'content-type': 'application/json', authorization: 'a token of AppsFlyer' },
    payload: JSON.stringify(
      pushMessage({ link, appId: 'com.example', eventName: 'install', at: app.clock.now }),
    ),
  });
  expect(response.json()).toEqual({ data: { outcome: 'stored' } });
  const wrong = await Promise.all(
    [
      `/postback/appsflyer/${secret}x/push`,
      `/postback/appsflyer/${secret}/pull`,
      `/postback/adjust/${secret}/push`,
      `/postback/nobody/${secret}/push`,
    ].map(async (url) => app.http.inject({ method: 'POST', url })),
  );
  expect(wrong.map(({ statusCode }) => statusCode)).toEqual([404, 404, 404, 404]);
});

test('a message that is too large or is no JSON is rejected', async () => {
  const { secret } = await freshAdvertiser();
  const post = async (payload: string) =>
    app.http.inject({
      method: 'POST',
      url: `/postback/appsflyer/${secret}/push`,
      headers: { 'content-type': 'application/json' },
      payload,
    });
  expect((await post(JSON.stringify({ event_value: 'x'.repeat(70_000) }))).statusCode).toBe(413);
  expect((await post('{bad')).statusCode).toBe(400);
});
