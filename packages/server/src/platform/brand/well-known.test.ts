import { testApp } from '@bidwell/testing/test-app';
import { apiMessages } from '@bidwell/contract/text/api-messages';
import pino from 'pino';
import { expect, test } from 'vitest';
import { readConfig } from '../../config/config.ts';
import { serveConsole } from '../http/console.ts';
import { createHttp } from '../http/server.ts';
import { type BrandReader } from './brand-reader.ts';
import { registerWellKnown } from './well-known.ts';

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

test('without a contact for reports of weaknesses, the file is not found', async () => {
  const config = readConfig({ NODE_ENV: 'test', CAPTCHA: 'off' });
  const http = await createHttp(config, pino({ level: 'silent' }));
  const brand = {} as BrandReader;
  registerWellKnown(http, { brand, config, now: () => new Date(), passwordPage: '/profile' });
  await serveConsole(http, config, null, { brand });
  const { statusCode, body } = await at('/.well-known/security.txt', http);
  expect([statusCode, JSON.parse(body)]).toEqual([404, { data: apiMessages.noAddress }]);
});

test('password managers are led to where a password is changed', async () => {
  const placeOf = async (http = app.http) => {
    const { statusCode, headers } = await at('/.well-known/change-password', http);
    return [statusCode, headers.location];
  };
  expect(await placeOf()).toEqual([302, '/profile?tab=sign-in']);
  expect(await placeOf(app.admin)).toEqual([302, '/operator/account']);
});
