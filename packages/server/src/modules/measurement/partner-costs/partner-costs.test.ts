import { appBody, linkBody, make } from '@bidwell/testing/advertising';
import { startPartnerCounterpart } from '@bidwell/testing/partners/partner-counterpart';
import { makeCampaign, storeEvents, type SampleEvent } from '@bidwell/testing/stored-events';
import { type TestCompany, testApp } from '@bidwell/testing/test-app';
import { v7 as uuidv7 } from 'uuid';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { shortIdOf } from '../../../platform/partner-ids.ts';
import { startSession } from '../../identity/service.ts';
import { createMessenger } from '../../messaging/public.ts';
import { costDayMessages, costRoundMessages, planPartnerCosts } from './cost-messages.ts';

const partner = await startPartnerCounterpart({ now: () => app.clock.now });
afterAll(() => partner.close());
const app = await testApp({ PARTNER_STAND_IN: partner.origin, LOG_LEVEL: 'silent' });
const { ctx } = app;
const kinds = [costRoundMessages, costDayMessages];

beforeEach(async () => {
  app.clock.now = new Date('2026-03-10T12:00:00Z');
  Object.assign(partner, { mood: 'usual', pendingChecks: 0, cutNextResponse: false });
  partner.appsFlyer.apps = [];
  partner.appsFlyer.mediaSource = 'bidwell_int';
  partner.requests.length = 0;
  await ctx.db.deleteFrom('messages').execute();
  await ctx.db.updateTable('partner_costs').set({ is_enabled: false, next_at: null }).execute();
});

const pass = (ms: number) => (app.clock.now = new Date(app.clock.now.getTime() + ms));
const MINUTE = 60_000;

/** Sends everything that is due now. */
async function send(context = ctx): Promise<void> {
  await planPartnerCosts(ctx);
  const messenger = createMessenger(context, kinds);
  await messenger.tick();
  await messenger.idle();
}

/** Sends again and again for `ms`. */
async function sendFor(ms: number): Promise<void> {
  const steps = 24;
  for (let step = 0; step < steps; step += 1) {
    await send();
    pass(ms / steps);
  }
  await send();
}

let bundles = 0;
/** A company with an app at AppsFlyer, in whose time zone its days are. */
async function advertiser(timeZone = 'UTC') {
  const company = await app.freshCompany();
  bundles += 1;
  const bundle = `com.example.costs${bundles}`;
  const appId = await make(company, '/app', {
    ...appBody(),
    store_link: `https://play.google.com/store/apps/details?id=${bundle}`,
    bundle_id: bundle,
    mobile_measurement_partner: 'appsflyer',
  });
  partner.appsFlyer.apps.push({ id: bundle, timeZone });
  const campaignId = await makeCampaign(ctx, company, 'Spring');
  const spend = (over: Partial<SampleEvent> & { at: string; spendMicros: number }): SampleEvent => ({
    kind: 'billing',
    appId,
    campaignId,
    adsetId: uuidv7(),
    creativeId: uuidv7(),
    ...over,
  });
  return { company, appId, bundle, campaignId, spend };
}

const switchOn = (company: TestCompany, over: object = {}) =>
  company.call('PUT', '/partner-costs/appsflyer', {
    is_enabled: true,
    media_source: 'bidwell_int',
    token: partner.appsFlyer.token,
    ...over,
  });
/** Reads in a new session, since tests let more time pass than a session lasts. */
async function read(company: TestCompany, path: string) {
  const { tokens } = await startSession(ctx, company);
  const response = await app.http.inject({
    url: `/api/internal${path}`,
    headers: { authorization: `Bearer ${tokens.access_token}` },
  });
  expect(response.statusCode).toBe(200);
  return response.json().data;
}
const uploads = async (company: TestCompany) =>
  (await read(company, '/partner-costs/appsflyer/uploads')).uploads;
const settings = async (company: TestCompany) => (await read(company, '/partner-costs')).partners[0];

