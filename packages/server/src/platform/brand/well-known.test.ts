import { testApp } from '@bidwell/testing/test-app';
import { expect, test } from 'vitest';

const app = await testApp({ ADMIN_PORT: '0', SECURITY_CONTACT: 'mailto:security@bidwell.test' });
const at = async (url: string, http = app.http) => http.inject({ url });

test('files that every site has are answered, at the port of operators too', async () => {
  for (const http of [app.http, app.admin]) {
    const robots = await at('/robots.txt', http);
    expect([robots.statusCode, robots.headers['content-type']]).toEqual([200, 'text/plain; charset=utf-8']);
    expect(robots.body).toBe('User-agent: *\nDisallow: /api/\nDisallow: /t/\n');
    expect((await at('/favicon.ico', http)).headers.location).toBe('/logo.svg');
    const security = await at('/.well-known/security.txt', http);
    expect(security.body.split('\n')).toEqual([
      'Contact: mailto:security@bidwell.test',
      `Expires: ${new Date(app.clock.now.getTime() + 90 * 86_400_000).toISOString()}`,
      'Canonical: http://bidwell.test/.well-known/security.txt',
      '',
    ]);
  }
});

test('password managers are led to where a password is changed', async () => {
  const placeOf = async (http = app.http) => {
    const { statusCode, headers } = await at('/.well-known/change-password', http);
    return [statusCode, headers.location];
  };
  expect(await placeOf()).toEqual([302, '/profile?tab=sign-in']);
  expect(await placeOf(app.admin)).toEqual([302, '/operator/account']);
});
