import { DRAFTS_MAX, DRAFT_BYTES_MAX } from '@bidwell/contract/drafts/schema';
import { campaignMessages } from '@bidwell/contract/campaigns/messages';
import { draftApiMessages } from '@bidwell/contract/drafts/api-messages';
import { make, makeAdsetParts } from '@bidwell/testing/advertising';
import { type TestCompany, testApp } from '@bidwell/testing/test-app';
import { expect, test } from 'vitest';

const app = await testApp({ MODERATION: 'auto', WRITES_PER_MINUTE: '1000' });

const values = { name: 'Autumn', adsets: [{ key: 'a', values: { bet_cpm: null } }] };
const draft = async (company: TestCompany, typed: object = values) =>
  (await company.call('POST', '/campaign_draft', { values: typed })).data;

test('a draft holds the typed values, incomplete and invalid ones too, and colleagues see who began and changed it', async () => {
  const company = await app.freshCompany();
  const editor = await app.freshPerson(company, 'editor');
  const analyst = await app.freshPerson(company, 'analyst');
  const odd = { name: ' Autumn '.repeat(20), start_date: 'soon', list: [null, { a: -0.5 }] };
  const { uuid } = await draft(company, odd);
  const changed = { ...odd, end_date: 'never' };
  const { status, data } = await editor.call('PUT', `/campaign_draft/${uuid}`, {
    values: changed,
    version: 1,
  });
  expect([status, data.version]).toEqual([200, 2]);
  const read = await analyst.call('GET', `/campaign_draft/${uuid}`);
  expect(read.data).toMatchObject({ values: changed, version: 2 });
  expect(read.data.name).toHaveLength(50);
  const listed = await analyst.call('GET', '/campaign_draft');
  const { data: people } = await company.call('GET', '/people');
  const nameOf = ({ userId }: TestCompany) => {
    const person = people.people.find((one: { uuid: string }) => one.uuid === userId);
    return `${person.first_name} ${person.last_name}`.trim();
  };
  expect(listed.data.drafts).toMatchObject([
    { uuid, created_by: nameOf(company), updated_by: nameOf(editor) },
  ]);
  expect(listed.data.drafts[0]).not.toHaveProperty('values');
});

test('the later of two users who change a draft sees who changed it, and overwrites nothing', async () => {
  const company = await app.freshCompany();
  const editor = await app.freshPerson(company, 'editor');
  const { uuid } = await draft(company);
  const put = (person: TestCompany, name: string, version: number) =>
    person.call('PUT', `/campaign_draft/${uuid}`, { values: { name }, version });
  const both = await Promise.all([put(company, 'Mine', 1), put(editor, 'Theirs', 1)]);
  expect(both.map(({ status }) => status).toSorted()).toEqual([200, 409]);
  const [first] = (await company.call('GET', '/campaign_draft')).data.drafts;
  const late = both.find(({ status }) => status === 409)!;
  expect(late.data).toBe(draftApiMessages.draftChanged(first.updated_by));
  expect(first).toMatchObject({ version: 2 });
  // Saving the same values again, as after a lost response, is no conflict.
  const again = await put(company, first.name, 1);
  expect([again.status, again.data.version]).toEqual([200, 2]);
});

test('a draft becomes one campaign, with the version that its creator saw', async () => {
  const company = await app.freshCompany();
  const { appUuid } = await makeAdsetParts(app, company);
  const { uuid } = await draft(company);
  await company.call('PUT', `/campaign_draft/${uuid}`, { values: { name: 'Changed' }, version: 1 });
  const create = (version: number) =>
    company.call('POST', '/campaign', { name: 'Autumn', app_uuid: appUuid, draft: { uuid, version } });
  expect(await create(1)).toMatchObject({ status: 409 });
  expect((await company.call('GET', '/campaign_draft')).data.drafts).toHaveLength(1);
  const both = await Promise.all([create(2), create(2)]);
  expect(both.map(({ status }) => status).toSorted()).toEqual([201, 409]);
  expect(both.find(({ status }) => status === 409)!.data).toBe(draftApiMessages.draftGone);
  expect((await company.call('GET', '/campaign_draft')).data.drafts).toEqual([]);
  expect((await company.call('GET', '/campaign')).data.campaigns).toHaveLength(1);
});

test('a campaign that cannot be created leaves its draft', async () => {
  const company = await app.freshCompany();
  const { uuid, version } = await draft(company);
  const other = await app.freshCompany();
  const { appUuid } = await makeAdsetParts(app, other);
  const input = { name: 'Autumn', app_uuid: appUuid, draft: { uuid, version } };
  expect((await company.call('POST', '/campaign', input)).status).toBe(422);
  // Nor does another company use it up.
  expect((await other.call('POST', '/campaign', input)).data).toBe(draftApiMessages.draftGone);
  expect((await company.call('GET', `/campaign_draft/${uuid}`)).status).toBe(200);
});

test('drafts are bounded in size and number; one that is discarded makes room', async () => {
  const company = await app.freshCompany();
  const filler = (bytes: number) => ({ values: { name: '', text: 'x'.repeat(bytes - 21) } });
  const exact = filler(DRAFT_BYTES_MAX);
  expect(JSON.stringify(exact.values)).toHaveLength(DRAFT_BYTES_MAX);
  expect((await company.call('POST', '/campaign_draft', exact)).status).toBe(201);
  const tooLong = await company.call('POST', '/campaign_draft', filler(DRAFT_BYTES_MAX + 1));
  expect(tooLong).toMatchObject({
    status: 422,
    errors: [{ field: 'values', message: campaignMessages.draftTooLarge }],
  });
  for (let n = 1; n < DRAFTS_MAX - 1; n += 1) await draft(company);
  const last = await Promise.all([1, 2].map(() => company.call('POST', '/campaign_draft', { values })));
  expect(last.map(({ status }) => status).toSorted()).toEqual([201, 409]);
  expect(last.find(({ status }) => status === 409)!.data).toBe(draftApiMessages.draftsMax(DRAFTS_MAX));
  const { drafts } = (await company.call('GET', '/campaign_draft')).data;
  expect(drafts).toHaveLength(DRAFTS_MAX);
  await company.call('DELETE', `/campaign_draft/${drafts[0].uuid}`);
  await make(company, '/campaign_draft', { values });
});
