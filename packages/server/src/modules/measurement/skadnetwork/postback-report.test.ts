import { appBody, iosAppBody, make, changesOf } from '@bidwell/testing/advertising';
import { storeEvents } from '@bidwell/testing/stored-events';
import { testApp } from '@bidwell/testing/test-app';
import { v7 as uuidv7 } from 'uuid';
import { expect, test } from 'vitest';

const app = await testApp();

const { ctx } = app;

const purchase = {
  window: 0,
  fine_from: 1,
  fine_to: 9,
  coarse: null,
  event: 'purchase',
  revenue_from: 1,
  revenue_to: 4.99,
};

app.clock.now = new Date('2026-06-10T12:00:00Z');

const DAY = '2026-06-02';

const NEXT = '2026-06-03';

/** A postback of the first window that arrived at noon of a day. */
const postback = (
  companyId: string,
  appId: string,
  adsetId: string | null,
  day: string,
  over: object = {},
) => ({
  framework: 'skadnetwork' as const,
  transaction_id: uuidv7(),
  sequence_index: 0,
  received_at: new Date(`${day}T12:00:00Z`),
  company_uuid: companyId,
  app_uuid: appId,
  adset_uuid: adsetId,
  item_id: '525463029',
  network_id: 'example123.skadnetwork',
  source_identifier: '1239',
  version: '4.0',
  conversion_type: 'download',
  did_win: true,
  ...over,
});

test('installs of partners and of postbacks stand side by side by ad set and day of arrival', async () => {
  const company = await app.freshCompany();
  const { companyId } = company;
  const appId = await make(company, '/app', appBody());
  const [adsetId, other] = [uuidv7(), uuidv7()];
  await ctx.db
    .insertInto('source_identifiers')
    .values({
      uuid: uuidv7(),
      company_uuid: companyId,
      item_id: 525_463_029,
      number: 1239,
      adset_uuid: adsetId,
      allocated_at: ctx.now(),
    })
    .execute();
  await ctx.db
    .insertInto('install_postbacks')
    .values([
      postback(companyId, appId, adsetId, DAY),
      postback(companyId, appId, adsetId, DAY, { conversion_type: 'redownload' }),
      // None of these counts as a new person.
      postback(companyId, appId, adsetId, DAY, { did_win: false }),
      postback(companyId, appId, adsetId, DAY, { sequence_index: 1 }),
      postback(companyId, appId, adsetId, DAY, { conversion_type: 're-engagement' }),
      postback(companyId, appId, null, NEXT),
    ])
    .execute();
  const install = (adset: string, day: string) => ({
    at: `${day}T13:00:00Z`,
    kind: 'install' as const,
    appId,
    adsetId: adset,
  });
  await storeEvents(ctx, companyId, [install(adsetId, DAY), install(adsetId, NEXT), install(other, DAY)]);

  const path = `/analytics/skadnetwork/comparison?start_date=${DAY}&end_date=${NEXT}`;
  const { status, data } = await company.call('GET', path);
  expect(status).toBe(200);
  const adset = { uuid: adsetId, name: adsetId };
  // The ad set without a source identifier has no postbacks to compare with.
  expect(data).toEqual({
    rows: [
      { day: NEXT, adset: null, partner_installs: null, postback_installs: 1 },
      { day: NEXT, adset, partner_installs: 1, postback_installs: 0 },
      { day: DAY, adset, partner_installs: 1, postback_installs: 2 },
    ],
    total: { partner_installs: 2, postback_installs: 3 },
  });
  const highlights = await company.call('POST', '/analytics/level', {
    start_date: DAY,
    end_date: NEXT,
    levels: { app: '' },
  });
  // Reports of measurement partners never have them.
  expect(highlights.data.total.installs).toBe(3);
  const stranger = await app.freshCompany();
  expect((await stranger.call('GET', path)).data.rows).toEqual([]);
});

