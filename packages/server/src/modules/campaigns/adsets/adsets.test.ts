import { assert, asyncProperty, integer } from 'fast-check';
import { describe, expect, test } from 'vitest';
import { numberText } from '@bidwell/contract/lib/number-text';
import {
  appBody,
  changesOf,
  iosAppBody,
  linkBody,
  make,
  makeAdsetParts,
  makeGroup,
  targetBody,
} from '@bidwell/testing/advertising';
import { statementsOf } from '@bidwell/testing/engines/statements';
import { freshExchange } from '@bidwell/testing/exchange';
import { testApp } from '@bidwell/testing/test-app';
import { runs } from '@bidwell/testing/whole-run';

const app = await testApp();
const unknown = '01890000-0000-7000-8000-000000000000';

test('an ad set is created Active, listed and read with its references', async () => {
  const company = await app.freshCompany();
  const { body, ...parts } = await makeAdsetParts(app, company);
  const made = await company.call('POST', '/adset', {
    ...body,
    bet_cpi: 1.2,
    daily_budget_const: 50,
    black_list_bundles: ['COM.Bad.App.', 'com.bad.app'],
    bundle_bids: { 'Com.Good.App': 3.75 },
  });
  expect(made.status).toBe(201);
  expect(made.data).toMatchObject({
    name: 'First ad set',
    status: 'Active',
    campaign: null,
    target: { uuid: parts.targetUuid, name: 'Everyone', app: { uuid: parts.appUuid, icon_link: null } },
    tracking_link: { uuid: parts.linkUuid, name: 'Link' },
    creative_groups: [{ uuid: parts.groupUuid, name: 'Banners' }],
    algo: 'Manual CPM',
    bet_cpm: 2.5,
    bet_cpi: 1.2,
    daily_budget_const: 50,
    all_budget_const: null,
    black_list_bundles: ['com.bad.app'],
    white_list_bundles: [],
    bundle_bids: { 'com.good.app': 3.75 },
  });
  expect(made.data.target.app.store_link).toMatch(/^https:\/\/play\.google\.com/);
  expect((await company.call('GET', '/adset')).data.adsets).toEqual([made.data]);
  expect((await company.call('GET', `/adset/${made.data.uuid}`)).data).toEqual(made.data);
  expect(await changesOf(app, company, made.data.uuid)).toMatchObject([{ action: 'create' }]);
});

test('the summary has the numbers of the bundles, and the lists are read by campaign', async () => {
  const company = await app.freshCompany();
  const { body, appUuid } = await makeAdsetParts(app, company);
  const lists = {
    black_list_bundles: ['com.example.one', 'com.example.two'],
    white_list_bundles: ['com.example.three'],
    bundle_bids: { 'com.example.four': 2 },
  };
  const uuid = await make(company, '/adset', { ...body, ...lists });
  const other = await make(company, '/adset', body);
  const campaign = { name: 'Campaign', app_uuid: appUuid, adset_uuids: [uuid] };
  const campaignUuid = await make(company, '/campaign', campaign);
  const { data: adset } = await company.call('GET', `/adset/${uuid}`);
  const { black_list_bundles: _black, white_list_bundles: _white, bundle_bids: _bids, ...fields } = adset;
  const summary = { ...fields, bundle_counts: { black_list: 2, white_list: 1, bids: 1 } };
  const read = async () => (await company.call('GET', '/adset/summary')).data.adsets;
  expect((await read())[1]).toEqual(summary);
  expect((await read())[0]).toMatchObject({
    uuid: other,
    bundle_counts: { black_list: 0, white_list: 0, bids: 0 },
  });
  // As an earlier release left it.
  await app.ctx.db
    .updateTable('adsets')
    .set({ bundle_counts: null as never })
    .where('uuid', '=', uuid)
    .execute();
  await company.call('PUT', `/adset/${other}`, { bet_cpm: 3 });
  expect((await read())[1]).toEqual(summary);
  const ofCampaign = await company.call('GET', `/adset?campaign_id=${campaignUuid}`);
  expect(ofCampaign.data.adsets).toEqual([{ ...adset }]);
});

