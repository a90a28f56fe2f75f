import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pino from 'pino';
import { expect, onTestFinished, test } from 'vitest';
import { readConfig } from '../../config/config.ts';
import { serveConsole } from './console.ts';
import { createHttp } from './server.ts';

test('every page of the console is the same document, except for paths that are served elsewhere', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'bidwell-console-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  await writeFile(join(folder, 'index.html'), '<title>Bidwell</title>');
  const config = readConfig({ NODE_ENV: 'test', CAPTCHA: 'off' });
  const http = await createHttp(config, pino({ level: 'silent' }));
  await serveConsole(http, config, folder, { withoutPaths: ['/operator'] });
  const statusOf = async (url: string) => (await http.inject({ url })).statusCode;
  expect(await statusOf('/campaigns')).toBe(200);
  expect(await statusOf('/operator/login')).toBe(404);
  expect(await statusOf('/api/nothing')).toBe(404);
});
