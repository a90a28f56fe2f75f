import { expect, test } from 'vitest';
import { appBody, make } from '../../testing/advertising.ts';
import { testApp } from '../../testing/test-app.ts';

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
