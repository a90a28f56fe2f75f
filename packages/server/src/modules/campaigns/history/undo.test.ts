import type { ListedChange } from '@bidwell/contract/changes/schema';
import { expect, test } from 'vitest';
import { linkBody, make, makeAdsetParts, targetBody } from '@bidwell/testing/advertising';
import { makeRunningCampaign } from '@bidwell/testing/bidding';
import { fillQueue } from '@bidwell/testing/held-queue';
import { type TestCompany, testApp } from '@bidwell/testing/test-app';
import { SAVE_LIMITS, saveQueue } from '../adsets/save-queue.ts';

const app = await testApp({ MODERATION: 'auto' });

async function changes(company: TestCompany): Promise<ListedChange[]> {
  const { data } = await company.call('GET', `/company/${company.companyId}/changes`);
  return data.changes;
}
const last = async (company: TestCompany) => (await changes(company))[0]!;
const undo = (company: TestCompany, { uuid }: { uuid: string }) =>
  company.call('POST', `/changes/${uuid}/undo`);

async function anAdset(company: TestCompany) {
  const parts = await makeAdsetParts(app, company);
  const uuid = await make(company, '/adset', { ...parts.body, bet_cpm: 2, daily_budget_const: null });
  const read = async () => (await company.call('GET', `/adset/${uuid}`)).data;
  const change = async (body: object) => {
    expect((await company.call('PUT', `/adset/${uuid}`, body)).status).toBe(200);
    return last(company);
  };
  return { ...parts, uuid, read, change };
}

test('an undo sets all fields of an ad set back, as a change of its own', async () => {
  const company = await app.freshCompany();
  const { uuid, appUuid, read, change } = await anAdset(company);
  const before = await read();
  const changed = await change({
    bet_cpm: 5,
    daily_budget_const: 100,
    status: 'Paused',
    black_list_bundles: ['com.example.one', 'com.example.two'],
    bundle_bids: { 'com.example.three': 4 },
    target_id: await make(company, '/target', targetBody(appUuid)),
    tracking_link_id: await make(company, '/tracking_link', linkBody(appUuid)),
  });
  expect(await undo(company, changed)).toMatchObject({
    status: 200,
    data: { entity_type: 'adset', entity_uuid: uuid },
  });
  expect({ ...(await read()), updated_at: '' }).toEqual({ ...before, updated_at: '' });
  const own = await last(company);
  expect(own).toMatchObject({ action: 'update', entity_uuid: uuid, author: 'Test Er' });
  expect(own.fields).toContainEqual({ field: 'bet_cpm', before: 5, after: 2 });
  const { action, author, created_at } = changed;
  expect(own.fields.at(-1)).toEqual({
    field: 'undo_of',
    before: null,
    after: { uuid: changed.uuid, action, author, created_at },
  });
  // The undo is undone like any other change.
  expect((await undo(company, own)).status).toBe(200);
  expect(await read()).toMatchObject({ bet_cpm: 5, daily_budget_const: 100, status: 'Paused' });
});

test('an undo sets long lists back, unless the log does not have all that changed', async () => {
  const company = await app.freshCompany();
  const { read, change } = await anAdset(company);
  const bundles = Array.from({ length: 500 }, (_, index) => `com.example.publisher${index}`);
  const bids = Object.fromEntries(bundles.map((bundle) => [bundle, 2]));
  const many = await change({ black_list_bundles: bundles, bundle_bids: bids });
  expect(many.can_undo).toBe(false);
  expect((await undo(company, many)).data).toBe('A change of this kind cannot be undone.');
  const few = await change({
    black_list_bundles: [...bundles.slice(3), 'com.example.another'],
    bundle_bids: { ...bids, 'com.example.publisher7': 9 },
  });
  expect(few.can_undo).toBe(true);
  const newer = await change({ black_list_bundles: bundles.slice(3) });
  expect((await undo(company, few)).status).toBe(409);
  expect((await undo(company, newer)).status).toBe(200);
  expect((await undo(company, few)).status).toBe(200);
  const { black_list_bundles: list, bundle_bids: now } = await read();
  expect(list.toSorted()).toEqual(bundles.toSorted());
  expect(now).toEqual(bids);
});

test('a field that was changed again is not set back, and nothing else of the change is', async () => {
  const company = await app.freshCompany();
  const { read, change } = await anAdset(company);
  const first = await change({ bet_cpm: 5, daily_budget_const: 100 });
  const second = await change({ bet_cpm: 6 });
  expect(await undo(company, first)).toMatchObject({
    status: 409,
    data: 'This change cannot be undone: it was changed again since (CPM bid). Undo the newer change first.',
  });
  expect(await read()).toMatchObject({ bet_cpm: 6, daily_budget_const: 100 });
  expect((await undo(company, second)).status).toBe(200);
  expect((await undo(company, first)).status).toBe(200);
  expect(await read()).toMatchObject({ bet_cpm: 2, daily_budget_const: null });
  expect(await undo(company, first)).toMatchObject({
    status: 409,
    data: 'Nothing to undo: the values from before this change are set already.',
  });
});

