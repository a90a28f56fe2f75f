import { expect, test } from 'vitest';
import { appBody, changesOf, make } from '@bidwell/testing/advertising';
import { picture } from '@bidwell/testing/files/pictures';
import { type TestCompany, testApp } from '@bidwell/testing/test-app';

const app = await testApp();

async function creative(
  company: TestCompany,
  type: 'Banner' | 'Playable',
  appUuid?: string,
): Promise<string> {
  const file: Parameters<TestCompany['upload']>[2] =
    type === 'Banner'
      ? { banner: { name: 'b.png', content: await picture(320, 50) } }
      : {
          playable: {
            name: 'p.html',
            content: Buffer.from('<html><body onclick="mraid.open()">play</body></html>'),
          },
        };
  const { data } = await company.upload('POST', '/v2/internal_creative', {
    name: `A ${type}`,
    type,
    app_id: appUuid ?? (await make(company, '/app', appBody())),
    ...file,
  });
  return data.uuid;
}

const decide = (uuid: string, status: 'Approved' | 'Rejected') =>
  app.operator('POST', `/creatives/${uuid}/decision`, { status, reason: 'Blurred' });

test('a group is created on either path and read alone and in the list', async () => {
  const company = await app.freshCompany();
  const banner = await creative(company, 'Banner');
  const playable = await creative(company, 'Playable');
  const body = {
    name: 'Spring',
    description: 'All of them',
    banner_creatives: [banner],
    playable_creatives: [{ uuid: playable }],
    native_title: 'Play',
  };
  for (const path of ['/internal_creative_group', '/creative_group']) {
    const made = await company.call('POST', path, body);
    expect(made).toMatchObject({
      status: 201,
      data: {
        name: 'Spring',
        description: 'All of them',
        status: 'Moderation',
        banner_creatives: [{ uuid: banner, internal_creative: { name: 'A Banner' } }],
        playable_creatives: [{ uuid: playable }],
        video_creatives: [],
        native_creatives: [],
        native_title: 'Play',
        native_sponsor: '',
      },
    });
    const { uuid } = made.data;
    expect((await company.call('GET', `/internal_creative_group/${uuid}`)).data).toEqual(made.data);
    const { data } = await company.call('GET', '/internal_creative_group');
    expect(data.internal_creative_groups[0]).toEqual(made.data);
    expect(await changesOf(app, company, uuid)).toMatchObject([{ action: 'create', entity_name: 'Spring' }]);
  }
});

const wrong: [string, Record<string, unknown>, string, string][] = [
  ['no name', { name: '' }, 'name', 'Required'],
  ['a long name', { name: 'x'.repeat(51) }, 'name', 'Title must be 50 characters or less'],
  [
    'a long description',
    { description: 'x'.repeat(201) },
    'description',
    'Description cannot exceed 200 characters',
  ],
  ['a long native title', { native_title: 'x'.repeat(71) }, 'native_title', 'At most 70 characters'],
  [
    'a long native text',
    { native_description: 'x'.repeat(91) },
    'native_description',
    'At most 90 characters',
  ],
  ['a long sponsor', { native_sponsor: 'x'.repeat(51) }, 'native_sponsor', 'At most 50 characters'],
];
for (const [what, over, field, message] of wrong) {
  test(`a group with ${what} is rejected`, async () => {
    const company = await app.freshCompany();
    const response = await company.call('POST', '/creative_group', { name: 'Group', ...over });
    expect(response).toMatchObject({ status: 422, errors: [{ field, message }] });
  });
}

test('a creative must be in the list of its type', async () => {
  const company = await app.freshCompany();
  const body = { name: 'Group', playable_creatives: [await creative(company, 'Banner')] };
  const response = await company.call('POST', '/creative_group', body);
  expect(response.status).toBe(422);
  expect(response.errors).toEqual([
    { field: 'playable_creatives', message: '"A Banner" is a banner creative' },
  ]);
});

test("another company's creative, and a missing one, are not found", async () => {
  const company = await app.freshCompany();
  const foreign = await creative(await app.freshCompany(), 'Banner');
  for (const uuid of [foreign, company.companyId]) {
    const response = await company.call('POST', '/creative_group', {
      name: 'Group',
      banner_creatives: [uuid],
    });
    expect(response.errors).toEqual([{ field: 'banner_creatives', message: 'Creative not found' }]);
  }
  expect((await company.call('GET', '/internal_creative_group')).data.internal_creative_groups).toEqual([]);
});

test('creatives of several apps may share a group', async () => {
  const company = await app.freshCompany();
  const uuids = [await creative(company, 'Banner'), await creative(company, 'Banner')];
  const made = await company.call('POST', '/creative_group', { name: 'Group', banner_creatives: uuids });
  expect(made.data.banner_creatives.map(({ uuid }: { uuid: string }) => uuid)).toEqual(uuids);
});