test('amounts in dollars are returned as they were sent, to the micro', async () => {
  const company = await app.freshCompany();
  const { body } = await makeAdsetParts(app, company);
  const uuid = await make(company, '/adset', body);
  const dollars = (min: number, max: number) =>
    integer({ min: min * 1_000_000, max: max * 1_000_000 }).map((micros) => micros / 1_000_000);
  await assert(
    asyncProperty(dollars(0.01, 1000), dollars(0.01, 1_000_000), async (bet_cpm, daily_budget_const) => {
      const response = await company.call('PUT', `/adset/${uuid}`, { bet_cpm, daily_budget_const });
      expect(response.data).toMatchObject({ bet_cpm, daily_budget_const });
    }),
    runs(20),
  );
});

test('an update leaves absent fields unchanged, and is logged in dollars and names', async () => {
  const company = await app.freshCompany();
  const { body, appUuid } = await makeAdsetParts(app, company);
  const settings = {
    bet_cpi: 2,
    all_budget_const: 900,
    white_list_bundles: ['com.a'],
    bundle_bids: { 'com.a': 1 },
  };
  const uuid = await make(company, '/adset', { ...body, ...settings });
  const second = await makeGroup(app, company, appUuid, 'Moderation', 'More');
  const response = await company.call('PUT', `/adset/${uuid}`, {
    bet_cpm: 3,
    status: 'Paused',
    creative_group_ids: [second, second],
  });
  expect(response).toMatchObject({
    status: 200,
    data: {
      ...settings,
      name: body.name,
      bet_cpm: 3,
      status: 'Paused',
      creative_groups: [{ uuid: second, name: 'More' }],
    },
  });
  const [, update] = await changesOf(app, company, uuid);
  expect(update?.fields.map((change) => change.field).sort()).toEqual([
    'bet_cpm',
    'creative_groups',
    'status',
  ]);
  expect(update?.fields).toContainEqual({ field: 'bet_cpm', before: 2.5, after: 3 });
});

test('a change of a bid keeps the bundles, and does not write them again', async () => {
  const company = await app.freshCompany();
  const { body } = await makeAdsetParts(app, company);
  const bundles = { black_list_bundles: ['com.example.one'], bundle_bids: { 'com.example.two': 2 } };
  const path = `/adset/${await make(company, '/adset', { ...body, ...bundles })}`;
  const statements = await statementsOf(app.ctx, () => company.call('PUT', path, { bet_cpm: 5 }));
  expect(statements.filter((one) => one.startsWith('update "adsets"'))).toEqual([
    expect.not.stringContaining('bundle'),
  ]);
  expect((await company.call('GET', path)).data).toMatchObject({ ...bundles, bet_cpm: 5 });
  await company.call('PUT', path, { black_list_bundles: [] });
  expect((await company.call('GET', path)).data).toMatchObject({ ...bundles, black_list_bundles: [] });
});

test('invalid fields are named', async () => {
  const company = await app.freshCompany();
  const response = await company.call('POST', '/adset', { creative_group_ids: [], bet_cpm: 0.001 });
  expect(response.status).toBe(422);
  expect(response.errors).toEqual(
    expect.arrayContaining(
      ['name', 'target_id', 'tracking_link_id', 'creative_group_ids', 'algo', 'bet_cpm'].map((field) => ({
        field,
        message: 'Required',
      })),
    ),
  );
});

