import { expect, test } from 'vitest';
import { appBody, changesOf, make, linkBody, targetBody } from '@bidwell/testing/advertising';
import { picture } from '@bidwell/testing/files/pictures';
import { testApp, type TestCompany } from '@bidwell/testing/test-app';
import type { ModerationItem, ModerationQueue } from '@bidwell/contract/moderation/schema';

const app = await testApp();

const queue = async (query: Record<string, string> = {}): Promise<ModerationQueue> =>
  (await app.operator('GET', `/moderation?${String(new URLSearchParams(query))}`)).data;

const waitingItem = async (uuid: string): Promise<ModerationItem> => (await queue({ uuid })).items[0]!;

const reject = (uuid: string, more: object = {}) =>
  app.operator('POST', `/creatives/${uuid}/decision`, { status: 'Rejected', reason: 'Blurred', ...more });

async function companyWithBoth() {
  const company = await app.freshCompany();
  const appUuid = await make(company, '/app', appBody({ name: 'Puzzle' }));
  const { data } = await company.upload('POST', '/v2/internal_creative', {
    name: 'Leaderboard',
    type: 'Banner',
    app_id: appUuid,
    banner: { name: 'b.png', content: await picture(320, 50) },
  });
  return { company, appUuid, creativeUuid: data.uuid as string };
}

interface Item {
  uuid: string;
}

const waiting = async (): Promise<Item[]> => (await app.operator('GET', '/moderation')).data.items;

test('waiting entities are listed, oldest first, until they are decided', async () => {
  const { company, appUuid, creativeUuid } = await companyWithBoth();
  const mine = (await waiting()).filter(({ uuid }) => uuid === appUuid || uuid === creativeUuid);
  expect(mine).toMatchObject([
    { entity: 'app', uuid: appUuid, company_uuid: company.companyId, name: 'Puzzle' },
    { entity: 'creative', uuid: creativeUuid, name: 'Leaderboard' },
  ]);
  await app.operator('POST', `/apps/${appUuid}/decision`, { status: 'Approved' });
  await app.operator('POST', `/creatives/${creativeUuid}/decision`, {
    status: 'Rejected',
    reason: 'Blurred',
  });
  const left = (await waiting()).map(({ uuid }) => uuid);
  expect(left).not.toContain(appUuid);
  expect(left).not.toContain(creativeUuid);
});

test('an approval changes the entity, the change log and the notifications', async () => {
  const { company, appUuid } = await companyWithBoth();
  await app.operator('POST', `/apps/${appUuid}/decision`, { status: 'Approved' });
  expect((await company.call('GET', `/app/${appUuid}`)).data.status).toBe('Approved');
  const [, decided] = await changesOf(app, company, appUuid);
  expect(decided).toMatchObject({
    action: 'decide',
    author: 'Operator',
    fields: [{ field: 'status', before: 'Moderation', after: 'Approved' }],
  });
  expect((await company.call('GET', '/notifications')).data).toMatchObject([
    {
      kind: 'moderation',
      title: 'App approved',
      text: '“Puzzle” was approved.',
      entity_type: 'app',
      entity_uuid: appUuid,
      read: false,
    },
  ]);
});

test('the reason of a rejection is shown to the advertiser, and disappears with the next review', async () => {
  const { company, creativeUuid } = await companyWithBoth();
  const path = `/creatives/${creativeUuid}/decision`;
  expect(await app.operator('POST', path, { status: 'Rejected' })).toMatchObject({
    status: 422,
    errors: [{ field: 'reason', message: 'A rejection needs a reason' }],
  });
  await app.operator('POST', path, { status: 'Rejected', reason: 'Blurred' });
  const [notification] = (await company.call('GET', '/notifications')).data;
  expect(notification).toMatchObject({
    title: 'Creative rejected',
    text: '“Leaderboard” was rejected: Blurred',
  });
  const list = await company.call('GET', '/internal_creative');
  expect(list.data.internal_creatives).toMatchObject([{ status: 'Rejected', rejection_reason: 'Blurred' }]);
  const edited = await company.call('PUT', `/creative/${creativeUuid}`, {
    click_url: 'https://sharper.example/?id={click_id}',
  });
  expect(edited.data).toMatchObject({ status: 'Moderation', rejection_reason: null });
});

test('a repeated decision changes nothing and notifies no one', async () => {
  const { company, appUuid } = await companyWithBoth();
  for (let time = 0; time < 2; time += 1)
    expect((await app.operator('POST', `/apps/${appUuid}/decision`, { status: 'Approved' })).status).toBe(
      200,
    );
  expect((await company.call('GET', '/notifications')).data).toHaveLength(1);
  expect(await changesOf(app, company, appUuid)).toHaveLength(2);
});

