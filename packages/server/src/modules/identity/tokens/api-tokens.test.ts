import { expect, test } from 'vitest';
import { storeEvents } from '@bidwell/testing/stored-events';
import { testApp } from '@bidwell/testing/test-app';

const app = await testApp();
const range = { start_date: '2026-01-10', end_date: '2026-01-10' };
const highlights = '/v2/analytics/highlight?start_date=2026-01-10&end_date=2026-01-10';

const withToken = (
  token: string,
  method: 'GET' | 'POST' | 'PUT' | 'DELETE',
  path: string,
  payload?: object,
) =>
  app.http.inject({
    method,
    url: `/api/internal${path}`,
    headers: { authorization: `Bearer ${token}` },
    ...(payload && { payload }),
  });

test('a script reads its company’s reports with an API token', async () => {
  const [company, other] = [await app.freshCompany(), await app.freshCompany()];
  await storeEvents(app.ctx, company.companyId, [{ at: '2026-01-10T12:00:00Z', kind: 'click' }]);
  await storeEvents(app.ctx, other.companyId, [{ at: '2026-01-10T12:00:00Z', kind: 'click' }]);
  const made = await company.call('POST', '/api_tokens', { name: 'Nightly report' });
  expect(made.status).toBe(201);
  expect(made.data.token).toMatch(/^bidwell_[\w-]{43}$/);
  expect(made.data.ending).toBe(made.data.token.slice(-4));
  const { token } = made.data;
  expect((await withToken(token, 'GET', highlights)).json().data.clicks.total).toBe(1);
  const levels = { ...range, levels: { os: '' } };
  expect((await withToken(token, 'POST', '/analytics/level', levels)).json().data.total.clicks).toBe(1);
  expect((await withToken(token, 'POST', '/analytics/bundle', range)).json().data.total.clicks).toBe(1);
  expect((await withToken(token, 'POST', '/analytics/export', levels)).body).toContain(
    'android,Android,0,1,',
  );
  expect((await withToken(token, 'GET', '/analytics/events?date=2026-01-10')).body.split('\n')).toHaveLength(
    3,
  );
});

test('the list shows the names and the last use of tokens, never their secrets', async () => {
  const company = await app.freshCompany();
  const { data: made } = await company.call('POST', '/api_tokens', { name: ' Script ' });
  const list = async () => (await company.call('GET', '/api_tokens')).data.api_tokens;
  expect(await list()).toMatchObject([{ uuid: made.uuid, name: 'Script', last_used_at: null }]);
  await withToken(made.token, 'GET', highlights);
  expect((await list())[0].last_used_at).toBe(app.clock.now.toISOString());
  expect(JSON.stringify(await list())).not.toContain(made.token);
  const { rows } = await app.ctx.db
    .selectFrom('api_tokens')
    .selectAll()
    .where('uuid', '=', made.uuid)
    .execute()
    .then((all) => ({ rows: JSON.stringify(all) }));
  expect(rows).not.toContain(made.token.slice('bidwell_'.length));
  const { data: log } = await company.call('GET', `/company/${company.companyId}/changes`);
  expect(log.changes[0]).toMatchObject({ entity_type: 'api_token', entity_name: 'Script', action: 'create' });
  expect(JSON.stringify(log)).not.toContain(made.token);
});

test('a token can only read reports', async () => {
  const company = await app.freshCompany();
  const { data } = await company.call('POST', '/api_tokens', { name: 'Script' });
  const rejected = [
    await withToken(data.token, 'GET', '/campaign'),
    await withToken(data.token, 'POST', '/campaign', { name: 'Mine' }),
    await withToken(data.token, 'GET', '/finance/balance'),
    await withToken(data.token, 'GET', '/api_tokens'),
    await withToken(data.token, 'POST', '/api_tokens', { name: 'Another' }),
    await withToken(data.token, 'DELETE', `/api_tokens/${data.uuid}`),
  ];
  expect(rejected.map(({ statusCode }) => statusCode)).toEqual(rejected.map(() => 401));
  expect(rejected[0]!.json().data).toBe('An API token reads reports and nothing else.');
});

test('a revoked token is rejected at once; other companies cannot revoke it', async () => {
  const [company, other] = [await app.freshCompany(), await app.freshCompany()];
  const { data } = await company.call('POST', '/api_tokens', { name: 'Script' });
  expect((await other.call('DELETE', `/api_tokens/${data.uuid}`)).status).toBe(404);
  expect((await withToken(data.token, 'GET', highlights)).statusCode).toBe(200);
  expect((await company.call('DELETE', `/api_tokens/${data.uuid}`)).data).toEqual({ revoked: true });
  expect((await withToken(data.token, 'GET', highlights)).statusCode).toBe(401);
  expect((await company.call('DELETE', `/api_tokens/${data.uuid}`)).status).toBe(404);
  expect((await company.call('GET', '/api_tokens')).data.api_tokens).toEqual([]);
  expect((await withToken('bidwell_unknown', 'GET', highlights)).statusCode).toBe(401);
});

test('a token has its own rate limits for reports and exports, a user has none', async () => {
  const company = await app.freshCompany();
  const [{ data: one }, { data: two }] = [
    await company.call('POST', '/api_tokens', { name: 'One' }),
    await company.call('POST', '/api_tokens', { name: 'Two' }),
  ];
  // Invalid calls count, too.
  for (let n = 0; n < 60; n += 1)
    expect((await withToken(one.token, 'GET', '/v2/analytics/highlight')).statusCode).toBe(422);
  const limited = await withToken(one.token, 'GET', highlights);
  expect(limited.statusCode).toBe(429);
  expect(Number(limited.headers['retry-after'])).toBeGreaterThan(0);
  expect(limited.json().data).toBe('An API token may ask for 60 reports a minute. Please wait a moment.');
  expect((await withToken(one.token, 'POST', '/analytics/bundle', range)).statusCode).toBe(429);
  expect((await withToken(one.token, 'GET', '/analytics/events?date=2026-01-10')).statusCode).toBe(200);
  expect((await withToken(two.token, 'GET', highlights)).statusCode).toBe(200);
  expect((await company.call('GET', highlights)).status).toBe(200);
});

test('the name of a token is required and short, and a company has at most fifty tokens', async () => {
  const company = await app.freshCompany();
  expect(await company.call('POST', '/api_tokens', { name: ' ' })).toMatchObject({
    status: 422,
    errors: [{ field: 'name', message: 'Required' }],
  });
  expect((await company.call('POST', '/api_tokens', { name: 'x'.repeat(51) })).status).toBe(422);
  for (let n = 0; n < 50; n += 1) await company.call('POST', '/api_tokens', { name: `Script ${n}` });
  expect((await company.call('POST', '/api_tokens', { name: 'One more' })).status).toBe(409);
});
