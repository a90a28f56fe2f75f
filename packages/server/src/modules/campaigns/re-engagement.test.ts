import { expect, test } from 'vitest';
import { randomUUID } from 'node:crypto';
import { make, makeAdsetParts } from '@bidwell/testing/advertising';
import { makeRunningCampaign } from '@bidwell/testing/bidding';
import { freshExchange } from '@bidwell/testing/exchange';
import { PHONE, answersWhenDecided, partnersOf } from '@bidwell/testing/partners';
import { testApp } from '@bidwell/testing/test-app';
import { eventually } from '@bidwell/testing/eventually';

const app = await testApp({ MODERATION: 'auto' }, undefined, answersWhenDecided);
const { signer, freshAdvertiser } = partnersOf(app);

test('a campaign is of acquisition unless it is created as another kind, which its copy has and no update changes', async () => {
  const company = await app.freshCompany();
  const { appUuid } = await makeAdsetParts(app, company);
  const body = { name: 'Launch', app_uuid: appUuid };
  expect((await company.call('POST', '/campaign', body)).data).toMatchObject({ kind: 'acquisition' });
  const uuid = await make(company, '/campaign', { ...body, kind: 're_engagement' });
  expect((await company.call('GET', `/campaign/${uuid}`)).data).toMatchObject({ kind: 're_engagement' });
  expect((await company.call('POST', `/campaign/${uuid}/duplicate`)).data).toMatchObject({
    kind: 're_engagement',
  });
  const same = await company.call('PUT', `/campaign/${uuid}`, { name: 'Back', kind: 're_engagement' });
  expect(same).toMatchObject({ status: 200, data: { name: 'Back', kind: 're_engagement' } });
  expect(await company.call('PUT', `/campaign/${uuid}`, { kind: 'acquisition' })).toMatchObject({
    status: 422,
    errors: [{ field: 'kind', message: 'The kind of a campaign cannot be changed: create another campaign' }],
  });
});

test('a re-engagement campaign has ad sets with Manual CPM alone', async () => {
  const company = await app.freshCompany();
  const { appUuid, body } = await makeAdsetParts(app, company);
  const message =
    'The ad set "First ad set" needs the bid strategy Manual CPM: the others learn from installs, which a re-engagement campaign does not buy';
  const learning = await make(company, '/adset', { ...body, algo: 'Max installs', daily_budget_const: 10 });
  const campaign = { name: 'Back', app_uuid: appUuid, kind: 're_engagement' };
  const refused = await company.call('POST', '/campaign', { ...campaign, adset_uuids: [learning] });
  expect(refused.errors).toEqual([{ field: 'adset_uuids', message }]);
  const manual = await make(company, '/adset', body);
  await make(company, '/campaign', { ...campaign, adset_uuids: [manual] });
  const changed = await company.call('PUT', `/adset/${manual}`, { algo: 'Max installs' });
  expect(changed).toMatchObject({ status: 422, errors: [{ field: 'algo', message }] });
});

test('a re-engagement campaign starts with an audience, bids for its people, and counts who comes back', async () => {
  const { company, report } = await freshAdvertiser();
  const exchange = await freshExchange(app);
  const person = randomUUID();
  const audience = await make(company, '/audience', { name: 'Players' });
  await company.call('POST', `/audience/${audience}/ids`, { mode: 'replace', ids: [person] });
  const of = { target: { exchange_include: [exchange.slug] }, campaign: { kind: 're_engagement' } };
  await expect(makeRunningCampaign(app, company, of)).rejects.toThrow(
    'Choose an audience that the ad set “Ad set” includes: people who have the app, whom a re-engagement campaign brings back',
  );
  const adset = { audience_include: [[audience]], exclude_installed: true };
  const { adsetUuid, campaignUuid } = await makeRunningCampaign(app, company, { ...of, adset });
  const bidFor = async (ifa: string) =>
    exchange.bid({ device: { os: 'Android', ip: '203.0.113.9', ua: PHONE, geo: { country: 'USA' }, ifa } });
  const bid = await eventually(async () => {
    const offered = await bidFor(person);
    expect(offered).not.toBeNull();
    return offered;
  });
  expect(await bidFor(randomUUID())).toBeNull();

  const token = /\/t\/c[^/]*\/([\w-]+)/.exec(bid.adm)?.[1] ?? '';
  const ref = signer.read('click', token)!;
  expect(ref).toMatchObject({ campaignId: campaignUuid, reEngagement: true });
  await partnersOf(app).touch(ref);
  await app.settled();
  expect(await report(ref, { is_retargeting: 'true' })).toBe('stored');
  await app.settled();
  const today = app.clock.now.toISOString().slice(0, 10);
  const { data } = await company.call('POST', '/analytics/level', {
    start_date: today,
    end_date: today,
    levels: { campaign: '' },
    metrics: ['installs', 'app_events', 'reattributions', 're_engagement_clicks'],
  });
  expect(data.total).toEqual({ installs: 0, app_events: 0, reattributions: 1, re_engagement_clicks: 1 });

  // Without its audience it would show its ads to everyone.
  await company.call('PUT', `/adset/${adsetUuid}`, { audience_include: [] });
  await app.settled();
  expect(await bidFor(person)).toBeNull();
  const found = await company.call(
    'GET',
    `/campaign/${campaignUuid}/findings?start_date=${today}&end_date=${today}`,
  );
  expect(found.data.findings).toContainEqual(
    expect.objectContaining({
      code: 'audience_missing',
      text: '“Ad set” is part of a re-engagement campaign and includes no audience: it does not bid.',
    }),
  );
});
