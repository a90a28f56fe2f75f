import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pino from 'pino';
import { expect, onTestFinished, test } from 'vitest';
import { type BrandSettings, DEFAULT_BRAND } from '@bidwell/contract/branding/schema';
import { readConfig } from '../../config/config.ts';
import type { BrandReader } from '../brand/brand-reader.ts';
import { serveConsole } from './console.ts';
import { createHttp } from './server.ts';

const brandOf = (settings: Partial<BrandSettings> = {}): BrandReader => ({
  current: async () => ({ settings: { ...DEFAULT_BRAND, ...settings }, logo: null }),
  changed: () => {},
});

test('every page of the console is the same document, except for paths that are served elsewhere', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'bidwell-console-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  await writeFile(join(folder, 'index.html'), '<title>Bidwell</title>');
  const config = readConfig({ NODE_ENV: 'test', CAPTCHA: 'off' });
  const http = await createHttp(config, pino({ level: 'silent' }));
  await serveConsole(http, config, folder, { brand: brandOf(), except: '/operator' });
  const statusOf = async (url: string, method: 'GET' | 'HEAD' | 'POST' = 'GET') =>
    (await http.inject({ url, method })).statusCode;
  for (const url of ['/', '/campaigns', '/campaigns/edit?uuid=1', '/Campaigns/', '/sso/callback/1?code=a'])
    expect([url, await statusOf(url), await statusOf(url, 'HEAD')]).toEqual([url, 200, 200]);
  expect(await statusOf('/campaigns', 'POST')).toBe(404);
  expect(await statusOf('/operator/login')).toBe(404);
  expect(await statusOf('/api/nothing')).toBe(404);
});

const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8';
test.each([
  [BROWSER, 'text/html; charset=utf-8'],
  ['TEXT/HTML', 'text/html; charset=utf-8'],
  ['text/html;level=1;q=0.9, application/json;q=0.5', 'text/html; charset=utf-8'],
  ['application/json, text/html;q=0.5', 'application/json; charset=utf-8'],
  ['application/json', 'application/json; charset=utf-8'],
  ['text/html;q=0', 'application/json; charset=utf-8'],
  ['*/*', 'application/json; charset=utf-8'],
  ['', 'application/json; charset=utf-8'],
])(
  'an address that is none of the console is not found, for Accept: %s as %s',
  async (accept, contentType) => {
    const folder = await mkdtemp(join(tmpdir(), 'bidwell-console-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    await writeFile(join(folder, 'index.html'), '<title>Bidwell</title>');
    const config = readConfig({ NODE_ENV: 'test', CAPTCHA: 'off' });
    const http = await createHttp(config, pino({ level: 'silent' }));
    await serveConsole(http, config, folder, { brand: brandOf() });
    const unknown = [
      '/postbacks/appsflyer/secret?clickid=1',
      '//campaigns',
      '/campaigns/nothing',
      '/.well-known/oauth-protected-resource/mcp',
      '/.well-known/apple-app-site-association',
      '/.well-known/resource-that-should-not-exist-whose-status-code-should-not-be-200',
      '/app-ads.txt',
      '/wp-login.php',
      '/%E0%A4%A',
    ];
    for (const url of unknown)
      for (const method of ['GET', 'HEAD'] as const) {
        const { statusCode, headers } = await http.inject({ url, method, headers: { accept } });
        // A path that cannot be decoded is refused before any page.
        if (url.endsWith('%A')) expect(statusCode).toBeGreaterThanOrEqual(400);
        else
          expect([url, statusCode, headers['content-type'], headers['cache-control']]).toEqual([
            url,
            404,
            contentType,
            contentType.startsWith('text') ? 'no-cache' : 'no-store',
          ]);
      }
  },
);

test('a console of operators alone has no other pages: they lead to it', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'bidwell-console-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  await writeFile(join(folder, 'index.html'), '<title>Bidwell</title>');
  const config = readConfig({ NODE_ENV: 'test', CAPTCHA: 'off' });
  const http = await createHttp(config, pino({ level: 'silent' }));
  await serveConsole(http, config, folder, { brand: brandOf(), onlyAt: '/operator' });
  for (const url of ['/operator', '/operator?from=mail', '/operator/companies'])
    expect([url, (await http.inject({ url })).statusCode]).toEqual([url, 200]);
  for (const url of ['/', '/login?next=/operator', '/campaigns']) {
    const { statusCode, headers } = await http.inject({ url });
    expect([url, statusCode, headers.location]).toEqual([url, 302, '/operator']);
  }
  for (const url of [
    '/api/internal/captcha',
    '/metrics',
    '/operators',
    '/operator/nothing',
    '/.well-known/nothing',
  ])
    expect([url, (await http.inject({ url })).statusCode]).toEqual([url, 404]);
  expect((await http.inject({ method: 'POST', url: '/login' })).statusCode).toBe(404);
});

test('a page allows the websockets of the domains of the brand', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'bidwell-console-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  await writeFile(join(folder, 'index.html'), '<title>Bidwell</title>');
  const config = readConfig({ NODE_ENV: 'test', CAPTCHA: 'off', PUBLIC_URL: 'https://bidwell.test:8443' });
  const http = await createHttp(config, pino({ level: 'silent' }));
  await serveConsole(http, config, folder, { brand: brandOf({ domains: ['ads.acme.example'] }) });
  const { headers } = await http.inject({ url: '/campaigns' });
  expect(headers['content-security-policy']).toContain(
    "connect-src 'self' wss://bidwell.test:8443 wss://ads.acme.example:8443;",
  );
});