test('a report groups postbacks by any of their keys, or of one app only', async () => {
  const company = await app.freshCompany();
  const { companyId } = company;
  const [appId, second] = [await make(company, '/app', appBody()), await make(company, '/app', appBody())];
  await ctx.db
    .insertInto('install_postbacks')
    .values([
      postback(companyId, appId, null, DAY, { fidelity: 0, country: 'DE', source_app_id: '99' }),
      postback(companyId, appId, null, NEXT, { fidelity: 1, framework: 'adattributionkit', version: '' }),
      postback(companyId, second, null, DAY, { did_win: false }),
    ])
    .execute();
  const report = async (by: string[], over: object = {}) => {
    const query = { start_date: DAY, end_date: NEXT, by, ...over };
    const { status, data } = await company.call('POST', '/analytics/skadnetwork', query);
    expect(status).toBe(200);
    return data.rows.map(({ groups, postbacks }: { groups: { name: string }[]; postbacks: number }) => [
      ...groups.map(({ name }) => name),
      postbacks,
    ]);
  };
  expect(await report(['day'])).toEqual([
    [DAY, 2],
    [NEXT, 1],
  ]);
  expect(await report(['day', 'framework', 'version', 'fidelity'], { app_uuid: appId })).toEqual([
    [DAY, 'SKAdNetwork', '4.0', 'View-through', 1],
    [NEXT, 'AdAttributionKit', 'Not stated', 'StoreKit-rendered or click', 1],
  ]);
  expect(await report(['country', 'source_app', 'result'], { app_uuid: second })).toEqual([
    ['Not stated', 'Not stated', 'Lost', 1],
  ]);
  const wrong = await company.call('POST', '/analytics/skadnetwork', {
    start_date: DAY,
    end_date: NEXT,
    by: ['day', 'app', 'adset', 'country', 'version'],
  });
  expect(wrong.status).toBe(422);
});

test('a report says how many apps of the App Store there are, and for how many of them signing is switched on', async () => {
  const company = await app.freshCompany();
  const { companyId } = company;
  const appsOf = async (over: object = {}) => {
    const query = { start_date: DAY, end_date: NEXT, ...over };
    return (await company.call('POST', '/analytics/skadnetwork', query)).data.apps;
  };
  await make(company, '/app', appBody());
  expect(await appsOf()).toEqual({ ios: 0, signed: 0 });
  const [signed, moved, off] = [
    await make(company, '/app', iosAppBody()),
    await make(company, '/app', iosAppBody()),
    await make(company, '/app', iosAppBody()),
  ];
  const { store_item_id: itemId } = await ctx.db
    .selectFrom('apps')
    .select('store_item_id')
    .where('uuid', '=', signed)
    .executeTakeFirstOrThrow();
  const row = { company_uuid: companyId, item_id: itemId! };
  await ctx.db
    .insertInto('skadnetwork_apps')
    .values([
      { ...row, app_uuid: signed },
      // Switched on for a number in the store that is no longer the app's.
      { ...row, app_uuid: moved, item_id: 99 },
    ])
    .execute();
  expect(await appsOf()).toEqual({ ios: 3, signed: 1 });
  expect(await appsOf({ app_uuid: signed })).toEqual({ ios: 1, signed: 1 });
  expect(await appsOf({ app_uuid: off })).toEqual({ ios: 1, signed: 0 });
  const stranger = await app.freshCompany();
  const query = { start_date: DAY, end_date: NEXT, app_uuid: signed };
  expect((await stranger.call('POST', '/analytics/skadnetwork', query)).data.apps).toEqual({
    ios: 0,
    signed: 0,
  });
});

test('a value is explained by the label of its event and by its revenue with cents', async () => {
  const company = await app.freshCompany();
  const { companyId } = company;
  const appId = await make(company, '/app', iosAppBody());
  const rule = { window: 0, coarse: null };
  const rules = [
    { ...rule, fine_from: 1, fine_to: 1, event: 'ad_revenue', revenue_from: 0.5, revenue_to: 2.99 },
    { ...rule, fine_from: 2, fine_to: 2, event: 'level', revenue_from: 3, revenue_to: 3 },
  ];
  const now = app.clock.now;
  app.clock.now = new Date(`${DAY}T06:00:00Z`);
  await company.call('PUT', `/app/${appId}/conversion-values`, { rules });
  app.clock.now = now;
  await ctx.db
    .insertInto('app_event_names')
    .values({
      app_uuid: appId,
      company_uuid: companyId,
      name: 'ad_revenue',
      label: 'Ad revenue',
      first_seen_at: now,
    })
    .execute();
  await ctx.db
    .insertInto('install_postbacks')
    .values([1, 2, 3].map((fine_value) => postback(companyId, appId, null, DAY, { fine_value })))
    .execute();
  const query = { start_date: DAY, end_date: NEXT, by: ['value'] };
  const { data } = await company.call('POST', '/analytics/skadnetwork', query);
  expect(data.rows.map(({ groups }: { groups: { name: string }[] }) => groups[0]!.name).toSorted()).toEqual([
    '1: Ad revenue, $0.50–2.99',
    '2: level, $3',
    '3',
  ]);
});

