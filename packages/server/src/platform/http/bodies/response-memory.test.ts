import { once } from 'node:events';
import { type IncomingMessage, get } from 'node:http';
import { pino } from 'pino';
import { afterAll, expect, test } from 'vitest';
import { readConfig } from '../../../config/config.ts';
import { Unavailable } from '../../errors.ts';
import { limitResponses, ResponseMemory } from './response-cache.ts';
import { createHttp } from '../server.ts';

const MIB = 1024 ** 2;

test('the memory of all responses and of one owner is limited, but one alone is always sent', () => {
  const memory = new ResponseMemory(100 * MIB);
  const first = memory.take('a', 150 * MIB);
  expect(() => memory.take('b', MIB)).toThrow(Unavailable);
  first();
  first();
  const own = memory.take('a', 20 * MIB);
  expect(() => memory.take('a', 10 * MIB)).toThrow(Unavailable);
  const other = memory.take('b', 70 * MIB);
  expect(() => memory.take('c', 20 * MIB)).toThrow(Unavailable);
  own();
  other();
  memory.take('a', 100 * MIB);
});

const json = (bytes: number) => async () => ({ body: 'x'.repeat(bytes), jsonLength: bytes });
const listOf = (owner: string, address = '/list') => ({ owner, route: '/list', address });

test('a response that was long is built only where there is room for it, whatever short responses came meanwhile', async () => {
  const memory = new ResponseMemory(10 * MIB);
  const long = json(2 * MIB);
  expect(await memory.build(listOf('a'), long)).toHaveLength(2 * MIB);
  const taken = memory.take('b', MIB);
  await expect(memory.build(listOf('a'), long)).rejects.toThrow(Unavailable);
  expect(await memory.build(listOf('a', '/list?of=one'), json(5))).toBe('xxxxx');
  await expect(memory.build(listOf('a'), long)).rejects.toThrow(Unavailable);
  taken();
  expect(await memory.build(listOf('a'), json(5))).toBe('xxxxx');
});

test('a response that is long for the first time is counted by its estimate', async () => {
  const memory = new ResponseMemory(10 * MIB);
  const taken = memory.take('b', MIB);
  const list = { ...listOf('a'), estimate: async () => 2 * MIB };
  await expect(memory.build(list, json(5))).rejects.toThrow(Unavailable);
  taken();
  expect(await memory.build(list, json(5))).toBe('xxxxx');
});

test('an owner builds one response of a route at a time, at whatever addresses', async () => {
  const memory = new ResponseMemory(10 * MIB);
  const running = new Map<string, number>();
  let most = 0;
  const begun: (() => void)[] = [];
  const build = async (owner: string, address: string) =>
    memory.build(listOf(owner, address), async () => {
      running.set(owner, (running.get(owner) ?? 0) + 1);
      most = Math.max(most, running.get(owner)!);
      await new Promise<void>((resolve) => begun.push(resolve));
      running.set(owner, running.get(owner)! - 1);
      return { body: address, jsonLength: MIB };
    });
  const addresses = Array.from({ length: 5 }, (_, index) => `/list?x=${index}`);
  const builds = Promise.all([...addresses.map((one) => build('a', one)), build('b', '/list')]);
  // The other owner does not wait for the first one's.
  await expect.poll(() => [...running.keys()]).toEqual(['a', 'b']);
  for (let built = 0; built < 6; built += 1) {
    await expect.poll(() => begun.length).toBeGreaterThan(0);
    begun.shift()!();
  }
  expect(await builds).toEqual([...addresses, '/list']);
  expect(most).toBe(1);
});

const http = await createHttp(readConfig({ NODE_ENV: 'test', CAPTCHA: 'off' }), pino({ level: 'silent' }));
await http.register(async (scope: typeof http) => {
  limitResponses(scope, new ResponseMemory(MIB), (request) => String(request.headers['x-owner']));
  scope.get('/long', async () => 'x'.repeat(64 * MIB));
  scope.get('/short', async () => 'short');
});
const address = await http.listen({ port: 0, host: '127.0.0.1' });
afterAll(() => http.close());

const read = async (path: string, owner: string): Promise<IncomingMessage> => {
  const [response] = await once(get(address + path, { headers: { 'x-owner': owner } }), 'response');
  return response as IncomingMessage;
};

test('while a long response is sent, another one is answered 503, and short ones are sent', async () => {
  const slow = await read('/long', 'a');
  const rejected = await read('/long', 'b');
  expect(rejected.statusCode).toBe(503);
  expect(Number(rejected.headers['retry-after'])).toBeGreaterThan(0);
  expect((await read('/short', 'b')).statusCode).toBe(200);
  slow.destroy();
  await expect
    .poll(async () => {
      const again = await read('/long', 'b');
      again.destroy();
      return again.statusCode;
    })
    .toBe(200);
});
