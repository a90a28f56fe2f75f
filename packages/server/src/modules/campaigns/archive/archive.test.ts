import { expect, test } from 'vitest';
import { loadAdsets } from '../../../delivery/snapshot/adset-store.ts';
import {
  appBody,
  linkBody,
  make,
  makeAdsetParts,
  makeBanner,
  targetBody,
} from '@bidwell/testing/advertising';
import { makeRunningCampaign, uploadBanner } from '@bidwell/testing/bidding';
import { type TestCompany, testApp } from '@bidwell/testing/test-app';

const app = await testApp({ MODERATION: 'auto' });

const isBidding = async (company: TestCompany, adsetUuid: string): Promise<boolean> => {
  const adsets = [...(await loadAdsets(app.ctx.db, [company.companyId])).values()].flat();
  return adsets.some((adset) => adset.adsetId === adsetUuid && adset.creatives.length > 0);
};

/** The entity as it is in the response of its list. */
const listed = async (company: TestCompany, path: string, key: string, uuid: string) => {
  const { data } = await company.call('GET', path);
  return (data[key] as { uuid: string; archived_at: string | null }[]).find((item) => item.uuid === uuid);
};

const paths: [string, string, (running: Awaited<ReturnType<typeof runningParts>>) => string][] = [
  ['/app', 'apps', ({ appUuid }) => appUuid],
  ['/internal_creative', 'internal_creatives', ({ creativeUuid }) => creativeUuid],
  ['/internal_creative_group', 'internal_creative_groups', ({ groupUuid }) => groupUuid],
  ['/target', 'targets', ({ targetUuid }) => targetUuid],
  ['/tracking_link', 'tracking_links', ({ linkUuid }) => linkUuid],
  ['/adset', 'adsets', ({ adsetUuid }) => adsetUuid],
  ['/campaign', 'campaigns', ({ campaignUuid }) => campaignUuid],
];

async function runningParts(company: TestCompany) {
  const running = await makeRunningCampaign(app, company);
  const { data } = await company.call('GET', `/adset/${running.adsetUuid}`);
  return {
    ...running,
    targetUuid: data.target.uuid as string,
    linkUuid: data.tracking_link.uuid as string,
  };
}

test.each(paths)('%s: an archived entity does not run until it is restored', async (path, key, uuidOf) => {
  const company = await app.freshCompany();
  const running = await runningParts(company);
  const uuid = uuidOf(running);
  expect(await isBidding(company, running.adsetUuid)).toBe(true);
  const archived = await company.call('POST', `${path}/${uuid}/archive`);
  expect(archived).toMatchObject({ status: 200, data: { uuid, archived_at: expect.any(String) } });
  expect(await listed(company, path, key, uuid)).toMatchObject({ archived_at: archived.data.archived_at });
  expect(await isBidding(company, running.adsetUuid)).toBe(false);
  const again = await company.call('POST', `${path}/${uuid}/archive`);
  expect(again.data.archived_at).toBe(archived.data.archived_at);

  const restored = await company.call('POST', `${path}/${uuid}/restore`);
  expect(restored).toMatchObject({ status: 200, data: { uuid, archived_at: null } });
  if (path === '/campaign') {
    expect(restored.data.status).toBe('Paused');
    await company.call('POST', `/campaign/${uuid}/start`);
  }
  expect(await isBidding(company, running.adsetUuid)).toBe(true);
});

test('an archived campaign cannot be started', async () => {
  const company = await app.freshCompany();
  const { campaignUuid } = await makeRunningCampaign(app, company);
  const { data } = await company.call('POST', `/campaign/${campaignUuid}/archive`);
  expect(data.status).toBe('Paused');
  const started = await company.call('POST', `/campaign/${campaignUuid}/start`);
  expect(started).toMatchObject({ status: 409, data: 'The campaign is archived: restore it first.' });
});

test('nothing is created for an archived app, and no ad set with archived parts', async () => {
  const company = await app.freshCompany();
  const { appUuid, targetUuid, body } = await makeAdsetParts(app, company);
  await company.call('POST', `/target/${targetUuid}/archive`);
  expect(await company.call('POST', '/adset', body)).toMatchObject({
    status: 422,
    errors: [{ field: 'target_id', message: 'The target “Everyone” is archived: restore it first' }],
  });
  await company.call('POST', `/app/${appUuid}/archive`);
  expect(await company.call('POST', '/target', targetBody(appUuid))).toMatchObject({
    status: 422,
    errors: [{ field: 'app_id', message: 'The app “Puzzle Quest” is archived: restore it first' }],
  });
});

test('an ad set can keep its archived parts, and add no others', async () => {
  const company = await app.freshCompany();
  const { appUuid, linkUuid, body } = await makeAdsetParts(app, company);
  const adsetUuid = await make(company, '/adset', body);
  const otherLink = await make(company, '/tracking_link', linkBody(appUuid, { name: 'Other' }));
  for (const uuid of [linkUuid, otherLink]) await company.call('POST', `/tracking_link/${uuid}/archive`);
  const updated = await company.call('PUT', `/adset/${adsetUuid}`, { ...body, name: 'Renamed' });
  expect(updated.status).toBe(200);
  expect(await company.call('PUT', `/adset/${adsetUuid}`, { tracking_link_id: otherLink })).toMatchObject({
    status: 422,
    errors: [{ field: 'tracking_link_id' }],
  });
});

