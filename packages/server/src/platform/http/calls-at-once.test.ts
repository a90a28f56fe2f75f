import { pino } from 'pino';
import { afterAll, expect, test } from 'vitest';
import { readConfig } from '../../config.ts';
import { limitCallsAtOnce } from './calls-at-once.ts';
import { createHttp } from './server.ts';

const http = await createHttp(readConfig({ NODE_ENV: 'test', CAPTCHA: 'off' }), pino({ level: 'silent' }));
const ends: (() => void)[] = [];
await http.register(async (scope: typeof http) => {
  limitCallsAtOnce(scope, ({ headers }) => String(headers['x-owner']));
  scope.get('/slow', async () => new Promise<string>((resolve) => ends.push(() => resolve('done'))));
  scope.get('/quick', async () => 'done');
});
afterAll(() => http.close());

const get = async (url: string, owner: string) => http.inject({ url, headers: { 'x-owner': owner } });

test('the calls of one company beyond 64 wait, those of others do not, and none is lost', async () => {
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
  const refused = await get('/quick', 'c');
  expect(refused.statusCode).toBe(429);
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
  expect((await get('/quick', 'd')).body).toBe('done');
  const all = Promise.all(calls);
  const timer = setInterval(() => ends.splice(0).forEach((end) => end()), 1);
  const statuses = (await all).map(({ statusCode }) => statusCode);
  clearInterval(timer);
  expect(statuses.filter((status) => status === 200)).toHaveLength(564);
});