test('a group is in moderation until one of its creatives is approved, then runs and pauses', async () => {
  const company = await app.freshCompany();
  const appUuid = await make(company, '/app', appBody());
  const [first, second] = [
    await creative(company, 'Banner', appUuid),
    await creative(company, 'Banner', appUuid),
  ];
  const body = { name: 'Group', banner_creatives: [first, second] };
  const path = `/creative_group/${await make(company, '/creative_group', body)}`;
  const read = async () =>
    (await company.call('GET', path.replace('/creative_group', '/internal_creative_group'))).data.status;
  expect(await read()).toBe('Moderation');
  await decide(first, 'Rejected');
  expect(await read()).toBe('Moderation');
  await decide(second, 'Approved');
  expect(await read()).toBe('Active');
  expect((await company.call('PUT', path, { status: 'Paused' })).data.status).toBe('Paused');
  expect((await company.call('PUT', path, { name: 'Still paused' })).data.status).toBe('Paused');
  expect((await company.call('PUT', path, { status: 'Active' })).data.status).toBe('Active');
  expect((await company.call('PUT', path, { status: 'Approved' })).status).toBe(422);
});

test('a group whose creatives were all rejected is rejected, until one is approved', async () => {
  const company = await app.freshCompany();
  const banner = await creative(company, 'Banner');
  const uuid = await make(company, '/creative_group', { name: 'Group', banner_creatives: [banner] });
  const read = async () => (await company.call('GET', `/internal_creative_group/${uuid}`)).data.status;
  await decide(banner, 'Approved');
  await decide(banner, 'Rejected');
  expect(await read()).toBe('Rejected');
  // A client may send back the body that it has read.
  expect((await company.call('PUT', `/creative_group/${uuid}`, { status: 'Rejected' })).status).toBe(200);
  await decide(banner, 'Approved');
  expect(await read()).toBe('Active');
});

test('an update changes its fields, on either path, and is logged', async () => {
  const company = await app.freshCompany();
  const banner = await creative(company, 'Banner');
  const playable = await creative(company, 'Playable');
  const uuid = await make(company, '/creative_group', {
    name: 'Before',
    description: 'Unchanged',
    native_sponsor: 'Us',
    banner_creatives: [banner],
  });
  const updated = await company.call('PUT', `/internal_creative_group/${uuid}`, {
    name: 'After',
    playable_creatives: [playable],
  });
  expect(updated.data).toMatchObject({
    name: 'After',
    description: 'Unchanged',
    native_sponsor: 'Us',
    banner_creatives: [{ uuid: banner }],
    playable_creatives: [{ uuid: playable }],
  });
  const emptied = await company.call('PUT', `/creative_group/${uuid}`, { banner_creatives: [] });
  expect(emptied.data).toMatchObject({ banner_creatives: [], playable_creatives: [{ uuid: playable }] });
  const [, renamed, removed] = await changesOf(app, company, uuid);
  expect(renamed?.fields).toEqual([
    { field: 'name', before: 'Before', after: 'After' },
    { field: 'playable_creatives', before: [], after: ['A Playable'] },
  ]);
  expect(removed?.fields).toEqual([{ field: 'banner_creatives', before: ['A Banner'], after: [] }]);
});

test("another company's group is not found", async () => {
  const company = await app.freshCompany();
  const banner_creatives = [await creative(company, 'Banner')];
  const uuid = await make(company, '/creative_group', { name: 'Group', banner_creatives });
  const other = await app.freshCompany();
  expect((await other.call('GET', `/internal_creative_group/${uuid}`)).status).toBe(404);
  expect((await other.call('PUT', `/creative_group/${uuid}`, { name: 'Mine' })).status).toBe(404);
  expect((await other.call('GET', '/internal_creative_group')).data.internal_creative_groups).toEqual([]);
});

test('a group without creatives requires one, at its videos', async () => {
  const company = await app.freshCompany();
  const required = { status: 422, errors: [{ field: 'video_creatives', message: 'Required' }] };
  expect(await company.call('POST', '/creative_group', { name: 'Group' })).toMatchObject(required);
  const banner_creatives = [await creative(company, 'Banner')];
  const uuid = await make(company, '/creative_group', { name: 'Group', banner_creatives });
  expect(await company.call('PUT', `/creative_group/${uuid}`, { banner_creatives: [] })).toMatchObject(
    required,
  );
  expect((await company.call('PUT', `/creative_group/${uuid}`, { name: 'Renamed' })).status).toBe(200);
});
