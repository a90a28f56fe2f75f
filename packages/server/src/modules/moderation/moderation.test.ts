import { expect, test } from 'vitest';
import { appBody, changesOf, make } from '@bidwell/testing/advertising';
import { picture } from '@bidwell/testing/files/pictures';
import { testApp } from '@bidwell/testing/test-app';

const app = await testApp();

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

test('a repeated decision changes nothing and notifies nobody', async () => {
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
