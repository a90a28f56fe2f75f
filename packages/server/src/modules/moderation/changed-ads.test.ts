import { expect, test } from 'vitest';
import { findDestination } from '../../delivery/trackers/destinations.ts';
import { loadAdsets } from '../../delivery/snapshot/adset-store.ts';
import { appBody, linkBody, make, targetBody } from '@bidwell/testing/advertising';
import { picture } from '@bidwell/testing/files/pictures';
import { type TestCompany, testApp } from '@bidwell/testing/test-app';

const app = await testApp();

type Kind = 'apps' | 'creatives' | 'creative_groups' | 'tracking_links';
const decide = (kind: Kind, uuid: string, body: object) =>
  app.operator('POST', `/${kind}/${uuid}/decision`, body);
const approve = async (kind: Kind, uuid: string) => {
  expect((await decide(kind, uuid, { status: 'Approved' })).status).toBe(200);
};
const rejectAd = (kind: Kind, uuid: string, more: object = {}) =>
  decide(kind, uuid, { status: 'Rejected', reason: 'Not what was approved', ...more });

/** Creates a native ad over HTTP, approves it as the operator, and credits the company. Its campaign is not started. */
async function runningNative(texts: Record<string, string> = {}, groupTexts: object = {}) {
  const company = await app.freshCompany();
  const appUuid = await make(company, '/app', appBody());
  const { data } = await company.upload('POST', '/v2/internal_creative', {
    name: 'Native',
    type: 'Native',
    app_id: appUuid,
    banner: { name: 'n.png', content: await picture(1200, 627) },
    ...texts,
  });
  const creativeUuid = data.uuid as string;
  const assetUuid = data.internal_creative.uuid as string;
  const group = { name: 'Group', native_creatives: [creativeUuid], ...groupTexts };
  const groupUuid = await make(company, '/creative_group', group);
  const linkUuid = await make(company, '/tracking_link', linkBody(appUuid));
  const adsetUuid = await make(company, '/adset', {
    name: 'Ad set',
    target_id: await make(company, '/target', targetBody(appUuid)),
    tracking_link_id: linkUuid,
    creative_group_ids: [groupUuid],
    algo: 'Manual CPM',
    bet_cpm: 2.5,
  });
  await approve('apps', appUuid);
  await approve('creatives', creativeUuid);
  const campaignInput = { name: 'Campaign', app_uuid: appUuid, adset_uuids: [adsetUuid] };
  const campaignUuid = await make(company, '/campaign', campaignInput);
  await app.operator('POST', `/companies/${company.companyId}/credit`, { amount: 100, reason: 'Test' });
  return { company, appUuid, creativeUuid, assetUuid, groupUuid, linkUuid, adsetUuid, campaignUuid };
}

const ownTexts = { title: 'Solve it', sponsor: 'Puzzles', description: 'A puzzle a day' };
const start = async (company: TestCompany, campaignUuid: string) =>
  company.call('POST', `/campaign/${campaignUuid}/start`);

/** The ad set as loaded by the bidder. */
const running = async (company: TestCompany) =>
  [...(await loadAdsets(app.ctx.db, [company.companyId])).values()].flat()[0];

const waitingItem = async (uuid: string) =>
  (await app.operator('GET', '/moderation')).data.items.find((item: { uuid: string }) => item.uuid === uuid);

test.each([
  ['title', 'You won a prize'],
  ['description', 'Click to get it'],
  ['sponsor', 'Your bank'],
])('a changed native %s waits for review, while the approved one runs', async (field, text) => {
  const { company, campaignUuid, creativeUuid, assetUuid } = await runningNative(ownTexts);
  expect((await start(company, campaignUuid)).status).toBe(200);
  const changed = await company.call('PUT', `/internal_creative/${assetUuid}`, { [field]: text });
  expect(changed.data).toMatchObject({
    status: 'Moderation',
    internal_creative: { ...ownTexts, [field]: text },
    approved_version: ownTexts,
  });
  expect((await running(company))!.creatives).toMatchObject([ownTexts]);
  expect(await waitingItem(creativeUuid)).toMatchObject({
    entity: 'creative',
    pending: { ...ownTexts, [field]: text },
    approved: ownTexts,
  });
  await approve('creatives', creativeUuid);
  expect((await running(company))!.creatives).toMatchObject([{ ...ownTexts, [field]: text }]);
  expect((await company.call('GET', '/internal_creative')).data.internal_creatives).toMatchObject([
    { status: 'Approved', approved_version: null },
  ]);
});