test('conversion values of ninety days are counted by their meaning, and by day for a month', async () => {
  const company = await app.freshCompany();
  const { companyId } = company;
  const appId = await make(company, '/app', iosAppBody());
  const dayOf = (index: number) => new Date(Date.UTC(2026, 2, 1 + index)).toISOString().slice(0, 10);
  const rule = { window: 0, fine_from: 0, fine_to: 31, coarse: null, revenue_from: null, revenue_to: null };
  const now = app.clock.now;
  for (const [index, event] of [
    [0, 'trial'],
    [45, 'purchase'],
  ] as const) {
    app.clock.now = new Date(`${dayOf(index)}T06:00:00Z`);
    await company.call('PUT', `/app/${appId}/conversion-values`, { rules: [{ ...rule, event }] });
  }
  app.clock.now = now;
  const all = Array.from({ length: 90 * 64 }, (_, index) =>
    postback(companyId, appId, null, dayOf(Math.floor(index / 64)), { fine_value: index % 64 }),
  );
  for (let from = 0; from < all.length; from += 1000)
    await ctx.db
      .insertInto('install_postbacks')
      .values(all.slice(from, from + 1000))
      .execute();
  const report = async (by: string[], days: number) => {
    const query = { start_date: dayOf(0), end_date: dayOf(days - 1), by, app_uuid: appId };
    const { status, data } = await company.call('POST', '/analytics/skadnetwork', query);
    expect(status).toBe(200);
    return data;
  };
  const { rows, total } = await report(['value'], 90);
  expect(total).toMatchObject({ postbacks: 5760, downloads: 5760, lost: 0 });
  const counts = Object.fromEntries(
    rows.map(({ groups, postbacks }: { groups: { name: string }[]; postbacks: number }) => [
      groups[0]!.name,
      postbacks,
    ]),
  );
  expect(counts).toMatchObject({ '5: trial': 45, '5: purchase': 45, 40: 90 });
  expect(rows).toHaveLength(2 * 32 + 32);
  expect((await report(['day', 'value'], 30)).rows).toHaveLength(30 * 64);
});

test('the meaning of an app’s conversion values applies from the day of the change on', async () => {
  const company = await app.freshCompany();
  const uuid = await make(company, '/app', iosAppBody());
  const path = `/app/${uuid}/conversion-values`;
  expect((await company.call('GET', path)).data).toEqual({ rules: [], versions: [] });

  app.clock.now = new Date('2026-06-02T12:00:00Z');
  const first = await company.call('PUT', path, { rules: [{ ...purchase, event: 'trial' }] });
  expect(first.status).toBe(200);
  await company.call('PUT', path, { rules: [purchase] });
  app.clock.now = new Date('2026-06-05T12:00:00Z');
  const level = {
    ...purchase,
    fine_from: 10,
    fine_to: 12,
    event: 'level',
    revenue_from: null,
    revenue_to: null,
  };
  await company.call('PUT', path, { rules: [purchase, level] });

  expect((await company.call('GET', path)).data).toEqual({
    rules: [purchase, level],
    versions: [
      { valid_from: '2026-06-05', rules: [purchase, level] },
      { valid_from: '2026-06-02', rules: [purchase] },
    ],
  });
  const change = (await changesOf(app, company, uuid)).at(-1)!;
  expect(change.fields).toContainEqual({
    field: 'conversion_values',
    before: ['window 0, 1-9: purchase, $1-4.99'],
    after: ['window 0, 1-9: purchase, $1-4.99', 'window 0, 10-12: level'],
  });
});

test('conversion values are of apps of the App Store of the own company, and their rules are checked', async () => {
  const company = await app.freshCompany();
  const android = await make(company, '/app', appBody());
  const refused = await company.call('PUT', `/app/${android}/conversion-values`, { rules: [purchase] });
  expect(refused).toMatchObject({ status: 422, errors: [{ field: 'rules' }] });

  const uuid = await make(company, '/app', iosAppBody());
  const wrong = await company.call('PUT', `/app/${uuid}/conversion-values`, {
    rules: [purchase, { ...purchase, fine_from: 9, fine_to: 10 }],
  });
  expect(wrong).toMatchObject({
    status: 422,
    errors: [{ field: 'rules.1.fine_from', message: 'Another rule has this value' }],
  });
  const other = await app.freshCompany();
  expect((await other.call('GET', `/app/${uuid}/conversion-values`)).status).toBe(404);
  expect((await other.call('PUT', `/app/${uuid}/conversion-values`, { rules: [] })).status).toBe(404);
});