describe('references', () => {
  test('that are unknown or of another company are errors of their fields', async () => {
    const [company, stranger] = [await app.freshCompany(), await app.freshCompany()];
    const { body } = await makeAdsetParts(app, company);
    const theirs = await makeAdsetParts(app, stranger);
    for (const [target_id, tracking_link_id, group] of [
      [unknown, unknown, unknown],
      [theirs.targetUuid, theirs.linkUuid, theirs.groupUuid],
    ]) {
      const ids = { target_id, tracking_link_id, creative_group_ids: [...body.creative_group_ids, group] };
      const response = await company.call('POST', '/adset', { ...body, ...ids });
      expect(response).toMatchObject({
        status: 422,
        errors: [
          { field: 'target_id', message: 'Target not found' },
          { field: 'tracking_link_id', message: 'Tracking link not found' },
          { field: 'creative_group_ids', message: 'Creative group not found' },
        ],
      });
    }
    expect((await company.call('GET', '/adset')).data.adsets).toEqual([]);
  });

  test('must all be of one app', async () => {
    const company = await app.freshCompany();
    const { body } = await makeAdsetParts(app, company);
    const other = await make(company, '/app', appBody());
    const link = await make(company, '/tracking_link', linkBody(other));
    expect((await company.call('POST', '/adset', { ...body, tracking_link_id: link })).errors).toEqual([
      { field: 'tracking_link_id', message: 'The tracking link belongs to another app' },
    ]);
    const group = await makeGroup(app, company, other, 'Approved', 'Foreign');
    expect((await company.call('POST', '/adset', { ...body, creative_group_ids: [group] })).errors).toEqual([
      { field: 'creative_group_ids', message: 'The creative group "Foreign" holds creatives of another app' },
    ]);
  });

  test('must be of the app of the campaign', async () => {
    const company = await app.freshCompany();
    const { body, appUuid } = await makeAdsetParts(app, company);
    const uuid = await make(company, '/adset', body);
    await make(company, '/campaign', { name: 'Launch', app_uuid: appUuid, adset_uuids: [uuid] });
    const other = await make(company, '/app', appBody());
    const moved = {
      target_id: await make(company, '/target', targetBody(other)),
      tracking_link_id: await make(company, '/tracking_link', linkBody(other)),
      creative_group_ids: [await makeGroup(app, company, other)],
    };
    expect((await company.call('PUT', `/adset/${uuid}`, moved)).errors).toEqual([
      { field: 'target_id', message: 'The campaign "Launch" of this ad set is for another app' },
    ]);
    expect((await company.call('GET', `/adset/${uuid}`)).data.campaign).toMatchObject({ name: 'Launch' });
  });
});

test('Target CPI can be saved without a target CPI', async () => {
  const company = await app.freshCompany();
  const { body } = await makeAdsetParts(app, company);
  const made = await company.call('POST', '/adset', { ...body, algo: 'Target CPI' });
  expect(made).toMatchObject({ status: 201, data: { algo: 'Target CPI', bet_cpi: null } });
  const priced = await company.call('PUT', `/adset/${made.data.uuid}`, { bet_cpi: 1 });
  expect(priced.data.bet_cpi).toBe(1);
  expect((await company.call('PUT', `/adset/${made.data.uuid}`, { bet_cpi: null })).data.bet_cpi).toBeNull();
});

describe('hours', () => {
  const closed = { mon: [], tue: [], wed: [], thu: [], fri: [], sat: [], sun: [] };

  test('are saved, changed, copied and undone, and all by default', async () => {
    const company = await app.freshCompany();
    const { body } = await makeAdsetParts(app, company);
    const made = await company.call('POST', '/adset', body);
    expect(made.data).toMatchObject({ hours: null, hours_zone: 'company' });
    const path = `/adset/${made.data.uuid}`;
    const hours = {
      mon: [
        [12, 14],
        [8, 13],
      ],
      sun: [[0, 24]],
    };
    const saved = { hours: { ...closed, mon: [[8, 14]], sun: [[0, 24]] }, hours_zone: 'device' };
    const response = await company.call('PUT', path, { hours, hours_zone: 'device' });
    expect(response).toMatchObject({ status: 200, data: saved });
    expect((await company.call('GET', path)).data).toMatchObject(saved);
    expect((await company.call('POST', `${path}/duplicate`)).data).toMatchObject(saved);
    const { data } = await company.call('GET', `/company/${company.companyId}/changes`);
    const change = data.changes.find(({ action }: { action: string }) => action === 'update');
    expect((await company.call('POST', `/changes/${change.uuid}/undo`)).status).toBe(200);
    expect((await company.call('GET', path)).data).toMatchObject({ hours: null, hours_zone: 'company' });
  });

  test.each([
    [{}, 'hours', 'Open at least one hour, or pause the ad set'],
    [{ mon: [[22, 6]] }, 'hours.mon.0', 'A span of hours ends after it begins'],
  ])('%j is rejected', async (hours, field, message) => {
    const company = await app.freshCompany();
    const { body } = await makeAdsetParts(app, company);
    const response = await company.call('POST', '/adset', { ...body, hours });
    expect(response).toMatchObject({ status: 422, errors: [{ field, message }] });
  });
});