test('archived creatives do not count towards the limit, and are restored within it', async () => {
  const company = await app.freshCompany();
  const appUuid = await make(company, '/app', appBody());
  const first = await uploadBanner(company, appUuid);
  for (let count = 1; count < 20; count += 1) await makeBanner(app, company, appUuid);
  await company.call('POST', `/creative/${first}/archive`);
  await uploadBanner(company, appUuid);
  expect(await company.call('POST', `/creative/${first}/restore`)).toMatchObject({
    status: 409,
    data: 'Creative limit reached. Up to 20 Banners per creative type. Current: 20.',
  });
});

test('a used entity cannot be deleted, and the message names the entities that use it', async () => {
  const company = await app.freshCompany();
  const { targetUuid, linkUuid, groupUuid, creativeUuid, adsetUuid, campaignUuid, appUuid } =
    await runningParts(company);
  const rejection = async (path: string) => {
    const { status, data } = await company.call('DELETE', path);
    expect(status).toBe(409);
    return data;
  };
  const usedBy = (name: string, users: string) =>
    `“${name}” cannot be deleted because it is used by ${users}. Archive it instead.`;
  expect(await rejection(`/target/${targetUuid}`)).toBe(usedBy('Everyone', 'the ad set “Ad set”'));
  expect(await rejection(`/tracking_link/${linkUuid}`)).toBe(usedBy('Link', 'the ad set “Ad set”'));
  expect(await rejection(`/creative_group/${groupUuid}`)).toBe(usedBy('Banner', 'the ad set “Ad set”'));
  expect(await rejection(`/creative/${creativeUuid}`)).toBe(usedBy('Banner', 'the creative group “Banner”'));
  expect(await rejection(`/adset/${adsetUuid}`)).toBe(usedBy('Ad set', 'the campaign “Campaign”'));
  expect(await rejection(`/campaign/${campaignUuid}`)).toBe('Pause the campaign “Campaign” first');
  expect(await rejection(`/app/${appUuid}`)).toContain('the campaign “Campaign”; the creative “Banner”');
});

test('unused entities are deleted, from the campaign to the app, with its files', async () => {
  const company = await app.freshCompany();
  const parts = await runningParts(company);
  const files = await app.ctx.db
    .selectFrom('files')
    .select('uuid')
    .where('company_uuid', '=', company.companyId)
    .execute();
  await company.call('POST', `/campaign/${parts.campaignUuid}/pause`);
  const asset = (await listed(
    company,
    '/internal_creative',
    'internal_creatives',
    parts.creativeUuid,
  )) as unknown as { internal_creative: { uuid: string } };
  for (const path of [
    `/campaign/${parts.campaignUuid}`,
    `/adset/${parts.adsetUuid}`,
    `/target/${parts.targetUuid}`,
    `/tracking_link/${parts.linkUuid}`,
    `/internal_creative_group/${parts.groupUuid}`,
    `/internal_creative/${asset.internal_creative.uuid}`,
    `/app/${parts.appUuid}`,
  ]) {
    expect(await company.call('DELETE', path)).toMatchObject({ status: 200, data: expect.anything() });
    expect((await company.call('DELETE', path)).status).toBe(404);
  }
  expect(files).toHaveLength(1);
  // Stored files are removed after the response.
  await expect.poll(async () => app.ctx.files.size(files[0]!.uuid)).toBeNull();
  const { data } = await company.call('GET', `/company/${company.companyId}/changes`);
  expect(
    data.changes
      .filter(({ action }: { action: string }) => action === 'delete')
      .map(({ entity_name }: { entity_name: string }) => entity_name),
  ).toEqual(['Puzzle Quest', 'Banner', 'Banner', 'Link', 'Everyone', 'Ad set', 'Campaign']);
});

test('an entity with spend cannot be deleted', async () => {
  const company = await app.freshCompany();
  const { campaignUuid, adsetUuid } = await makeRunningCampaign(app, company);
  await company.call('PUT', `/campaign/${campaignUuid}`, { adset_uuids: [] });
  await app.ctx.db
    .insertInto('adset_spend')
    .values({
      adset_uuid: adsetUuid,
      company_uuid: company.companyId,
      ever_micros: 1,
      day: '2026-01-01',
      day_micros: 1,
    })
    .execute();
  expect(await company.call('DELETE', `/adset/${adsetUuid}`)).toMatchObject({
    status: 409,
    data: '“Ad set” cannot be deleted because it has spent money, which reports and the ledger show. Archive it instead.',
  });
});

test.each(['', undefined])('these calls accept an empty JSON body (%j)', async (payload) => {
  const company = await app.freshCompany();
  const { campaignUuid } = await makeRunningCampaign(app, company);
  for (const verb of ['pause', 'start', 'archive', 'restore']) {
    const response = await app.http.inject({
      method: 'POST',
      url: `/api/internal/campaign/${campaignUuid}/${verb}`,
      headers: { authorization: `Bearer ${company.token}`, 'content-type': 'application/json' },
      payload,
    });
    expect(response.statusCode).toBe(200);
  }
});
