import { v7 as uuidv7 } from 'uuid';
import { expect, test } from 'vitest';
import { refresh } from '../../identity/service.ts';
import { login } from '../../identity/sign-in/login.ts';
import { changesOf } from '@bidwell/testing/advertising';
import { makeCampaign, storeEvents } from '@bidwell/testing/stored-events';
import { type TestCompany, testApp } from '@bidwell/testing/test-app';

const app = await testApp();
const { ctx } = app;
const ADDRESS = '192.0.2.1';

const rename = (companyId: string, name: string, timeZone = 'UTC') =>
  ctx.db.updateTable('companies').set({ name, time_zone: timeZone }).where('uuid', '=', companyId).execute();
const list = async (query: string) => (await app.operator('GET', `/companies?${query}`)).data;
const namesOf = async (query: string): Promise<string[]> =>
  (await list(query)).companies.map(({ name }: { name: string }) => name);
const auditEntriesOn = async ({ companyId }: TestCompany) =>
  (await app.operator('GET', `/acts?company_uuid=${companyId}`)).data.acts;

test('companies are found by text and status, sorted, and paged', async () => {
  const made = await Promise.all([app.freshCompany(), app.freshCompany(), app.freshCompany()]);
  for (const [index, { companyId }] of made.entries()) {
    await rename(companyId, `Orchard ${index} 100%`);
    await app.operator('POST', `/companies/${companyId}/credit`, { amount: 10 * (index + 1), reason: 'x' });
  }
  await app.operator('PUT', `/companies/${made[1]!.companyId}/suspension`, { suspended: true });
  expect(await namesOf('q=orchard&sort=name')).toEqual([
    'Orchard 0 100%',
    'Orchard 1 100%',
    'Orchard 2 100%',
  ]);
  expect(await namesOf('q=orchard&sort=-balance')).toEqual([
    'Orchard 2 100%',
    'Orchard 1 100%',
    'Orchard 0 100%',
  ]);
  expect(await namesOf('q=orchard&status=suspended')).toEqual(['Orchard 1 100%']);
  expect(await namesOf('q=orchard&status=active&sort=-name')).toEqual(['Orchard 2 100%', 'Orchard 0 100%']);
  expect(await namesOf('q=0%25&sort=name&page=2&limit=2')).toEqual(['Orchard 2 100%']);
  expect(await namesOf('q=_rchard')).toEqual([]);
  expect(await list('q=orchard&limit=1')).toMatchObject({ total: 3, companies: [{}] });
  const [first] = (await list(`q=${made[0]!.companyId}`)).companies;
  expect(await namesOf(`q=${first.logins[0]}`)).toContain('Orchard 0 100%');
  expect((await app.operator('GET', '/companies?sort=secret')).status).toBe(422);
});

test('spend of today, 7 and 30 days has the days of the company', async () => {
  app.clock.now = new Date('2026-03-20T21:00:00Z');
  const [utc, kolkata] = [await app.freshCompany(), await app.freshCompany()];
  await rename(utc.companyId, 'Spender UTC');
  // Its days begin at 18:30 UTC: it is the 21st there.
  await rename(kolkata.companyId, 'Spender Kolkata', 'Asia/Kolkata');
  for (const company of [utc, kolkata]) {
    const campaignId = await makeCampaign(ctx, company, 'One');
    const spent = [
      ['2026-03-20T20:00:00Z', 1],
      ['2026-03-20T18:20:00Z', 2],
      ['2026-03-14T01:00:00Z', 4],
      ['2026-02-19T20:00:00Z', 8],
      ['2026-02-18T20:00:00Z', 16],
    ] as const;
    await storeEvents(
      ctx,
      company.companyId,
      spent.map(([at, dollars]) => ({ at, kind: 'billing', campaignId, spendMicros: dollars * 1e6 })),
    );
  }
  const figures = { 'Spender UTC': [3, 7, 15], 'Spender Kolkata': [1, 3, 15] };
  for (const sort of ['spend_30_days', '-spend_today']) {
    const { companies } = await list(`q=spender&sort=${sort}`);
    expect(
      Object.fromEntries(
        companies.map((one: Record<string, unknown>) => [
          one['name'],
          [one['spend_today'], one['spend_7_days'], one['spend_30_days']],
        ]),
      ),
    ).toEqual(figures);
  }
  expect(await namesOf('q=spender&sort=-spend_today')).toEqual(['Spender UTC', 'Spender Kolkata']);
  expect(await namesOf('q=spender&sort=spend_today')).toEqual(['Spender Kolkata', 'Spender UTC']);
});

test('operators see the people of a company with their roles there', async () => {
  const company = await app.freshCompany();
  const person = await app.freshPerson(company, 'finance');
  const { people } = (await app.operator('GET', `/companies/${company.companyId}`)).data;
  expect(people).toMatchObject([
    { uuid: company.userId, role: 'owner' },
    { uuid: person.userId, role: 'finance' },
  ]);
});