test('bid multipliers, bids and budgets by country are saved, copied and undone, and none by default', async () => {
  const company = await app.freshCompany();
  const { body } = await makeAdsetParts(app, company);
  const made = await company.call('POST', '/adset', body);
  const none = { bid_multipliers: [], countries: [] };
  expect(made.data).toMatchObject(none);
  const path = `/adset/${made.data.uuid}`;
  const bids = {
    bid_multipliers: [
      { dimension: 'country', value: 'DE', factor: 1.25 },
      { dimension: 'hour', value: '8', factor: 0.5 },
    ],
    countries: [
      { country: 'US', bet_cpm: 4.5, bet_cpi: null },
      { country: 'JP', bet_cpm: null, bet_cpi: null, daily_budget: 100.5 },
    ],
  };
  const saved = await company.call('PUT', path, {
    bid_multipliers: [{ ...bids.bid_multipliers[0], value: 'de', factor: 1.2501 }, bids.bid_multipliers[1]],
    countries: [
      { country: 'us', bet_cpm: 4.5, daily_budget: 0 },
      { country: 'jp', daily_budget: 100.5 },
    ],
  });
  expect(saved).toMatchObject({ status: 200, data: bids });
  expect((await company.call('POST', `${path}/duplicate`)).data).toMatchObject(bids);
  const { data } = await company.call('GET', `/company/${company.companyId}/changes`);
  const change = data.changes.find(({ action }: { action: string }) => action === 'update');
  expect((await company.call('POST', `/changes/${change.uuid}/undo`)).status).toBe(200);
  expect((await company.call('GET', path)).data).toMatchObject(none);
  const wrong = { bid_multipliers: [{ dimension: 'country', value: 'DE', factor: 11 }] };
  expect((await company.call('PUT', path, wrong)).errors).toEqual([
    { field: 'bid_multipliers.0.factor', message: 'At most 10' },
  ]);
  const tooHigh = { countries: [{ country: 'JP', daily_budget: 2_000_000_000 }] };
  expect((await company.call('PUT', path, tooHigh)).errors).toEqual([
    { field: 'countries.0.daily_budget', message: `At most $${numberText(1_000_000_000)}` },
  ]);
});

test('a multiplier is of an exchange that there is, and one that was removed later stays', async () => {
  const company = await app.freshCompany();
  const { slug } = await freshExchange(app);
  const { body } = await makeAdsetParts(app, company);
  const multiplierOf = (value: string) => ({ dimension: 'exchange', value, factor: 1.5 });
  const rejected = await company.call('POST', '/adset', {
    ...body,
    bid_multipliers: [multiplierOf('nexage')],
  });
  expect(rejected).toMatchObject({ status: 422, errors: [{ field: 'bid_multipliers' }] });
  expect(rejected.errors![0]!.message).toContain('“nexage” is no exchange of this installation: choose ');
  const bid_multipliers = [multiplierOf(slug)];
  const made = await company.call('POST', '/adset', { ...body, bid_multipliers });
  expect(made).toMatchObject({ status: 201, data: { bid_multipliers } });
  const path = `/adset/${made.data.uuid}`;
  await app.ctx.db.updateTable('ssps').set({ active: false }).where('slug', '=', slug).execute();
  expect((await company.call('PUT', path, { bid_multipliers })).status).toBe(200);
  expect((await company.call('PUT', path, { bet_cpm: 2, bid_multipliers: [] })).status).toBe(200);
  expect((await company.call('PUT', path, { bid_multipliers })).status).toBe(422);
});

