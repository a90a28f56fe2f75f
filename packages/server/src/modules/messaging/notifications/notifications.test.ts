import { v7 as uuidv7 } from 'uuid';
import { expect, test, vi } from 'vitest';
import { apiKeyOf, viewerTokenOf } from '@bidwell/testing/caller-tokens';
import { transact } from '../../../platform/postgres/transaction.ts';
import { type TestCompany, testApp } from '@bidwell/testing/test-app';
import { notify } from './service.ts';

const app = await testApp();

async function notifyCompany({ companyId }: TestCompany, text: string) {
  await transact(app.ctx.db, async (tx) =>
    notify(app.ctx, tx, companyId, { kind: 'company', severity: 'info', title: 'Note', text }),
  );
}

test('a new company has no notifications; new ones are listed, newest first', async () => {
  const company = await app.freshCompany();
  expect(await company.call('GET', '/notifications')).toMatchObject({ status: 200, data: [] });
  await notifyCompany(company, 'one');
  await notifyCompany(company, 'two');
  const { data } = await company.call('GET', '/notifications');
  expect(data).toMatchObject([{ text: 'two', read: false, entity_uuid: null }, { text: 'one' }]);
});

test('a notification has the severity that it was sent with; one of an earlier release gets the severity of its kind and title', async () => {
  const company = await app.freshCompany();
  const send = async (title: string, severity: 'info' | 'warning') =>
    transact(app.ctx.db, async (tx) =>
      notify(app.ctx, tx, company.companyId, { kind: 'company', severity, title, text: '' }),
    );
  const severities = async () =>
    Object.fromEntries(
      (await company.call('GET', '/notifications')).data.map(
        ({ title, severity }: { title: string; severity: string }) => [title, severity],
      ),
    );
  await send('Settings cannot be read', 'warning');
  await send('Password rules', 'info');
  await send('Company suspended', 'warning');
  expect(await severities()).toEqual({
    'Settings cannot be read': 'warning',
    'Password rules': 'info',
    'Company suspended': 'warning',
  });
  await transact(app.ctx.db, async (tx) => {
    const own = tx.db.updateTable('notifications').where('company_uuid', '=', company.companyId);
    await own.set({ severity: null }).execute();
    tx.changes(company.companyId);
  });
  expect(await severities()).toEqual({
    'Settings cannot be read': 'info',
    'Password rules': 'warning',
    'Company suspended': 'critical',
  });
});

test('the given notifications are marked as read, with ids in any case', async () => {
  const company = await app.freshCompany();
  for (const text of ['one', 'two', 'three']) await notifyCompany(company, text);
  const [three, two, one] = (await company.call('GET', '/notifications')).data;
  const response = await company.call('PATCH', '/notifications', {
    ids: [one.uuid.toUpperCase(), three.uuid],
  });
  expect(response.status).toBe(200);
  expect(response.data.map((item: { read: boolean }) => item.read)).toEqual([true, false, true]);
  expect((await company.call('GET', '/notifications')).data).toEqual(response.data);
  expect(two.read).toBe(false);
});

test("another company's notifications are neither listed nor marked", async () => {
  const company = await app.freshCompany();
  const other = await app.freshCompany();
  await notifyCompany(company, 'secret');
  const [mine] = (await company.call('GET', '/notifications')).data;
  expect(await other.call('PATCH', '/notifications', { ids: [mine.uuid, uuidv7()] })).toMatchObject({
    status: 200,
    data: [],
  });
  expect((await company.call('GET', '/notifications')).data).toEqual([mine]);
});

test('no program, viewer or page of a colleague can read a person’s own notification, which ends with the membership', async () => {
  const company = await app.freshCompany();
  const person = await app.freshPerson(company, 'editor');
  const { companyId, userId } = { ...company, userId: person.userId };
  const own = { kind: 'sign_in', severity: 'info', title: 'Secret', text: 'of one', userId } as const;
  const published = vi.spyOn(app.ctx.realtime, 'toCompany');
  await transact(app.ctx.db, async (tx) => notify(app.ctx, tx, companyId, own));
  expect(published.mock.calls).toEqual([[companyId, { type: 'own_notifications' }]]);
  published.mockRestore();
  await notifyCompany(company, 'for all');
  const [all, mine] = (await person.call('GET', '/notifications')).data;
  expect([all, mine]).toMatchObject([
    { title: 'Note', is_own: false },
    { title: 'Secret', is_own: true },
  ]);
  const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
  const viewer = bearer(await viewerTokenOf(app, companyId));
  expect((await company.call('GET', '/notifications', undefined, viewer)).data).toEqual([all]);
  const byKey = bearer(await apiKeyOf(person, ['settings']));
  for (const headers of [undefined, byKey])
    expect((await company.call('PATCH', '/notifications', { ids: [mine.uuid] }, headers)).data).toEqual([
      all,
    ]);
  expect((await person.call('GET', '/notifications')).data).toEqual([all, mine]);
  const read = await person.call('PATCH', '/notifications', { ids: [mine.uuid] });
  expect(read.data).toMatchObject([{ read: false }, { read: true }]);
  await company.call('DELETE', `/people/${userId}`);
  const left = app.ctx.db.selectFrom('notifications').select('title').where('company_uuid', '=', companyId);
  expect(await left.execute()).toEqual([{ title: 'Note' }]);
});

test('invalid ids are rejected', async () => {
  const company = await app.freshCompany();
  for (const body of [{}, { ids: [] }, { ids: ['x'] }, { ids: 'all' }, { ids: Array(1001).fill(uuidv7()) }])
    expect((await company.call('PATCH', '/notifications', body)).status).toBe(422);
});

test('a notification of a rolled back transaction is not sent', async () => {
  const company = await app.freshCompany();
  const undone = transact(app.ctx.db, async (tx) => {
    await notify(app.ctx, tx, company.companyId, {
      kind: 'company',
      severity: 'info',
      title: 'Note',
      text: 'never',
    });
    throw new Error('undone');
  });
  await expect(undone).rejects.toThrow('undone');
  expect((await company.call('GET', '/notifications')).data).toEqual([]);
});