/** The micros that the partner stored of an app, by day. */
const storedBy = (bundle: string) => {
  const days: Record<string, number> = {};
  for (const { appId, date, spendMicros } of partner.costs())
    if (appId === bundle && spendMicros > 0) days[date] = (days[date] ?? 0) + spendMicros;
  return days;
};

/** What the company's report says that it spent on a day, in micros. */
async function reportedMicros(company: TestCompany, day: string): Promise<number> {
  const { total_cost: total } = await read(company, `/analytics/costs?start_date=${day}&end_date=${day}`);
  return Math.round(total * 1_000_000);
}

test('costs are uploaded by campaign, ad set, creative, country and publisher, and the partner says that it accepted them', async () => {
  const { company, bundle, spend, campaignId } = await advertiser();
  const [adsetId, creativeId] = [uuidv7(), uuidv7()];
  const ids = { adsetId, creativeId };
  const long = 'com.example.publisher.with.a.long.name';
  await storeEvents(ctx, company.companyId, [
    spend({ at: '2026-03-10T08:00:00Z', spendMicros: 1_234_560, ...ids, country: 'DE', bundle: 'com.a' }),
    spend({ at: '2026-03-10T09:00:00Z', spendMicros: 40, ...ids, country: 'DE', bundle: long }),
    spend({ at: '2026-03-05T09:00:00Z', spendMicros: 500_000, ...ids, country: 'US', bundle: 'com.a' }),
    spend({ at: '2026-03-02T09:00:00Z', spendMicros: 999_990, ...ids }),
  ]);
  expect((await switchOn(company)).status).toBe(200);
  await send();
  expect((await uploads(company)).map(({ status }: { status: string }) => status)).toEqual(['sent', 'sent']);
  await sendFor(10 * MINUTE);

  const row = {
    appId: bundle,
    campaignId: shortIdOf(campaignId),
    adsetId: shortIdOf(adsetId),
    adId: shortIdOf(creativeId),
  };
  const ofApp = partner.costs().filter(({ appId }) => appId === bundle);
  expect(ofApp).toHaveLength(3);
  expect(ofApp).toEqual(
    expect.arrayContaining([
      { ...row, date: '2026-03-10', geo: 'DE', siteId: 'com.a', spendMicros: 1_234_560 },
      {
        ...row,
        date: '2026-03-10',
        geo: 'DE',
        siteId: expect.stringMatching(/^com\.example\.p-.{10}$/),
        spendMicros: 40,
      },
      { ...row, date: '2026-03-05', geo: 'US', siteId: 'com.a', spendMicros: 500_000 },
    ]),
  );
  const log = await uploads(company);
  expect(log).toHaveLength(2);
  expect(log).toContainEqual(
    expect.objectContaining({ day: '2026-03-05', status: 'accepted', rows: 1, spend: 0.5, sent: 0.5 }),
  );
  expect(log).toContainEqual(
    expect.objectContaining({
      day: '2026-03-10',
      rows: 2,
      spend: 1.2346,
      sent: 1.2346,
      matched_percent: 97.5,
    }),
  );
  expect(await settings(company)).toMatchObject({
    is_enabled: true,
    has_token: true,
    accepted_at: expect.any(String),
    error: null,
    apps: 1,
    apps_here: 1,
  });
});

