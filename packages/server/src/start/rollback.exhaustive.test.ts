import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, onTestFinished, test } from 'vitest';
import { register, startSession } from '../modules/identity/service.ts';
import { appBody } from '@bidwell/testing/advertising';
import { configOf, temporaryFolder, withServer } from '@bidwell/testing/backups';
import { installNewPostgres } from '@bidwell/testing/empty-engines';
import { checkOut, previousRelease } from '@bidwell/testing/previous-release';

const folder = await temporaryFolder();
const previous = await previousRelease();
const SECRET = 'a_secret_of_at_least_thirty_two_characters';
const secrets = { ACCESS_TOKEN_SECRET: SECRET, SIGNING_SECRET: SECRET, OPERATOR_TOKEN: SECRET };
const bundles = ['com.example.before', 'com.example.meanwhile', 'com.example.after'];
const bodyOf = (bundle: string) =>
  appBody({ bundle_id: bundle, store_link: `https://play.google.com/store/apps/details?id=${bundle}` });

const person = {
  login: 'a.returning.person',
  password: 'correct horse battery',
  email: 'tester@example.com',
  first_name: 'Test',
  last_name: 'Er',
  contact: 'none',
};
const bundlesIn = (response: unknown) =>
  bundles.filter((bundle) => JSON.stringify(response).includes(`"${bundle}"`));
const tokenIn = (session: unknown) => /"access_token":"([^"]+)"/.exec(JSON.stringify(session))![1]!;

const program = previous === null ? '' : await checkOut(previous, join(folder, 'previous'));

/** Starts the server of the previous release on a data folder; resolves to calls of its API, and to what ends it. */
async function startPrevious(dataDir: string) {
  const child = spawn(process.execPath, ['--import', 'tsx', program], {
    cwd: join(program, '../../../..'),
    env: {
      PATH: process.env['PATH'],
      NODE_ENV: 'development',
      DATA_DIR: dataDir,
      PORT: '0',
      CAPTCHA: 'off',
      STORE_PAGES: 'off',
      LOG_LEVEL: 'error',
      ...secrets,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const ended = once(child, 'exit');
  for await (const line of createInterface({ input: child.stdout })) {
    const [, url] = /^Bidwell is at (\S+)/.exec(line) ?? [];
    if (!url) continue;
    const stop = async () => {
      child.kill('SIGTERM');
      return (await ended)[0] as number | null;
    };
    const call = async (path: string, method: string, body: object | null, token = '') => {
      const response = await fetch(`${url}${path}`, {
        method,
        headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
        body: body && JSON.stringify(body),
      });
      return { status: response.status, data: ((await response.json()) as { data: unknown }).data };
    };
    return { call, stop };
  }
  throw new Error('the previous release did not start');
}

test.skipIf(previous === null)(
  'the previous release runs on the tables of this one, and this one again after it',
  async () => {
    const dataDir = join(folder, 'data');
    const config = configOf(dataDir, secrets);
    await installNewPostgres(dataDir);
    await withServer(config, async ({ ctx, http }) => {
      const { tokens } = await startSession(ctx, await register(ctx, person, '127.0.0.1'));
      const response = await http.inject({
        method: 'POST',
        url: '/api/internal/app',
        payload: bodyOf(bundles[0]!),
        headers: { authorization: `Bearer ${tokens.access_token}` },
      });
      expect(response.statusCode).toBe(201);
    });

    const { call, stop } = await startPrevious(dataDir);
    expect((await call('/readyz', 'GET', null)).status).toBe(200);
    const { login, password } = person;
    const session = await call('/api/internal/login', 'POST', { login, password });
    const token = tokenIn(session.data);
    expect(bundlesIn(await call('/api/internal/app', 'GET', null, token))).toEqual(bundles.slice(0, 1));
    expect((await call('/api/internal/app', 'POST', bodyOf(bundles[1]!), token)).status).toBe(201);
    expect(await stop()).toBe(0);

    await withServer(config, async ({ http }) => {
      const headers = { authorization: `Bearer ${token}` };
      const added = await http.inject({
        method: 'POST',
        url: '/api/internal/app',
        payload: bodyOf(bundles[2]!),
        headers,
      });
      expect(added.statusCode).toBe(201);
      const list = await http.inject({ url: '/api/internal/app', headers });
      expect(bundlesIn(list.json())).toEqual(bundles);
    });
  },
);

test.skipIf(previous === null)(
  'a database of the previous release is upgraded with what it has',
  async () => {
    const dataDir = join(folder, 'upgraded');
    await installNewPostgres(dataDir);
    const { call, stop } = await startPrevious(dataDir);
    expect((await call('/api/internal/registration', 'POST', person)).status).toBe(201);
    const { login, password } = person;
    const token = tokenIn(await call('/api/internal/login', 'POST', { login, password }));
    expect((await call('/api/internal/api_tokens', 'POST', { name: 'Script' }, token)).status).toBe(201);
    expect((await call('/api/internal/app', 'POST', bodyOf(bundles[0]!), token)).status).toBe(201);
    expect(await stop()).toBe(0);

    await withServer(configOf(dataDir, secrets), async ({ http }) => {
      const headers = { authorization: `Bearer ${token}` };
      const list = await http.inject({ url: '/api/internal/app', headers });
      expect(bundlesIn(list.json())).toEqual(bundles.slice(0, 1));
      const payload = bodyOf(bundles[1]!);
      const added = await http.inject({ method: 'POST', url: '/api/internal/app', payload, headers });
      expect(added.statusCode).toBe(201);
      const people = await http.inject({ url: '/api/internal/people', headers });
      const keys = await http.inject({ url: '/api/internal/api_tokens', headers });
      expect(keys.json()).toMatchObject({ data: { api_tokens: [{ name: 'Script', scopes: ['reports'] }] } });
      expect(people.json()).toMatchObject({ data: { people: [{ email: person.email, role: 'owner' }] } });
    });
  },
);
