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
  await serveConsole(http, config, folder, { brand: brandOf(), withoutPaths: ['/operator'] });
  const statusOf = async (url: string) => (await http.inject({ url })).statusCode;
  expect(await statusOf('/campaigns')).toBe(200);
  expect(await statusOf('/operator/login')).toBe(404);
  expect(await statusOf('/api/nothing')).toBe(404);
});

test('a console of operators alone has no other pages: they lead to it', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'bidwell-console-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  await writeFile(join(folder, 'index.html'), '<title>Bidwell</title>');
  const config = readConfig({ NODE_ENV: 'test', CAPTCHA: 'off' });
  const http = await createHttp(config, pino({ level: 'silent' }));
  await serveConsole(http, config, folder, { brand: brandOf(), onlyAt: '/operator' });
  for (const url of ['/operator', '/operator?from=mail', '/operator/companies'])
    expect([url, (await http.inject({ url })).statusCode]).toEqual([url, 200]);
  for (const url of ['/', '/login?next=/operator', '/campaigns', '/operators']) {
    const { statusCode, headers } = await http.inject({ url });
    expect([url, statusCode, headers.location]).toEqual([url, 302, '/operator']);
  }
  for (const url of ['/api/internal/captcha', '/metrics'])
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