test('a rejected change never runs, and the approved version runs until it is withdrawn', async () => {
  const { company, campaignUuid, creativeUuid, assetUuid } = await runningNative(ownTexts);
  await start(company, campaignUuid);
  await company.call('PUT', `/internal_creative/${assetUuid}`, { title: 'You won a prize' });
  await rejectAd('creatives', creativeUuid);
  expect((await running(company))!.creatives).toMatchObject([ownTexts]);
  const [notification] = (await company.call('GET', '/notifications')).data;
  expect(notification.text).toBe(
    '“Native” was rejected: Not what was approved The version that was approved before goes on running.',
  );
  await rejectAd('creatives', creativeUuid, { withdraw: true });
  expect((await running(company))!.creatives).toEqual([]);
  expect(await start(company, campaignUuid)).toMatchObject({ status: 200 });
});

test('an edit back to the approved version needs no review', async () => {
  const { company, creativeUuid, assetUuid } = await runningNative(ownTexts);
  await company.call('PUT', `/internal_creative/${assetUuid}`, { title: 'You won a prize' });
  const back = await company.call('PUT', `/internal_creative/${assetUuid}`, { title: ownTexts.title });
  expect(back.data).toMatchObject({ status: 'Approved', approved_version: null });
  expect(await waitingItem(creativeUuid)).toBeUndefined();
});

test('the native texts of a group are reviewed before they run, and after changes', async () => {
  const texts = { native_title: 'Match three', native_sponsor: 'Games', native_description: 'Daily' };
  const { company, campaignUuid, groupUuid } = await runningNative({}, texts);
  expect((await company.call('GET', `/internal_creative_group/${groupUuid}`)).data).toMatchObject({
    status: 'Moderation',
    texts_status: 'Moderation',
  });
  expect((await start(company, campaignUuid)).status).toBe(409);
  await approve('creative_groups', groupUuid);
  expect((await start(company, campaignUuid)).status).toBe(200);
  expect((await running(company))!.creatives).toMatchObject([{ title: 'Match three', sponsor: 'Games' }]);

  const edit = { native_title: 'You won a prize' };
  const changed = await company.call('PUT', `/creative_group/${groupUuid}`, edit);
  expect(changed.data).toMatchObject({
    ...edit,
    status: 'Moderation',
    texts_status: 'Moderation',
    approved_version: texts,
  });
  expect((await running(company))!.creatives).toMatchObject([{ title: 'Match three' }]);
  expect(await waitingItem(groupUuid)).toMatchObject({
    entity: 'creative_group',
    pending: edit,
    approved: texts,
  });
  await approve('creative_groups', groupUuid);
  expect((await running(company))!.creatives).toMatchObject([{ title: 'You won a prize' }]);
});

test('a native creative runs only with a headline and a sponsor', async () => {
  const { company, campaignUuid, assetUuid, creativeUuid } = await runningNative({ title: 'Alone' });
  expect(await start(company, campaignUuid)).toMatchObject({ status: 409 });
  await company.call('PUT', `/internal_creative/${assetUuid}`, { sponsor: 'Puzzles' });
  await approve('creatives', creativeUuid);
  expect((await start(company, campaignUuid)).status).toBe(200);
  expect((await running(company))!.creatives).toHaveLength(1);
});

test('a changed destination waits, while clicks lead to the approved one', async () => {
  const { company, campaignUuid, linkUuid, adsetUuid, creativeUuid } = await runningNative(ownTexts);
  await start(company, campaignUuid);
  const old = linkBody('').click_url;
  const ids = { adsetId: adsetUuid, campaignId: campaignUuid, creativeId: creativeUuid };
  const destination = async () => (await findDestination(app.ctx.db, company.companyId, ids))?.clickUrl;
  const edit = { click_url: 'https://phishing.example/login?c={click_id}' };
  expect((await company.call('PUT', `/tracking_link/${linkUuid}`, edit)).data).toMatchObject({
    ...edit,
    status: 'Moderation',
    approved_version: { click_url: old },
  });
  expect(await destination()).toBe(old);
  expect(await waitingItem(linkUuid)).toMatchObject({
    entity: 'tracking_link',
    link: edit.click_url,
    pending: edit,
    approved: { click_url: old },
  });
  await rejectAd('tracking_links', linkUuid);
  expect(await destination()).toBe(old);
  expect(await running(company)).toBeDefined();
  await company.call('PUT', `/tracking_link/${linkUuid}`, {
    click_url: 'https://other.example/c?c={click_id}',
  });
  await approve('tracking_links', linkUuid);
  expect(await destination()).toBe('https://other.example/c?c={click_id}');
});