test('the change log says which changes can be undone now', async () => {
  const company = await app.freshCompany();
  const { uuid, change } = await anAdset(company);
  /** Whether the changes of the ad set can be undone, newest first. */
  const marks = async () =>
    (await changes(company)).filter((one) => one.entity_uuid === uuid).map((one) => one.can_undo);
  expect(await marks()).toEqual([false]);
  const first = await change({ bet_cpm: 5 });
  await change({ name: 'Renamed' });
  expect(await marks()).toEqual([true, true, false]);
  await change({ bet_cpm: 6 });
  expect(await marks()).toEqual([true, true, false, false]);
  await undo(company, await last(company));
  expect(await marks()).toEqual([true, false, true, true, false]);
  await undo(company, first);
  // Its earlier value is set again: there is nothing to undo.
  expect(await marks()).toEqual([true, false, false, true, false, false]);
  await company.call('POST', `/adset/${uuid}/archive`);
  expect(new Set(await marks())).toEqual(new Set([false]));
  await company.call('POST', `/adset/${uuid}/restore`);
  expect((await marks())[2]).toBe(true);
  await company.call('DELETE', `/adset/${uuid}`);
  expect(new Set(await marks())).toEqual(new Set([false]));
});

test('the change log reads the bundle lists of those ad sets only of which it shows a change of bundles', async () => {
  const company = await app.freshCompany();
  const ad = await anAdset(company);
  const other = await make(company, '/adset', { ...ad.body, bet_cpm: 2 });
  await ad.change({ bet_cpm: 5 });
  await company.call('PUT', `/adset/${other}`, { bet_cpm: 5 });
  const marks = async () => (await changes(company)).map((one) => one.can_undo).slice(0, 3);
  let read: unknown[] = [];
  const { db } = app.ctx;
  app.ctx.db = db.withPlugin({
    transformQuery: ({ node }) => node,
    async transformResult({ result }) {
      read.push(...result.rows.flatMap((row) => ('black_list_bundles' in row ? [row['uuid']] : [])));
      return result;
    },
  });
  try {
    expect(await marks()).toEqual([true, true, false]);
    expect(read).toEqual([]);
    await company.call('PUT', `/adset/${other}`, { black_list_bundles: ['com.example.game'] });
    read = [];
    expect(await marks()).toEqual([true, true, true]);
    expect(read).toEqual([other]);
  } finally {
    app.ctx.db = db;
  }
});

test('the change log says which start or pause of a campaign can be undone now', async () => {
  const company = await app.freshCompany();
  const { campaignUuid: uuid } = await makeRunningCampaign(app, company);
  const marks = async () =>
    (await changes(company))
      .filter((one) => one.entity_uuid === uuid && ['start', 'pause'].includes(one.action))
      .map((one) => [one.action, one.can_undo]);
  expect(await marks()).toEqual([['start', true]]);
  await company.call('POST', `/campaign/${uuid}/pause`);
  expect(await marks()).toEqual([
    ['pause', true],
    ['start', false],
  ]);
});

test('the log names audiences, and an undo sets them back unless they were deleted', async () => {
  const company = await app.freshCompany();
  const { targetUuid, uuid, read, change } = await anAdset(company);
  const [payers, readers] = [
    await make(company, '/audience', { name: 'Payers' }),
    await make(company, '/audience', { name: 'Readers' }),
  ];
  const changeTarget = async (body: object) => {
    expect((await company.call('PUT', `/target/${targetUuid}`, body)).status).toBe(200);
    return last(company);
  };
  const both = { audience_include: [[payers, readers]], audience_exclude: [readers] };
  const named = (id: string, name: string) => ({ uuid: id, name });
  for (const of of [change, changeTarget]) {
    const changed = await of(both);
    expect(changed.fields).toMatchObject([
      { field: 'audience_include', after: [[named(payers, 'Payers'), named(readers, 'Readers')]] },
      { field: 'audience_exclude', before: [], after: [named(readers, 'Readers')] },
    ]);
    expect(changed.can_undo).toBe(true);
    await company.call('PUT', `/audience/${readers}`, { name: 'Subscribers' });
    expect((await undo(company, changed)).status).toBe(200);
    const undone = await last(company);
    expect(undone.fields.at(-2)).toMatchObject({ before: [named(readers, 'Subscribers')], after: [] });
    expect((await undo(company, undone)).status).toBe(200);
    await company.call('PUT', `/audience/${readers}`, { name: 'Readers' });
  }
  expect(await read()).toMatchObject(both);
  expect((await company.call('GET', `/target/${targetUuid}`)).data).toMatchObject(both);

  const copy = await company.call('POST', `/adset/${uuid}/duplicate`);
  expect((await last(company)).fields).toContainEqual(
    expect.objectContaining({ field: 'audience_exclude', after: [named(readers, 'Readers')] }),
  );
  await company.call('DELETE', `/adset/${copy.data.uuid}`);
  await changeTarget({ audience_include: [], audience_exclude: [] });
  const removed = await change({ audience_include: [], audience_exclude: [] });
  await company.call('PUT', `/audience/${readers}`, { name: 'Lapsed readers' });
  expect((await company.call('DELETE', `/audience/${readers}`)).status).toBe(200);
  expect(await undo(company, removed)).toMatchObject({
    status: 409,
    data: 'The earlier values cannot be set again. The audience “Lapsed readers” was deleted.',
  });
});