describe('goals of value', () => {
  const goals = {
    algo: 'Target CPA',
    goal_event: 'purchase',
    cpa: 40,
    roas: 120.5,
    goal_window: 0,
    goals_by_country: [{ country: 'US', value: 60 }],
  };

  test('are saved, changed one by one, copied, archived and undone', async () => {
    const company = await app.freshCompany();
    const { body } = await makeAdsetParts(app, company);
    const made = await company.call('POST', '/adset', {
      ...body,
      ...goals,
      goal_event: ' purchase ',
      goals_by_country: [{ country: 'us', value: 60 }],
    });
    expect(made).toMatchObject({ status: 201, data: goals });
    const path = `/adset/${made.data.uuid}`;
    const changed = { ...goals, cpa: 30, goals_by_country: [] };
    const response = await company.call('PUT', path, { cpa: 30, goals_by_country: [] });
    expect(response).toMatchObject({ status: 200, data: changed });
    const [, update] = await changesOf(app, company, made.data.uuid);
    expect(update!.fields.map(({ field }) => field).sort()).toEqual(['cpa', 'goals_by_country']);
    expect((await company.call('POST', `${path}/duplicate`)).data).toMatchObject(changed);
    const { data } = await company.call('GET', `/company/${company.companyId}/changes`);
    const last = data.changes.find(
      (change: { entity_uuid: string; action: string }) =>
        change.entity_uuid === made.data.uuid && change.action === 'update',
    );
    expect((await company.call('POST', `/changes/${last.uuid}/undo`)).status).toBe(200);
    expect((await company.call('GET', path)).data).toMatchObject(goals);
    await company.call('POST', `${path}/archive`);
    expect((await company.call('GET', path)).data).toMatchObject(goals);
  });

  test('are none by default, with a window of 7 days', async () => {
    const company = await app.freshCompany();
    const { body } = await makeAdsetParts(app, company);
    const made = await company.call('POST', '/adset', { ...body, goal_event: '' });
    expect(made.data).toMatchObject({
      goal_event: null,
      cpa: null,
      roas: null,
      goal_window: 7,
      goals_by_country: [],
    });
  });

  test.each([
    [{ goal_event: 'e'.repeat(101) }, 'goal_event', 'At most 100 characters'],
    [{ cpa: 0.001 }, 'cpa', 'Enter at least 0.01'],
    [{ cpa: 10_001 }, 'cpa', 'At most $10\u00a0000'],
    [{ roas: 0.5 }, 'roas', 'A target ROAS is between 1 and 1000 percent'],
    [{ roas: 1001 }, 'roas', 'A target ROAS is between 1 and 1000 percent'],
    [{ goal_window: 3 }, 'goal_window', 'Choose 0 or 7 days'],
    [
      { goals_by_country: ['DE', 'de'].map((country) => ({ country, value: 1 })) },
      'goals_by_country',
      'Enter each country once',
    ],
    [
      { algo: 'Target ROAS', goals_by_country: [{ country: 'DE', value: 2000 }] },
      'goals_by_country',
      'A target ROAS is between 1 and 1000 percent',
    ],
  ])('%j is rejected', async (fields, field, message) => {
    const company = await app.freshCompany();
    const { body } = await makeAdsetParts(app, company);
    const response = await company.call('POST', '/adset', { ...body, ...fields });
    expect(response).toMatchObject({ status: 422, errors: [{ field, message }] });
  });
});

describe('the custom product page and the overlay of an app of the App Store', () => {
  const page = '45812c9b-c296-43d3-c6a0-c5a02f74bf6e';
  const overlay = { delay: 5, end_card_delay: null, dismissible: true, position: 'bottom' };
  const iosCompany = async () => {
    const company = await app.freshCompany();
    return { company, ...(await makeAdsetParts(app, company, iosAppBody())) };
  };

  test('are saved, changed one by one, copied and undone', async () => {
    const { company, body } = await iosCompany();
    const made = await company.call('POST', '/adset', {
      ...body,
      product_page_id: page.toUpperCase(),
      overlay: { delay: 5 },
    });
    expect(made).toMatchObject({ status: 201, data: { product_page_id: page, overlay } });
    const path = `/adset/${made.data.uuid}`;
    const raised = { ...overlay, end_card_delay: 0, position: 'raised' };
    const changed = { product_page_id: page, overlay: raised };
    expect((await company.call('PUT', path, { overlay: raised })).data).toMatchObject(changed);
    const [, update] = await changesOf(app, company, made.data.uuid);
    expect(update!.fields).toEqual([{ field: 'overlay', before: overlay, after: raised }]);
    expect((await company.call('POST', `${path}/duplicate`)).data).toMatchObject(changed);
    const { data } = await company.call('GET', `/company/${company.companyId}/changes`);
    const last = data.changes.find(
      (change: { entity_uuid: string; action: string }) =>
        change.entity_uuid === made.data.uuid && change.action === 'update',
    );
    expect((await company.call('POST', `/changes/${last.uuid}/undo`)).status).toBe(200);
    expect((await company.call('GET', path)).data).toMatchObject({ product_page_id: page, overlay });
    const none = { product_page_id: null, overlay: null };
    expect((await company.call('PUT', path, none)).data).toMatchObject(none);
  });

  test.each([
    [{ product_page_id: 'page' }, 'product_page_id', 'Enter the UUID of a custom product page'],
    [{ overlay: {} }, 'overlay', 'Enter a delay for the ad, for the end card or for both'],
    [{ overlay: { delay: 121 } }, 'overlay.delay', 'At most 120 seconds'],
    [{ overlay: { end_card_delay: 0.5 } }, 'overlay.end_card_delay', 'Enter whole seconds'],
    [{ overlay: { delay: -1 } }, 'overlay.delay', 'Enter 0 or more'],
  ])('%j is rejected', async (fields, field, message) => {
    const { company, body } = await iosCompany();
    const response = await company.call('POST', '/adset', { ...body, ...fields });
    expect(response).toMatchObject({ status: 422, errors: [{ field, message }] });
  });

  test('are refused for an app of Google Play', async () => {
    const company = await app.freshCompany();
    const { body } = await makeAdsetParts(app, company);
    const message = 'Only apps of the App Store have this';
    const fields = { product_page_id: page, overlay };
    const errors = ['product_page_id', 'overlay'].map((field) => ({ field, message }));
    expect(await company.call('POST', '/adset', { ...body, ...fields })).toMatchObject({
      status: 422,
      errors,
    });
    const uuid = await make(company, '/adset', { ...body, product_page_id: '', overlay: null });
    expect((await company.call('PUT', `/adset/${uuid}`, fields)).errors).toEqual(errors);
  });
});

