import { expect, test } from 'vitest';
import { testApp } from '@bidwell/testing/test-app';

const app = await testApp({ ADMIN_PORT: '0', ADMIN_HOST: '127.0.0.1' });

test("with a port of its own, the operator's API is served there only", async () => {
  for (const url of ['/metrics', '/api/operator/companies']) {
    expect([url, (await app.http.inject({ url })).statusCode]).toEqual([url, 404]);
    const { operatorToken } = app.ctx.config;
    const headers = { authorization: `Bearer ${operatorToken}` };
    expect([url, (await app.admin.inject({ url, headers })).statusCode]).toEqual([url, 200]);
  }
  expect((await app.admin.inject({ url: '/api/internal/app' })).statusCode).toBe(404);
  expect((await app.http.inject({ url: '/api/docs' })).body).not.toContain('/api/operator');
  expect((await app.admin.inject({ url: '/api/docs' })).body).toContain('/api/operator');
  expect((await app.admin.inject({ url: '/healthz' })).statusCode).toBe(200);
});

test('a page at the port of operators leads to their console', async () => {
  for (const url of ['/', '/login']) {
    const { statusCode, headers } = await app.admin.inject({ url });
    expect([url, statusCode, headers.location]).toEqual([url, 302, '/operator']);
    expect((await app.http.inject({ url })).statusCode).not.toBe(302);
  }
  expect((await app.admin.inject({ url: '/operator' })).statusCode).not.toBe(302);
});

test('the server listens on both ports', async () => {
  await app.listen();
  const [open, admin] = [app.http, app.admin].map(({ server }) => server.address());
  expect(open).toMatchObject({ port: expect.any(Number) });
  expect(admin).toMatchObject({ port: expect.any(Number), address: '127.0.0.1' });
  expect(admin).not.toEqual(open);
});

test('wrong operator tokens are limited per address, and the right one is not', async () => {
  const statusFor = (token: string, remoteAddress: string) =>
    app.admin
      .inject({
        url: '/api/operator/companies',
        headers: { authorization: `Bearer ${token}` },
        remoteAddress,
      })
      .then(({ statusCode }) => statusCode);
  for (let attempt = 0; attempt < 20; attempt += 1) expect(await statusFor('wrong', '10.0.0.1')).toBe(401);
  expect(await statusFor('wrong', '10.0.0.1')).toBe(429);
  expect(await statusFor('wrong', '10.0.0.2')).toBe(401);
  expect(await statusFor(app.ctx.config.operatorToken, '10.0.0.1')).toBe(200);
});

test('wrong operator tokens from one IPv6 network of 64 bits are limited together', async () => {
  const statusFor = async (remoteAddress: string) =>
    (
      await app.admin.inject({
        url: '/api/operator/companies',
        headers: { authorization: 'Bearer wrong' },
        remoteAddress,
      })
    ).statusCode;
  for (let n = 1; n <= 20; n += 1) expect(await statusFor(`2001:db8:1:1::${n}`)).toBe(401);
  expect(await statusFor('2001:db8:1:1:ffff::1')).toBe(429);
  expect(await statusFor('2001:db8:1:2::1')).toBe(401);
});
