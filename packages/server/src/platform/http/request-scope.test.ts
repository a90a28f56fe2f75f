import { once } from 'node:events';
import { Agent, type IncomingMessage, request as send } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { afterAll, expect, test } from 'vitest';
import { createLogger } from '../telemetry/logger.ts';
import { createHttp } from './server.ts';

const lines: { msg: string; reqId?: string }[] = [];
const log = createLogger(
  'info',
  new Writable({
    write(chunk, _encoding, done) {
      lines.push(JSON.parse(String(chunk)) as (typeof lines)[0]);
      done();
    },
  }),
);
const settings = {
  trustProxy: 0,
  connectionsMax: 10,
  captcha: { kind: 'off' },
  port: 80,
  publicUrl: undefined,
  assetOrigin: null,
} as const;
const http = await createHttp(settings, log);
http.post<{ Body: { name: string } }>('/save', async ({ body }) => {
  await new Promise((resolve) => setImmediate(resolve));
  // As a service does, which does not know the request.
  log.info(body.name);
  if (body.name === 'broken') throw new Error('broken');
  return 'saved';
});
await http.listen({ port: 0, host: '127.0.0.1' });
const { port } = http.server.address() as AddressInfo;
const agent = new Agent({ keepAlive: true, maxSockets: 1 });
afterAll(async () => {
  agent.destroy();
  await http.close();
});

async function save(name: string, headers: Record<string, string> = {}) {
  const request = send({
    port,
    agent,
    method: 'POST',
    path: '/save',
    headers: { 'content-type': 'application/json', ...headers },
  });
  request.end(JSON.stringify({ name }));
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  await text(response);
  return String(response.headers['x-request-id']);
}

test('each line of a request has the id that its response names, on a connection of several requests', async () => {
  const ids = [await save('one'), await save('two'), await save('broken')];
  expect(new Set(ids).size).toBe(3);
  expect(lines.filter(({ reqId }) => reqId).map(({ msg, reqId }) => [msg, reqId])).toEqual([
    ['one', ids[0]],
    ['two', ids[1]],
    ['broken', ids[2]],
    ['request failed', ids[2]],
  ]);
});

test('the id of a proxy is used, unless it could break a line of the log', async () => {
  expect(await save('proxied', { 'x-request-id': 'edge-7:4711' })).toBe('edge-7:4711');
  expect(await save('forged', { 'x-request-id': '"}{"msg":"x' })).toMatch(/^[\da-f-]{36}$/);
  expect(await save('long', { 'x-request-id': 'x'.repeat(65) })).toMatch(/^[\da-f-]{36}$/);
});