test('a suspension has a reason, which the company and the log get', async () => {
  const company = await app.freshCompany();
  const path = `/companies/${company.companyId}/suspension`;
  const reason = 'Unpaid invoice 7';
  expect((await app.operator('PUT', path, { suspended: true, reason })).data).toMatchObject({
    suspended: true,
    suspension_reason: reason,
  });
  await app.operator('PUT', path, { suspended: true });
  expect((await app.operator('PUT', path, { suspended: false, reason: 'Paid' })).data).toMatchObject({
    suspended: false,
    suspended_at: null,
    suspension_reason: '',
  });
  expect(await auditEntriesOn(company)).toMatchObject([
    { action: 'Resumed', reason: 'Paid', before: { suspended: true }, after: { suspended: false } },
    { action: 'Suspended', reason, before: { suspended: false }, after: { suspended: true } },
  ]);
  const [, notification] = (await company.call('GET', '/notifications')).data;
  expect(notification.text).toBe(
    'Your campaigns do not bid until an operator lifts this. Reason: Unpaid invoice 7',
  );
  const [change] = await changesOf(app, company, company.companyId);
  expect(change?.fields).toContainEqual({ field: 'suspension_reason', before: null, after: reason });
});

test('notes and credit limit are changed with before and after; the company sees no notes', async () => {
  const company = await app.freshCompany();
  const path = `/companies/${company.companyId}`;
  const { headers } = await app.freshOperator('finance');
  const patch = (body: object) =>
    app.http.inject({ method: 'PATCH', url: `/api/operator${path}`, headers, payload: body });
  expect((await patch({ notes: 'Pays late' })).json().data).toMatchObject({
    notes: 'Pays late',
    credit_limit: 0,
  });
  expect((await patch({ credit_limit: 250.5 })).json().data).toMatchObject({
    notes: 'Pays late',
    credit_limit: 250.5,
  });
  expect((await patch({ credit_limit: 250.5 })).statusCode).toBe(200);
  expect((await patch({ credit_limit: -1 })).json().errors).toMatchObject([{ field: 'credit_limit' }]);
  expect(await auditEntriesOn(company)).toMatchObject([
    { action: 'Changed', before: { credit_limit: 0 }, after: { credit_limit: 250.5 } },
    { action: 'Changed', before: { notes: '' }, after: { notes: 'Pays late' } },
  ]);
  expect(JSON.stringify(await changesOf(app, company, company.companyId))).not.toContain('Pays late');
});

test('a one-time password ends all sessions, works once, and is replaced in the profile', async () => {
  const company = await app.freshCompany();
  const { login: name } = (await company.call('GET', `/users/${company.userId}`)).data;
  const { session } = await login(ctx, { login: name, password: 'correct horse' }, ADDRESS);
  const path = `/companies/${company.companyId}/people/${company.userId}/one-time-password`;
  const { status, data } = await app.operator('POST', path);
  expect([status, data.login]).toEqual([201, name]);

  expect((await company.call('GET', '/finance/balance')).status).toBe(401);
  await expect(refresh(ctx, session!.refreshToken)).rejects.toThrow();
  await expect(login(ctx, { login: name, password: 'correct horse' }, ADDRESS)).rejects.toThrow('wrong');
  const { session: opened } = await login(ctx, { login: name, password: data.password }, ADDRESS);
  const { tokens } = opened!;
  await expect(login(ctx, { login: name, password: data.password }, ADDRESS)).rejects.toThrow(
    'This one-time password was used already or has expired.',
  );

  const form = new FormData();
  const profile = { email: 'own@example.com', first_name: 'Own', last_name: 'Er', contact: '+1 555 0100' };
  const chosen = { password: 'my own passphrase', password_confirmation: 'my own passphrase' };
  for (const [field, value] of Object.entries({ ...profile, ...chosen })) form.append(field, value);
  const request = new Request('http://bidwell.test', { method: 'PUT', body: form });
  const saved = await app.http.inject({
    method: 'PUT',
    url: `/api/internal/users/${company.userId}`,
    headers: {
      authorization: `Bearer ${tokens.access_token}`,
      'content-type': request.headers.get('content-type')!,
    },
    payload: Buffer.from(await request.arrayBuffer()),
  });
  expect([saved.statusCode, saved.body]).toEqual([200, expect.any(String)]);
  for (let times = 0; times < 2; times += 1)
    await login(ctx, { login: name, password: 'my own passphrase' }, ADDRESS);

  const acts = await auditEntriesOn(company);
  expect(acts).toMatchObject([{ action: 'Reset the password of', entity: 'user', name }]);
  expect(JSON.stringify(acts)).not.toContain(data.password);
});

test('a one-time password expires, and belongs to a person of the company', async () => {
  const [company, other] = [await app.freshCompany(), await app.freshCompany()];
  const path = `/companies/${company.companyId}/people`;
  expect((await app.operator('POST', `${path}/${other.userId}/one-time-password`)).status).toBe(404);
  expect((await app.operator('POST', `${path}/${uuidv7()}/one-time-password`)).status).toBe(404);
  const { data } = await app.operator('POST', `${path}/${company.userId}/one-time-password`);
  const { now } = app.clock;
  app.clock.now = new Date(Date.parse(data.expires_at) + 1);
  await expect(login(ctx, { login: data.login, password: data.password }, ADDRESS)).rejects.toThrow(
    'expired',
  );
  app.clock.now = now;
});