test('reports, uploads and the partner agree to the micro, also after spend of an earlier day has changed', async () => {
  const { company, bundle, spend } = await advertiser();
  const events = Array.from({ length: 40 }, (_, n) =>
    spend({
      at: `2026-03-0${5 + (n % 5)}T0${n % 10}:30:00Z`,
      spendMicros: 1_000_003 * (n + 1),
      country: n % 3 ? 'DE' : 'US',
      bundle: `com.publisher${n % 4}`,
    }),
  );
  await storeEvents(ctx, company.companyId, events);
  await switchOn(company);
  await sendFor(20 * MINUTE);
  // A late notice and a charge that was taken back.
  await storeEvents(ctx, company.companyId, [
    spend({ at: '2026-03-06T23:59:59Z', spendMicros: 7 }),
    { ...events[3]!, at: '2026-03-08T03:30:00Z', spendMicros: -events[3]!.spendMicros! },
  ]);
  pass(4 * 3_600_000);
  await sendFor(20 * MINUTE);

  const stored = storedBy(bundle);
  const log = await uploads(company);
  for (const day of ['2026-03-05', '2026-03-06', '2026-03-07', '2026-03-08', '2026-03-09']) {
    const micros = await reportedMicros(company, day);
    const [last] = log.filter((upload: { day: string }) => upload.day === day);
    expect([Math.round(last.spend * 1e6), Math.round(last.sent * 1e6)]).toEqual([micros, stored[day]]);
    // AppsFlyer takes five decimal places.
    expect(stored[day]).toBe(micros - (micros % 10));
  }
  // Days that have not changed are not sent again.
  expect(log).toHaveLength(5 + 2);
});

test('days are those of the app at the partner, and not of the company', async () => {
  const { company, bundle, spend } = await advertiser('Asia/Kolkata');
  await storeEvents(ctx, company.companyId, [
    spend({ at: '2026-03-08T18:29:59Z', spendMicros: 10 }),
    spend({ at: '2026-03-08T18:30:00Z', spendMicros: 20 }),
  ]);
  await switchOn(company);
  await sendFor(10 * MINUTE);
  expect(storedBy(bundle)).toEqual({ '2026-03-08': 10, '2026-03-09': 20 });
  expect((await uploads(company))[0].time_zone).toBe('Asia/Kolkata');
});

test.each([
  ['503', { status: 503 }],
  ['429 with Retry-After', { status: 429, retryAfterSeconds: 120 }],
] as const)(
  'after an hour of %s, and a kill between an upload and its record, the partner has what the report has',
  async (_name, mood) => {
    const { company, bundle, spend } = await advertiser();
    await storeEvents(ctx, company.companyId, [
      spend({ at: '2026-03-09T10:00:00Z', spendMicros: 123_450 }),
      spend({ at: '2026-03-10T10:00:00Z', spendMicros: 67_890 }),
    ]);
    await switchOn(company);
    await send();
    partner.mood = { ...mood };
    await sendFor(60 * MINUTE);
    const waiting = await uploads(company);
    expect(waiting[0]).toMatchObject({ status: 'sent', error: expect.stringContaining(String(mood.status)) });
    partner.mood = 'usual';
    await sendFor(3 * 3_600_000);
    // More spend, and the process is killed after the partner has stored the upload.
    await storeEvents(ctx, company.companyId, [spend({ at: '2026-03-10T11:00:00Z', spendMicros: 110 })]);
    pass(4 * 3_600_000);
    await planPartnerCosts(ctx);
    const killed = createMessenger({ ...ctx, db: dyingAfterUpload() }, kinds);
    await killed.tick();
    await killed.idle();
    await sendFor(3 * 3_600_000);

    expect(storedBy(bundle)).toEqual({ '2026-03-09': 123_450, '2026-03-10': 68_000 });
    const rows = partner.costs().filter(({ appId }) => appId === bundle);
    expect(rows.reduce((sum, { spendMicros }) => sum + spendMicros, 0)).toBe(123_450 + 68_000);
    const log = await uploads(company);
    expect(new Set(log.map(({ status }: { status: string }) => status))).toEqual(new Set(['accepted']));
  },
);

/** The database, which cannot store anything once the partner has got an upload. */
function dyingAfterUpload(): typeof ctx.db {
  return new Proxy(ctx.db, {
    get(db, name) {
      const isUploaded = partner.requests.some((request) => request.startsWith('POST'));
      if (name === 'transaction' && isUploaded) throw new Error('killed');
      const value: unknown = Reflect.get(db, name, db);
      return typeof value === 'function' ? (value.bind(db) as unknown) : value;
    },
  });
}

