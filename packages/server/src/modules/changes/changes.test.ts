import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { appBody, make, makeAdsetParts } from '@bidwell/testing/advertising';
import { testApp } from '@bidwell/testing/test-app';

const app = await testApp();

test('the log has the user, the old and the new value of each change, newest first', async () => {
  const company = await app.freshCompany();
  const uuid = await make(company, '/app', appBody({ name: 'Puzzle' }));
  await company.call('PUT', `/app/${uuid}`, { description: 'Slow' });
  const path = `/company/${company.companyId}/changes`;
  const { status, data } = await company.call('GET', path);
  expect(status).toBe(200);
  expect(data.total).toBe(3);
  expect(data.changes).toMatchObject([
    {
      entity_type: 'app',
      entity_uuid: uuid,
      entity_name: 'Puzzle',
      action: 'update',
      author: 'Test Er',
      fields: [{ field: 'description', before: '', after: 'Slow' }],
    },
    { entity_type: 'app', action: 'create' },
    { entity_type: 'user', action: 'create' },
  ]);
  const created = data.changes[1].fields;
  expect(created).toContainEqual({ field: 'name', before: null, after: 'Puzzle' });
  expect(
    (await company.call('GET', path.replace(company.companyId, company.companyId.toUpperCase()))).status,
  ).toBe(200);
});

test('the log is paginated', async () => {
  const company = await app.freshCompany();
  for (const name of ['One', 'Two', 'Three']) await make(company, '/app', appBody({ name }));
  const page = async (query: string) => company.call('GET', `/company/${company.companyId}/changes?${query}`);
  const names = async (query: string) =>
    (await page(query)).data.changes.map((change: { entity_name: string }) => change.entity_name);
  expect(await names('page=1&limit=2')).toEqual(['Three', 'Two']);
  expect((await names('page=2&limit=2'))[0]).toBe('One');
  expect(await names('page=3&limit=2')).toEqual([]);
  expect((await page('page=3&limit=2')).data.total).toBe(4);
  for (const query of ['page=0', 'limit=0', 'limit=201', 'page=x'])
    expect((await page(query)).status).toBe(422);
});

test("another company's log is not found", async () => {
  const company = await app.freshCompany();
  const other = await app.freshCompany();
  expect(await other.call('GET', `/company/${company.companyId}/changes`)).toMatchObject({
    status: 404,
    data: 'Company not found',
  });
});

test('a rejected change is not logged', async () => {
  const company = await app.freshCompany();
  await company.call('POST', '/app', appBody({ name: '' }));
  const { data } = await company.call('GET', `/company/${company.companyId}/changes`);
  expect(data.total).toBe(1);
});

const bundles = (count: number, from = 0) =>
  Array.from({ length: count }, (_, index) => `com.example.publisher${from + index}`);

test('for a long list the log has the added and the removed entries, at most 100 of each, and how many', async () => {
  const company = await app.freshCompany();
  const { body } = await makeAdsetParts(app, company);
  const uuid = await make(company, '/adset', { ...body, black_list_bundles: bundles(5000) });
  const last = async () =>
    (await company.call('GET', `/company/${company.companyId}/changes?page=1&limit=1`)).data.changes[0]
      .fields;
  const fieldOf = async (name: string) =>
    (await last()).find(({ field }: { field: string }) => field === name);
  expect(await fieldOf('black_list_bundles')).toEqual({
    field: 'black_list_bundles',
    before: null,
    after: bundles(100),
    entries: { added: 5000, removed: 0, unchanged: 0 },
  });
  await company.call('PUT', `/adset/${uuid}`, { black_list_bundles: bundles(5000, 1) });
  expect(await last()).toEqual([
    {
      field: 'black_list_bundles',
      before: bundles(1),
      after: bundles(1, 5000),
      entries: { added: 1, removed: 1, unchanged: 4999 },
    },
  ]);
  const bids = Object.fromEntries(bundles(3000).map((bundle) => [bundle, 2]));
  await company.call('PUT', `/adset/${uuid}`, { bundle_bids: bids });
  const [bundle = ''] = bundles(1);
  await company.call('PUT', `/adset/${uuid}`, { bundle_bids: { ...bids, [bundle]: 3 } });
  expect(await last()).toEqual([
    {
      field: 'bundle_bids',
      before: { [bundle]: 2 },
      after: { [bundle]: 3 },
      entries: { added: 1, removed: 1, unchanged: 2999 },
    },
  ]);
});

test('a change that an earlier release logged whole is read without unchanged fields', async () => {
  const company = await app.freshCompany();
  const uuid = await make(company, '/app', appBody());
  const fields = [{ field: 'black_list_bundles', before: bundles(2000), after: bundles(2001) }];
  await app.ctx.db
    .updateTable('changes')
    .set({ fields: JSON.stringify(fields) as never })
    .where('company_uuid', '=', company.companyId)
    .where('entity_uuid', '=', uuid)
    .execute();
  const { data } = await company.call('GET', `/company/${company.companyId}/changes?page=1&limit=1`);
  expect(data.changes[0].fields).toEqual([
    {
      field: 'black_list_bundles',
      before: [],
      after: bundles(1, 2000),
      entries: { added: 1, removed: 0, unchanged: 2000 },
    },
  ]);
});

test('a page whose changes are too long has all of them, the later ones without fields', async () => {
  const company = await app.freshCompany();
  for (const name of ['One', 'Two', 'Three']) await make(company, '/app', appBody({ name }));
  // Texts that do not compress.
  const noise = (seed: number) =>
    Array.from({ length: 60 }, (_, index) => `${seed + index}${randomBytes(20_000).toString('base64')}`);
  const rows = await app.ctx.db
    .selectFrom('changes')
    .select('uuid')
    .where('company_uuid', '=', company.companyId)
    .where('entity_type', '=', 'app')
    .execute();
  for (const [index, { uuid }] of rows.entries()) {
    const fields = [{ field: 'texts', before: null, after: noise(index * 100) }];
    await app.ctx.db
      .updateTable('changes')
      .set({ fields: JSON.stringify(fields) as never })
      .where('uuid', '=', uuid)
      .execute();
  }
  const read = async (query: string) =>
    (await company.call('GET', `/company/${company.companyId}/changes?${query}`)).data;
  const { changes, total } = await read('page=1&limit=10');
  expect(total).toBe(4);
  expect(changes.map(({ fields_left_out: isOut = false }) => isOut)).toEqual([false, true, true, true]);
  expect(changes[0].fields[0].after).toHaveLength(60);
  const { changes: second } = await read('page=2&limit=1');
  expect(second[0]).toMatchObject({ entity_name: 'Two', fields: [{ field: 'texts' }] });
});