test('own URLs of a creative are reviewed, then bids and clicks use them in place of the tracking link', async () => {
  const { company, campaignUuid, adsetUuid, creativeUuid, assetUuid } = await runningNative(ownTexts);
  await start(company, campaignUuid);
  const ids = { adsetId: adsetUuid, campaignId: campaignUuid, creativeId: creativeUuid };
  const used = async () => {
    const [creative] = (await running(company))!.creatives;
    const destination = await findDestination(app.ctx.db, company.companyId, ids);
    return [destination!.clickUrl, creative!.clickUrl, creative!.viewUrl];
  };
  const own = { click_url: 'https://own.example/c?id={click_id}', view_url: 'https://own.example/v' };
  expect(await used()).toEqual([linkBody('').click_url, null, null]);
  const addressed = await company.call('POST', '/creative', { internal_creative_uuid: assetUuid, ...own });
  expect(addressed.data).toMatchObject({ ...own, status: 'Moderation' });
  expect(await used()).toEqual([linkBody('').click_url, null, null]);
  expect(await waitingItem(creativeUuid)).toMatchObject({ pending: own });
  await approve('creatives', creativeUuid);
  expect(await used()).toEqual([own.click_url, own.click_url, own.view_url]);
  await company.call('PUT', `/creative/${creativeUuid}`, { click_url: null, view_url: null });
  await approve('creatives', creativeUuid);
  expect(await used()).toEqual([linkBody('').click_url, null, null]);
});

test('another link with a destination on an unapproved host of the app waits', async () => {
  const { company, appUuid, adsetUuid, campaignUuid, creativeUuid } = await runningNative(ownTexts);
  await start(company, campaignUuid);
  const elsewhere = linkBody(appUuid, { click_url: 'https://phishing.example/login?c={click_id}' });
  const { data: link } = await company.call('POST', '/tracking_link', elsewhere);
  expect(link.status).toBe('Moderation');
  await company.call('PUT', `/adset/${adsetUuid}`, { tracking_link_id: link.uuid });
  expect(await running(company)).toBeUndefined();
  const ids = { adsetId: adsetUuid, campaignId: campaignUuid, creativeId: creativeUuid };
  expect(await findDestination(app.ctx.db, company.companyId, ids)).toBeNull();
  await approve('tracking_links', link.uuid);
  expect(await running(company)).toBeDefined();
  const { data: same } = await company.call('POST', '/tracking_link', linkBody(appUuid));
  expect(same.status).toBe('Approved');
});

test.each([
  ['name', 'Your bank', (row: { app: { name: string } }) => row.app.name],
  [
    'icon_link',
    'https://icons.example/bank.png',
    (row: { app: { iconLink: string | null } }) => row.app.iconLink,
  ],
  ['bundle_id', 'com.example.else', (row: { app: { bundle: string } }) => row.app.bundle],
  [
    'store_link',
    'https://play.google.com/store/apps/details?id=com.example.else',
    (row: { app: { storeLink: string } }) => row.app.storeLink,
  ],
])('the changed %s of an app waits, while the approved one runs', async (field, value, valueOf) => {
  const { company, campaignUuid, appUuid } = await runningNative(ownTexts);
  await start(company, campaignUuid);
  const before = valueOf((await running(company))!);
  const changed = await company.call('PUT', `/app/${appUuid}`, { [field]: value });
  expect(changed.data).toMatchObject({ [field]: value, status: 'Moderation' });
  expect(changed.data.approved_version[field]).toBe(before);
  expect(valueOf((await running(company))!)).toBe(before);
  await company.call('POST', `/campaign/${campaignUuid}/pause`);
  expect((await start(company, campaignUuid)).status).toBe(200);
  await approve('apps', appUuid);
  expect(valueOf((await running(company))!)).toBe(value);
});

test('a new name of a creative, and other invisible changes, need no review', async () => {
  const { company, appUuid } = await runningNative(ownTexts);
  const { data } = await company.upload('POST', '/v2/internal_creative', {
    name: 'Banner',
    type: 'Banner',
    app_id: appUuid,
    banner: { name: 'b.png', content: await picture(320, 50) },
  });
  await approve('creatives', data.uuid);
  const edit = { name: 'Another', description: 'For the spring' };
  const changed = await company.call('PUT', `/internal_creative/${data.internal_creative.uuid}`, edit);
  expect(changed.data).toMatchObject({ status: 'Approved', internal_creative: edit });
});