test('a missing entity, or one of another kind, is not found', async () => {
  const { appUuid, creativeUuid, company } = await companyWithBoth();
  for (const path of [
    `/apps/${creativeUuid}`,
    `/creatives/${appUuid}`,
    `/apps/${company.companyId}`,
    '/apps/x',
  ])
    expect((await app.operator('POST', `${path}/decision`, { status: 'Approved' })).status).toBe(404);
});

async function upload(company: TestCompany, appUuid: string, content: Buffer, name = 'Leaderboard') {
  const { data } = await company.upload('POST', '/v2/internal_creative', {
    name,
    type: 'Banner',
    app_id: appUuid,
    banner: { name: 'b.png', content },
  });
  return data.uuid as string;
}

async function companyWithBanner(content?: Buffer) {
  const company = await app.freshCompany();
  const appUuid = await make(company, '/app', appBody({ name: 'Puzzle' }));
  const creativeUuid = await upload(company, appUuid, content ?? (await picture(320, 50)));
  return { company, appUuid, creativeUuid };
}

test('a creative has its file with facts, its app, its company and where its clicks lead', async () => {
  const content = await picture(468, 60);
  const { company, appUuid, creativeUuid } = await companyWithBanner(content);
  const groupUuid = await make(company, '/creative_group', { name: 'G', banner_creatives: [creativeUuid] });
  const linkUuid = await make(company, '/tracking_link', linkBody(appUuid, { name: 'Partner' }));
  const adset = {
    target_id: await make(company, '/target', targetBody(appUuid)),
    tracking_link_id: linkUuid,
    creative_group_ids: [groupUuid],
    algo: 'Manual CPM',
    bet_cpm: 2.5,
  };
  await make(company, '/adset', { ...adset, name: 'Ad set' });
  const deep_link = 'puzzle://levels/1';
  const deepUuid = await make(company, '/adset', { ...adset, name: 'Levels', deep_link });
  const item = await waitingItem(creativeUuid);
  expect(item).toMatchObject({
    kind: 'Banner',
    name: 'Leaderboard',
    company_name: expect.stringMatching(/./),
    app: { uuid: appUuid, name: 'Puzzle' },
    files: [{ role: 'ad', content_type: 'image/png', size_bytes: content.length, width: 468, height: 60 }],
    destinations: [{ uuid: linkUuid, name: 'Partner', click_url: linkBody('').click_url }],
    deep_links: [{ uuid: deepUuid, name: 'Levels', deep_link }],
    decisions: [],
    same_file: [],
  });
  const file = await app.http.inject({ url: item.files[0]!.url });
  expect(file.rawPayload.equals(content)).toBe(true);
});

test('a tracking link has both URLs, and the texts of a group an image to show them with', async () => {
  const { company, appUuid } = await companyWithBanner();
  const linkUuid = await make(company, '/tracking_link', linkBody(appUuid));
  const elsewhere = { click_url: 'https://elsewhere.example/c?c={click_id}' };
  await company.call('PUT', `/tracking_link/${linkUuid}`, elsewhere);
  expect(await waitingItem(linkUuid)).toMatchObject({
    kind: 'tracking_link',
    link: elsewhere.click_url,
    view_url: linkBody('').view_url,
    approved: { click_url: linkBody('').click_url },
    app: { name: 'Puzzle' },
  });
  const { data: native } = await company.upload('POST', '/v2/internal_creative', {
    name: 'Native',
    type: 'Native',
    app_id: appUuid,
    banner: { name: 'n.png', content: await picture(1200, 627) },
  });
  const texts = { native_title: 'Match three', native_sponsor: 'Games', native_description: 'Daily' };
  const group = { name: 'Group', native_creatives: [native.uuid], ...texts };
  const groupUuid = await make(company, '/creative_group', group);
  expect(await waitingItem(groupUuid)).toMatchObject({
    kind: 'creative_group',
    pending: texts,
    app: { uuid: appUuid },
    files: [{ role: 'sample', width: 1200, height: 627 }],
  });
});