test.each([
  ['daily_budget_const', 0.004, 'Enter at least 0.01'],
  ['all_budget_const', 0.009, 'Enter at least 0.01'],
  ['daily_budget_const', -1, 'Enter 0 or more'],
  ['all_budget_const', 1e300, 'At most $1\u00a0000\u00a0000\u00a0000'],
  ['bet_cpi', 0.001, 'Enter at least 0.01'],
  ['bet_cpi', 10_001, 'At most $10\u00a0000'],
  ['bet_cpm', 1001, 'At most 1000'],
])('%s of %d is rejected', async (field, amount, message) => {
  const company = await app.freshCompany();
  const { body } = await makeAdsetParts(app, company);
  expect((await company.call('POST', '/adset', { ...body, [field]: amount })).errors).toEqual([
    { field, message },
  ]);
});

test('a budget of 0, null or absent is unlimited', async () => {
  const company = await app.freshCompany();
  const { body } = await makeAdsetParts(app, company);
  for (const budget of [0, null, undefined]) {
    const made = await company.call('POST', '/adset', { ...body, daily_budget_const: budget });
    expect(made.status).toBe(201);
    expect(made.data.daily_budget_const || null).toBeNull();
  }
});

test('missing creative groups are required', async () => {
  const company = await app.freshCompany();
  const { creative_group_ids: _groups, ...body } = (await makeAdsetParts(app, company)).body;
  expect((await company.call('POST', '/adset', body)).errors).toEqual([
    { field: 'creative_group_ids', message: 'Required' },
  ]);
});

test('the ad set of another company is not found', async () => {
  const [company, stranger] = [await app.freshCompany(), await app.freshCompany()];
  const { body } = await makeAdsetParts(app, company);
  const uuid = await make(company, '/adset', body);
  const notFound = { status: 404, data: 'Ad set not found' };
  expect(await stranger.call('GET', `/adset/${uuid}`)).toMatchObject(notFound);
  expect(await stranger.call('PUT', `/adset/${uuid}`, { name: 'Mine' })).toMatchObject(notFound);
});

test('a deep link is a link of the app itself, of its developer or of a measurement partner', async () => {
  const company = await app.freshCompany();
  const { body } = await makeAdsetParts(app, company);
  const refused = await company.call('POST', '/adset', { ...body, deep_link: 'https://evil.example/x' });
  expect(refused).toMatchObject({
    status: 422,
    errors: [
      {
        field: 'deep_link',
        message:
          'A universal link leads to example.com, the advertiser domain of the app, or to a measurement partner without parameters that lead to another website',
      },
    ],
  });
  const uuid = await make(company, '/adset', { ...body, deep_link: ' myapp://offers/1 ' });
  expect((await company.call('GET', `/adset/${uuid}`)).data.deep_link).toBe('myapp://offers/1');
  const changed = await company.call('PUT', `/adset/${uuid}`, { deep_link: 'https://evil.example/x' });
  expect(changed.status).toBe(422);
  const saved = await company.call('PUT', `/adset/${uuid}`, { deep_link: 'https://go.example.com/1' });
  expect(saved.data.deep_link).toBe('https://go.example.com/1');
  expect((await company.call('PUT', `/adset/${uuid}`, { deep_link: null })).data.deep_link).toBeNull();
});