test('an upload whose response is lost is repeated, and counts once', async () => {
  const { company, bundle, spend } = await advertiser();
  await storeEvents(ctx, company.companyId, [spend({ at: '2026-03-10T10:00:00Z', spendMicros: 55_550 })]);
  await switchOn(company);
  partner.cutNextResponse = true;
  await send();
  expect(await uploads(company)).toMatchObject([{ status: 'waiting', error: 'There was no connection.' }]);
  partner.pendingChecks = 2;
  await sendFor(60 * MINUTE);
  expect(storedBy(bundle)).toEqual({ '2026-03-10': 55_550 });
  expect(await uploads(company)).toMatchObject([{ status: 'accepted', error: null }]);
});

test('costs that return to what was accepted are sent again after an upload whose response was lost', async () => {
  const { company, bundle, spend } = await advertiser();
  const charge = spend({ at: '2026-03-10T10:00:00Z', spendMicros: 100_000 });
  await storeEvents(ctx, company.companyId, [charge]);
  await switchOn(company);
  await sendFor(10 * MINUTE);
  expect(await uploads(company)).toMatchObject([{ status: 'accepted', sent: 0.1 }]);
  pass(4 * 3_600_000);
  await storeEvents(ctx, company.companyId, [{ ...charge, spendMicros: 50_000 }]);
  partner.cutNextResponse = true;
  await send();
  expect(storedBy(bundle)).toEqual({ '2026-03-10': 150_000 });
  expect((await uploads(company))[0]).toMatchObject({ status: 'waiting', error: 'There was no connection.' });
  await storeEvents(ctx, company.companyId, [{ ...charge, spendMicros: -50_000 }]);
  await sendFor(60 * MINUTE);
  expect(storedBy(bundle)).toEqual({ '2026-03-10': 100_000 });
  expect((await uploads(company))[0]).toMatchObject({ status: 'accepted', sent: 0.1, error: null });
});

test('the log says in the partner’s words why costs were refused', async () => {
  const { company, spend } = await advertiser();
  await storeEvents(ctx, company.companyId, [spend({ at: '2026-03-10T10:00:00Z', spendMicros: 10 })]);
  await switchOn(company, { media_source: 'other_int' });
  await sendFor(10 * MINUTE);
  expect(await uploads(company)).toMatchObject([
    {
      status: 'refused',
      error:
        'AppsFlyer responded with the status 415. “media_source was not found. Verify and resubmit. (ic213)”',
    },
  ]);
  const told = async () =>
    ((await read(company, '/notifications')) as { title: string }[]).filter(
      ({ title }) => title === 'Costs not accepted',
    );
  expect(await told()).toEqual([
    expect.objectContaining({ text: expect.stringContaining('media_source was not found') }),
  ]);
  await switchOn(company, { token: 'wrong' });
  await sendFor(MINUTE);
  expect((await settings(company)).error).toMatch(/^AppsFlyer does not accept the token\./);
  partner.appsFlyer.apps = [];
  await switchOn(company);
  await sendFor(MINUTE);
  expect(await settings(company)).toMatchObject({
    error: 'AppsFlyer takes costs for none of the apps here: the advertiser has to switch them on there.',
    apps: 0,
    accepted_at: null,
  });
  // Once a day.
  expect(await told()).toHaveLength(1);
});

test('nothing is sent while costs are off, for another partner, or without a token', async () => {
  const { company, bundle, spend } = await advertiser();
  await storeEvents(ctx, company.companyId, [spend({ at: '2026-03-10T10:00:00Z', spendMicros: 10 })]);
  expect((await company.call('POST', '/partner-costs/appsflyer/send')).status).toBe(409);
  expect((await switchOn(company, { token: undefined })).errors).toEqual([
    { field: 'token', message: 'Enter the token of the partner' },
  ]);
  expect(
    (await company.call('PUT', '/partner-costs/adjust', { is_enabled: false, media_source: 'x' })).status,
  ).toBe(404);
  await switchOn(company);
  await switchOn(company, { is_enabled: false, token: undefined });
  await sendFor(10 * MINUTE);
  expect(storedBy(bundle)).toEqual({});
  expect(await settings(company)).toMatchObject({ is_enabled: false, has_token: true, next_at: null });
});