test('the queue is filtered by kind and company, and counts all that wait', async () => {
  const { company, appUuid, creativeUuid } = await companyWithBanner();
  const { company: other } = await companyWithBanner();
  const mine = { company_uuid: company.companyId };
  const found = await queue(mine);
  expect(found.items.map(({ uuid }) => uuid)).toEqual([appUuid, creativeUuid]);
  expect(found.kinds).toMatchObject({ app: 1, Banner: 1, Video: 0 });
  expect(found.waiting).toBeGreaterThanOrEqual(4);
  expect(found.companies.find(({ uuid }) => uuid === company.companyId)).toMatchObject({
    waiting: 2,
    oldest_since: found.items[0]!.since,
    suspended: false,
  });
  expect(found.companies.map(({ uuid }) => uuid)).toContain(other.companyId);

  expect((await queue({ ...mine, kind: 'Banner' })).items).toMatchObject([{ uuid: creativeUuid }]);
  expect((await queue({ ...mine, kind: 'Video' })).items).toEqual([]);
  expect((await queue({ ...mine, kind: 'app' })).items).toMatchObject([{ uuid: appUuid }]);
  const one = await queue({ limit: '1' });
  expect(one.items).toHaveLength(1);
  expect(one.oldest_since).toBe(one.items[0]!.since);
});

test('earlier decisions are shown on the entity, the file and the company, after the creative is deleted too', async () => {
  const content = await picture(300, 250);
  const first = await companyWithBanner(content);
  const moderator = await app.freshOperator('moderator');
  await app.http.inject({
    method: 'POST',
    url: `/api/operator/creatives/${first.creativeUuid}/decision`,
    headers: moderator.headers,
    payload: { status: 'Rejected', reason: 'Blurred' },
  });
  await first.company.call('PUT', `/creative/${first.creativeUuid}`, {
    click_url: 'https://sharper.example/?id={click_id}',
  });
  const decision = { status: 'Rejected', reason: 'Blurred', operator: moderator.login, name: 'Leaderboard' };
  expect(await waitingItem(first.creativeUuid)).toMatchObject({ decisions: [decision], same_file: [] });
  const { companies } = await queue({ uuid: first.creativeUuid });
  expect(companies.find(({ uuid }) => uuid === first.company.companyId)!.record).toMatchObject({
    approved: 0,
    rejected: 1,
    rejections: [decision],
  });

  expect((await first.company.call('DELETE', `/creative/${first.creativeUuid}`)).status).toBe(200);
  const again = await companyWithBanner(content);
  expect(await waitingItem(again.creativeUuid)).toMatchObject({
    decisions: [],
    same_file: [{ ...decision, company_uuid: first.company.companyId }],
  });
});

test('a decision on a version that the operator has not seen is refused', async () => {
  const { company, creativeUuid } = await companyWithBanner();
  const { since } = await waitingItem(creativeUuid);
  app.clock.now = new Date(app.clock.now.getTime() + 1000);
  await company.call('PUT', `/creative/${creativeUuid}`, {
    click_url: 'https://elsewhere.example/?id={click_id}',
  });
  expect(await reject(creativeUuid, { since })).toMatchObject({
    status: 409,
    data: 'It was changed or decided on meanwhile. Look at it again.',
  });
  const seen = await waitingItem(creativeUuid);
  expect(await reject(creativeUuid, { since: seen.since })).toMatchObject({ status: 200 });
  // Sent again after a lost response.
  expect(await reject(creativeUuid, { since: seen.since })).toMatchObject({ status: 200 });
});

test('one decision on several is carried out on each that is as it was seen', async () => {
  const { company, appUuid, creativeUuid } = await companyWithBanner();
  const changed = await upload(company, appUuid, await picture(320, 50), 'Changed');
  const nobody = '01890000-0000-7000-8000-000000000000';
  const body = {
    status: 'Rejected',
    reason: 'Blurred',
    items: [
      { entity: 'app', uuid: appUuid, since: (await waitingItem(appUuid)).since },
      { entity: 'creative', uuid: creativeUuid },
      { entity: 'creative', uuid: changed, since: '2020-01-01T00:00:00.000Z' },
      { entity: 'creative', uuid: nobody },
    ],
  };
  const { status, data } = await app.operator('POST', '/moderation/decisions', body);
  expect(status).toBe(200);
  expect(data.results).toEqual([
    { uuid: appUuid, outcome: 'decided' },
    { uuid: creativeUuid, outcome: 'decided' },
    { uuid: changed, outcome: 'changed' },
    { uuid: nobody, outcome: 'missing' },
  ]);
  const left = await queue({ company_uuid: company.companyId });
  expect(left.items).toMatchObject([{ uuid: changed }]);
  expect(await app.operator('POST', '/moderation/decisions', { ...body, reason: '' })).toMatchObject({
    status: 422,
    errors: [{ field: 'reason', message: 'A rejection needs a reason' }],
  });
});
