import { pino } from 'pino';
import { afterAll, expect, test } from 'vitest';
import { readConfig } from '../../../config/config.ts';
import { requireSessions } from './calls-at-once.ts';
import { createHttp } from '../server.ts';

const http = await createHttp(readConfig({ NODE_ENV: 'test', CAPTCHA: 'off' }), pino({ level: 'silent' }));
const ends: (() => void)[] = [];
let sessionsRead = 0;
const readSession = async (companyId: string) => {
  sessionsRead += 1;
  return companyId === 'nobody'
    ? null
    : {
        companyId,
        userId: 'user',
        sessionId: 'session',
        role: 'person' as const,
        companyRole: 'owner' as const,
      };
};
http.decorateRequest('session', null);
await http.register(async (scope: typeof http) => {
  requireSessions(scope, readSession, { read: readSession, limit: async () => {} });
  const options = { config: { companyPermission: 'reference.read' } } as const;
  scope.get('/slow', options, async () => new Promise<string>((resolve) => ends.push(() => resolve('done'))));
  scope.get('/quick', options, async () => 'done');
});
afterAll(() => http.close());

const get = async (url: string, owner: string) =>
  http.inject({ url, headers: { authorization: `Bearer ${owner}` } });

test('the calls of one company beyond 64 wait, calls of other companies do not, and none is lost', async () => {
  const calls = Array.from({ length: 100 }, () => get('/slow', 'a'));
  await expect.poll(() => ends.length).toBe(64);
  expect((await get('/quick', 'b')).body).toBe('done');
  for (let ended = 0; ended < 100; ended += 1) {
    await expect.poll(() => ends.length).toBeGreaterThan(0);
    ends.shift()!();
  }
  expect(new Set((await Promise.all(calls)).map(({ body }) => body))).toEqual(new Set(['done']));
});

test('a company with hundreds of waiting calls gets 429, and others are served', async () => {
  const calls = Array.from({ length: 700 }, () => get('/slow', 'c'));
  await expect.poll(() => ends.length).toBe(64);
  const rejected = await get('/quick', 'c');
  expect(rejected.statusCode).toBe(429);
  expect(Number(rejected.headers['retry-after'])).toBeGreaterThan(0);
  expect((await get('/quick', 'd')).body).toBe('done');
  const all = Promise.all(calls);
  const timer = setInterval(() => ends.splice(0).forEach((end) => end()), 1);
  const statuses = (await all).map(({ statusCode }) => statusCode);
  clearInterval(timer);
  expect(statuses.filter((status) => status === 200)).toHaveLength(564);
});

test('calls that wait or are refused read no session, once the token is known', async () => {
  expect((await get('/quick', 'e')).body).toBe('done');
  const before = sessionsRead;
  const calls = Array.from({ length: 600 }, () => get('/slow', 'e'));
  await expect.poll(() => ends.length).toBe(64);
  expect((await get('/quick', 'e')).statusCode).toBe(429);
  expect(sessionsRead - before).toBe(64);
  const timer = setInterval(() => ends.splice(0).forEach((end) => end()), 1);
  await Promise.all(calls);
  clearInterval(timer);
});

test('a call whose session has ended gets 401 and leaves its place', async () => {
  const statuses = await Promise.all(Array.from({ length: 200 }, () => get('/quick', 'nobody')));
  expect(new Set(statuses.map(({ statusCode }) => statusCode))).toEqual(new Set([401]));
});