test('the settings say which links pass the ids by which costs are matched', async () => {
  const { company, appId } = await advertiser();
  expect(await settings(company)).toMatchObject({ links: 0, links_with_ids: 0, apps: null });
  const link = linkBody(appId);
  await make(company, '/tracking_link', link);
  const click_url = `${link.click_url}&af_c_id={campaign_short_id}&af_adset_id={adset_short_id}&af_ad_id={creative_short_id}`;
  await make(company, '/tracking_link', { ...link, name: 'With ids', click_url });
  expect(await settings(company)).toMatchObject({ links: 2, links_with_ids: 1 });
});

test('the token is stored encrypted and is never returned', async () => {
  const { company } = await advertiser();
  const { data } = await switchOn(company);
  expect(JSON.stringify(data)).not.toContain(partner.appsFlyer.token);
  const row = await ctx.db
    .selectFrom('partner_costs')
    .select('token')
    .where('company_uuid', '=', company.companyId)
    .executeTakeFirstOrThrow();
  expect(row.token).toMatch(/^enc:1:/);
});

test('of more publishers than a report has rows, those with the most spend are named and the others summed', async () => {
  const { company, spend } = await advertiser();
  const ids = { adsetId: uuidv7(), creativeId: uuidv7(), country: 'DE' };
  const day = '2026-03-09';
  const spends = Array.from({ length: 10_100 }, (_, n) =>
    spend({ at: `${day}T10:00:00Z`, spendMicros: n + 1, bundle: `com.publisher${n}`, ...ids }),
  );
  await storeEvents(ctx, company.companyId, spends);
  const { rows, total_cost: total } = await read(
    company,
    `/analytics/costs?start_date=${day}&end_date=${day}`,
  );
  expect(rows).toHaveLength(10_000);
  expect(Math.round(total * 1_000_000)).toBe((10_100 * 10_101) / 2);
  const publishers = new Set(rows.map((row: { publisher_site_id: string }) => row.publisher_site_id));
  expect(['', 'com.publisher10099'].every((name) => publishers.has(name))).toBe(true);
  expect(publishers.has('com.publisher0')).toBe(false);
});

test('partners that read costs get the same sums by day as the report, and no other company’s', async () => {
  const { company, appId, bundle, spend } = await advertiser();
  const other = await advertiser();
  const events = [
    spend({ at: '2026-03-09T10:00:00Z', spendMicros: 1_000_001, bundle: 'com.a', country: 'DE' }),
    spend({ at: '2026-03-10T10:00:00Z', spendMicros: 2, bundle: 'com.b' }),
  ];
  await storeEvents(ctx, company.companyId, events);
  await storeEvents(ctx, other.company.companyId, [
    other.spend({ at: '2026-03-09T10:00:00Z', spendMicros: 5 }),
  ]);
  const { status, data } = await company.call(
    'GET',
    '/analytics/costs?start_date=2026-03-01&end_date=2026-03-10',
  );
  expect(status).toBe(200);
  expect(data).toMatchObject({ time_zone: 'UTC', total_cost: 1.000003 });
  expect(data.rows).toMatchObject([
    {
      date: '2026-03-09',
      site_public_id: bundle,
      os: 'android',
      campaign_name: 'Spring',
      publisher_site_id: 'com.a',
      country: 'DE',
      cost: 1.000001,
      currency: 'USD',
    },
    { date: '2026-03-10', publisher_site_id: 'com.b', cost: 0.000002 },
  ]);
  const total = await company.call('POST', '/analytics/level', {
    start_date: '2026-03-01',
    end_date: '2026-03-10',
    metrics: ['spends'],
    levels: { app: appId },
  });
  expect(total.data.total.spends).toBe(data.total_cost);
});