test('an undo sets the settings of a target back', async () => {
  const company = await app.freshCompany();
  const { targetUuid } = await anAdset(company);
  const read = async () => (await company.call('GET', `/target/${targetUuid}`)).data;
  const before = await read();
  const settings = {
    name: 'Others',
    location_include: ['FR'],
    device_id: 'with',
    device_min_os_version: '12',
  };
  await company.call('PUT', `/target/${targetUuid}`, settings);
  const changed = await last(company);
  expect(changed.can_undo).toBe(true);
  expect((await undo(company, changed)).status).toBe(200);
  expect(await read()).toEqual({ ...before, updated_at: expect.any(String) });
});

test('archived and deleted entities are left alone, and so is what cannot be set by an update', async () => {
  const company = await app.freshCompany();
  const { uuid, read, change } = await anAdset(company);
  const changed = await change({ bet_cpm: 5 });
  await company.call('POST', `/adset/${uuid}/archive`);
  expect(await undo(company, changed)).toMatchObject({
    status: 409,
    data: 'The ad set “Ad set” is archived: restore it first'.replace('Ad set”', `${(await read()).name}”`),
  });
  const never = { status: 409, data: 'A change of this kind cannot be undone.' };
  expect(await undo(company, await last(company))).toMatchObject(never);
  const created = (await changes(company)).find(
    ({ action, entity_uuid: id }) => action === 'create' && id === uuid,
  );
  expect(await undo(company, created!)).toMatchObject(never);
  await company.call('DELETE', `/adset/${uuid}`);
  expect(await undo(company, changed)).toMatchObject({
    status: 409,
    data: 'This change cannot be undone: the ad set was deleted.',
  });
});

test('an earlier value that is not valid any more is refused by the validation of the update', async () => {
  const company = await app.freshCompany();
  const { appUuid, targetUuid, change, read } = await anAdset(company);
  const other = await make(company, '/target', targetBody(appUuid));
  const changed = await change({ target_id: other });
  await company.call('POST', `/target/${targetUuid}/archive`);
  const { status, data } = await undo(company, changed);
  expect(status).toBe(409);
  expect(data).toMatch(
    /^The earlier values cannot be set again\. The target “.*” is archived: restore it first\.$/,
  );
  expect((await read()).target.uuid).toBe(other);
});

test('a campaign gets its dates, its ad sets and its status back', async () => {
  const company = await app.freshCompany();
  const { campaignUuid: uuid, adsetUuid } = await makeRunningCampaign(app, company);
  const read = async () => (await company.call('GET', `/campaign/${uuid}`)).data;
  await company.call('PUT', `/campaign/${uuid}`, { end_date: '2099-01-31', adset_uuids: [] });
  expect((await undo(company, await last(company))).status).toBe(200);
  expect(await read()).toMatchObject({ end_date: null, adsets: [{ uuid: adsetUuid }] });
  await company.call('POST', `/campaign/${uuid}/pause`);
  const paused = await last(company);
  expect((await undo(company, paused)).status).toBe(200);
  expect(await read()).toMatchObject({ status: 'Active' });
  expect(await last(company)).toMatchObject({ action: 'start' });
  expect((await undo(company, await last(company))).status).toBe(200);
  expect(await read()).toMatchObject({ status: 'Paused' });
});

test("another company's change is not found, and an operator who views the company undoes nothing", async () => {
  const company = await app.freshCompany();
  const { change, read } = await anAdset(company);
  const changed = await change({ bet_cpm: 5 });
  const stranger = await app.freshCompany();
  expect(await undo(stranger, changed)).toMatchObject({ status: 404, data: 'Change not found' });
  const { data } = await app.operator('POST', `/companies/${company.companyId}/viewer_sessions`);
  const { data: viewer } = await company.call('POST', '/viewer_session', {
    code: data.address.split('#')[1],
  });
  const rejected = await company.call('POST', `/changes/${changed.uuid}/undo`, undefined, {
    authorization: `Bearer ${viewer.access_token}`,
  });
  expect(rejected.status).toBe(403);
  expect(await read()).toMatchObject({ bet_cpm: 5 });
});

test('an undo in an ad set waits its turn like other changes of ad sets', async () => {
  const company = await app.freshCompany();
  const { change, read } = await anAdset(company);
  const changed = await change({ bet_cpm: 5 });
  await fillQueue(saveQueue, SAVE_LIMITS, company.companyId);
  expect(await undo(company, changed)).toMatchObject({
    status: 429,
    data: 'Your company has too many changes of ad sets waiting. Please wait a moment.',
  });
  expect(await read()).toMatchObject({ bet_cpm: 5 });
});
