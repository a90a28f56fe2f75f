import { expect, test } from 'vitest';
import { changesOf, make, makeAdsetParts, targetBody } from '@bidwell/testing/advertising';
import { makeRunningCampaign } from '@bidwell/testing/bidding';
import { testApp } from '@bidwell/testing/test-app';

const app = await testApp({ MODERATION: 'auto' });

test('a campaign is copied with the ad sets that are not archived; the copy does not run', async () => {
  const company = await app.freshCompany();
  const { campaignUuid, adsetUuid } = await makeRunningCampaign(app, company);
  const { data: second } = await company.call('POST', `/adset/${adsetUuid}/duplicate`);
  await company.call('POST', `/adset/${second.uuid}/archive`);
  const { data: original } = await company.call('GET', `/campaign/${campaignUuid}`);
  const copy = await company.call('POST', `/campaign/${campaignUuid}/duplicate`);
  expect(copy).toMatchObject({
    status: 201,
    data: { name: `Copy of ${original.name}`, status: 'Paused', app_uuid: original.app_uuid },
  });
  const [copied] = copy.data.adsets;
  expect(copy.data.adsets).toEqual([
    { uuid: expect.not.stringMatching(adsetUuid), name: original.adsets[0].name, status: 'Active' },
  ]);
  const read = async (uuid: string) => (await company.call('GET', `/adset/${uuid}`)).data;
  const {
    uuid: _uuid,
    campaign: _campaign,
    created_at: _at,
    updated_at: _updated,
    ...settings
  } = await read(adsetUuid);
  expect(await read(copied.uuid)).toMatchObject(settings);
  expect((await company.call('GET', `/campaign/${campaignUuid}`)).data).toEqual(original);
});

test('the copy of an ad set is paused and in the same campaign, also with an archived target', async () => {
  const company = await app.freshCompany();
  const { adsetUuid, campaignUuid } = await makeRunningCampaign(app, company);
  const { data: original } = await company.call('GET', `/adset/${adsetUuid}`);
  await company.call('POST', `/target/${original.target.uuid}/archive`);
  const copy = await company.call('POST', `/adset/${adsetUuid}/duplicate`);
  expect(copy).toMatchObject({
    status: 201,
    data: {
      name: `Copy of ${original.name}`,
      status: 'Paused',
      campaign: { uuid: campaignUuid },
      target: original.target,
      bet_cpm: original.bet_cpm,
      creative_groups: original.creative_groups,
    },
  });
});

test('the name of a copy fits, and another company cannot copy', async () => {
  const company = await app.freshCompany();
  const { appUuid } = await makeAdsetParts(app, company);
  const uuid = await make(company, '/target', { ...targetBody(appUuid), name: 'n'.repeat(50) });
  const { data } = await company.call('POST', `/target/${uuid}/duplicate`);
  expect(data.name).toBe(`Copy of ${'n'.repeat(42)}`);
  const couple = '👩🏽‍🤝‍👨🏿';
  await company.call('PUT', `/target/${uuid}`, { name: 'n'.repeat(36) + couple });
  const { data: second } = await company.call('POST', `/target/${uuid}/duplicate`);
  expect(second.name).toBe(`Copy of ${'n'.repeat(36)}`);
  expect((await company.call('PUT', `/target/${second.uuid}`, { name: second.name })).status).toBe(200);
  const other = await app.freshCompany();
  expect((await other.call('POST', `/target/${uuid}/duplicate`)).status).toBe(404);
});

test('the change log has of a copy its fields without the bundles, and the original', async () => {
  const company = await app.freshCompany();
  const { adsetUuid, campaignUuid } = await makeRunningCampaign(app, company);
  await company.call('PUT', `/adset/${adsetUuid}`, { black_list_bundles: ['com.example.one'] });
  const { data: adset } = await company.call('GET', `/adset/${adsetUuid}`);
  const { data: original } = await company.call('GET', `/campaign/${campaignUuid}`);
  const fieldsOf = async (uuid: string) =>
    Object.fromEntries((await changesOf(app, company, uuid))[0]!.fields.map((one) => [one.field, one.after]));
  const { data: copy } = await company.call('POST', `/adset/${adsetUuid}/duplicate`);
  const logged = await fieldsOf(copy.uuid);
  expect(logged).toMatchObject({
    name: copy.name,
    status: 'Paused',
    campaign: { uuid: campaignUuid },
    bet_cpm: adset.bet_cpm,
    copy_of: { uuid: adsetUuid, name: adset.name },
  });
  expect(Object.keys(logged).filter((field) => field.includes('bundle'))).toEqual([]);

  const { data: campaign } = await company.call('POST', `/campaign/${campaignUuid}/duplicate`);
  expect(await fieldsOf(campaign.uuid)).toMatchObject({
    name: campaign.name,
    status: 'Paused',
    copy_of: { uuid: campaignUuid, name: original.name },
  });
  expect(await fieldsOf(campaign.adsets[0].uuid)).toMatchObject({
    status: adset.status,
    campaign: { uuid: campaign.uuid, name: campaign.name },
  });
  const target = await company.call('POST', `/target/${adset.target.uuid}/duplicate`);
  expect(await fieldsOf(target.data.uuid)).toMatchObject({
    name: target.data.name,
    app: { uuid: original.app_uuid },
    copy_of: { uuid: adset.target.uuid, name: adset.target.name },
  });
});
