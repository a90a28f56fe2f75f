import { expect, test } from 'vitest';
import { make, makeAdsetParts } from '@bidwell/testing/advertising';
import { makeRunningCampaign } from '@bidwell/testing/bidding';
import { testApp } from '@bidwell/testing/test-app';

const app = await testApp({
  MODERATION: 'auto',
  ADSET_BUNDLES_MAX_BYTES: String(100 * 1024),
  COMPANY_BUNDLES_MAX_BYTES: String(250 * 1024),
});

/** Bundles whose list has `kib` KiB as JSON, about. */
const bundles = (kib: number) =>
  Array.from({ length: kib * 10 }, (_, index) => `com.example.${String(index).padStart(87, '0')}`);

const ofAdset = 'The bundle lists and bundle bids of an ad set may have 100 KiB together. These would have';
const ofCompany =
  'The bundle lists and bundle bids of all ad sets of a company may have 250 KiB together. They would have';

test('the lists of an ad set have a size in bytes, when it is created and when it is changed', async () => {
  const company = await app.freshCompany();
  const { body } = await makeAdsetParts(app, company);
  const rejected = await company.call('POST', '/adset', { ...body, black_list_bundles: bundles(110) });
  expect(rejected).toMatchObject({ status: 422, errors: [{ field: 'black_list_bundles' }] });
  expect(rejected.data).toContain(ofAdset);
  const uuid = await make(company, '/adset', { ...body, black_list_bundles: bundles(60) });
  const both = await company.call('PUT', `/adset/${uuid}`, { white_list_bundles: bundles(50) });
  expect(both).toMatchObject({ status: 422, errors: [{ message: expect.stringContaining(ofAdset) }] });
  const bids = Object.fromEntries(bundles(50).map((bundle) => [bundle, 1]));
  expect((await company.call('PUT', `/adset/${uuid}`, { bundle_bids: bids })).status).toBe(422);
  const { data } = await company.call('GET', `/adset/${uuid}`);
  expect([data.black_list_bundles.length, data.white_list_bundles, data.bundle_bids]).toEqual([600, [], {}]);
});

test('all ad sets of a company have a size in bytes together, copies included', async () => {
  const company = await app.freshCompany();
  const { adsetUuid, campaignUuid } = await makeRunningCampaign(app, company);
  expect((await company.call('PUT', `/adset/${adsetUuid}`, { black_list_bundles: bundles(80) })).status).toBe(
    200,
  );
  const second = await company.call('POST', `/adset/${adsetUuid}/duplicate`);
  expect(second.status).toBe(201);
  // The campaign has two of them now.
  const copied = await company.call('POST', `/campaign/${campaignUuid}/duplicate`);
  expect(copied).toMatchObject({ status: 409, data: expect.stringContaining(ofCompany) });
  expect((await company.call('GET', '/campaign')).data.campaigns).toHaveLength(1);
  expect((await company.call('POST', `/adset/${adsetUuid}/duplicate`)).status).toBe(201);
  const fourth = await company.call('POST', `/adset/${adsetUuid}/duplicate`);
  expect(fourth).toMatchObject({ status: 409, data: expect.stringContaining(ofCompany) });
  const longer = await company.call('PUT', `/adset/${adsetUuid}`, { black_list_bundles: bundles(95) });
  expect(longer).toMatchObject({ status: 422, data: expect.stringContaining(ofCompany) });
  // Lists that do not grow are saved, and removed entries make room.
  expect((await company.call('PUT', `/adset/${adsetUuid}`, { bet_cpm: 3 })).status).toBe(200);
  const emptied = await company.call('PUT', `/adset/${second.data.uuid}`, { black_list_bundles: [] });
  expect(emptied.status).toBe(200);
  expect((await company.call('POST', `/adset/${adsetUuid}/duplicate`)).status).toBe(201);
  const other = await app.freshCompany();
  const { body } = await makeAdsetParts(app, other);
  await make(other, '/adset', { ...body, black_list_bundles: bundles(80) });
});

test('an ad set that an earlier release stored counts too, and may be changed without growing', async () => {
  const company = await app.freshCompany();
  const { adsetUuid } = await makeRunningCampaign(app, company);
  const list = JSON.stringify(bundles(240));
  await app.ctx.db
    .updateTable('adsets')
    .set({ black_list_bundles: list as never, bundle_bytes: null })
    .where('company_uuid', '=', company.companyId)
    .where('uuid', '=', adsetUuid)
    .execute();
  expect((await company.call('PUT', `/adset/${adsetUuid}`, { bet_cpm: 3 })).status).toBe(200);
  const { body } = await makeAdsetParts(app, company);
  const another = await company.call('POST', '/adset', { ...body, black_list_bundles: bundles(50) });
  expect(another).toMatchObject({ status: 422, data: expect.stringContaining(ofCompany) });
  const shorter = await company.call('PUT', `/adset/${adsetUuid}`, { black_list_bundles: bundles(200) });
  expect(shorter.status).toBe(200);
});

test('lists that are too long for a response are not read at once, but their numbers and each of them are', async () => {
  const company = await app.freshCompany();
  const { adsetUuid } = await makeRunningCampaign(app, company);
  await app.ctx.db
    .updateTable('adsets')
    .set({
      black_list_bundles: JSON.stringify(bundles(300)) as never,
      bundle_bytes: null,
      bundle_counts: null as never,
    })
    .where('company_uuid', '=', company.companyId)
    .execute();
  const rejected = await company.call('GET', '/adset');
  expect(rejected).toMatchObject({
    status: 422,
    data: expect.stringMatching(
      /^The bundle lists of these ad sets have 3.* KiB, and a response may have 250 KiB/,
    ),
  });
  const { data } = await company.call('GET', '/adset/summary');
  expect(data.adsets[0].bundle_counts.black_list).toBe(3000);
  expect((await company.call('GET', `/adset/${adsetUuid}`)).data.black_list_bundles).toHaveLength(3000);
});
