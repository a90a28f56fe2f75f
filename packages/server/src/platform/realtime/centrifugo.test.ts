import type { LiveMessage } from '@bidwell/contract/live/schema';
import { decodeJwt } from 'jose';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pino } from 'pino';
import { afterEach, expect, test, vi } from 'vitest';
import { signAccessToken } from '../../modules/identity/sessions/access-tokens.ts';
import { createCentrifugo } from './centrifugo.ts';
import { eventually } from '@bidwell/testing/eventually';

const log = pino({ level: 'silent' });
const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

interface Publish {
  channel: string;
  data: LiveMessage;
  idempotency_key: string;
  skip_history?: boolean;
}

/**
 * A server with Centrifugo's HTTP API as documented. `outcomeOf` decides the outcome of each call. Records publications,
 * each idempotency key once.
 */
async function centrifugoApi(outcomeOf: (call: number) => 'takes' | 'loses' | 'fails' = () => 'takes') {
  const published: Publish[] = [];
  const disconnected: unknown[] = [];
  const calls: { path: string | undefined; key: unknown; commands: number }[] = [];
  const server = createServer((request, response) => {
    let text = '';
    request.on('data', (chunk) => (text += String(chunk)));
    request.on('end', () => {
      const { commands } = JSON.parse(text) as { commands: { publish?: Publish; disconnect?: unknown }[] };
      calls.push({ path: request.url, key: request.headers['x-api-key'], commands: commands.length });
      const how = outcomeOf(calls.length);
      if (how === 'fails') return response.writeHead(503).end();
      const known = new Set(published.map((publish) => publish.idempotency_key));
      for (const { publish, disconnect } of commands) {
        if (disconnect) disconnected.push(disconnect);
        if (publish && !known.has(publish.idempotency_key)) published.push(publish);
      }
      if (how === 'loses') return request.socket.destroy();
      const replies = commands.map(({ publish }) =>
        publish && !publish.channel.startsWith('company:')
          ? { error: { code: 102, message: 'unknown channel' } }
          : {},
      );
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ replies }));
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const api = { url: `http://127.0.0.1:${port}/api`, key: 'a key' };
  const pages = createCentrifugo(api, log, async (ids) => ids.map((id) => `user of ${id}`));
  closers.push(
    () => pages.close(),
    () => {
      server.closeAllConnections();
      server.close();
    },
  );
  return { pages, published, disconnected, calls };
}

const entity = (uuid: number): LiveMessage => ({
  type: 'entity',
  entity: 'app',
  uuid: String(uuid),
  action: 'update',
});
const uuids = (published: Publish[]) =>
  published.map(({ data }) => ('uuid' in data ? Number(data.uuid) : -1));

test('publications go to the channel of the company, in order, many in one call', async () => {
  const { pages, published, calls } = await centrifugoApi();
  for (let number = 0; number < 250; number += 1) pages.toCompany('c1', entity(number));
  await eventually(() => expect(published).toHaveLength(250));
  expect(uuids(published)).toEqual(Array.from({ length: 250 }, (_, index) => index));
  expect(published[0]).toMatchObject({ channel: 'company:c1', data: entity(0) });
  expect(calls.every(({ path, key }) => path === '/api/batch' && key === 'a key')).toBe(true);
  expect(calls.length).toBeLessThan(10);
});

test('a failed or unanswered publication is sent again and published once', async () => {
  const { pages, published, calls } = await centrifugoApi((call) =>
    call === 1 ? 'loses' : call === 2 ? 'fails' : 'takes',
  );
  for (const number of [1, 2, 3]) pages.toCompany('c1', entity(number));
  await eventually(() => expect(calls.length).toBeGreaterThanOrEqual(3));
  await eventually(() => expect(uuids(published)).toEqual([1, 2, 3]));
  pages.toCompany('c1', entity(4));
  await eventually(() => expect(uuids(published)).toEqual([1, 2, 3, 4]));
});

const invalidToken = { code: 3500, reason: 'invalid token' };

test('the connections of people whose sessions ended are closed, after earlier publications, also after a failure', async () => {
  const { pages, published, disconnected } = await centrifugoApi((call) => (call === 1 ? 'fails' : 'takes'));
  pages.toCompany('c1', entity(1));
  pages.endSessions(['s1', 's2']);
  await eventually(() =>
    expect(disconnected).toEqual([
      { user: 'user of s1', disconnect: invalidToken },
      { user: 'user of s2', disconnect: invalidToken },
    ]),
  );
  expect(uuids(published)).toEqual([1]);
});

test('metrics are not queued while Centrifugo is unavailable', async () => {
  const { pages, published } = await centrifugoApi();
  pages.toCompany('c1', {
    type: 'today',
    date: '2026-05-04',
    counts: { clicks: 1, installs: 0, impressions: 2, spends: 0.01 },
    balance: { balance: 1, currency: 'USD', spent_today: 0.01, credit_limit: 0 },
  });
  await eventually(() => expect(published).toMatchObject([{ channel: 'company:c1', skip_history: true }]));
});

test('closing does not wait for an unavailable Centrifugo', async () => {
  const warn = vi.spyOn(log, 'warn');
  const pages = createCentrifugo({ url: 'http://127.0.0.1:9/api', key: 'a key' }, log, async () => []);
  pages.toCompany('c1', entity(1));
  await pages.close();
  // Each attempt that fails is logged: there is no second one.
  expect(warn).toHaveBeenCalledTimes(1);
});

test('the access token contains the channels that its bearer may read', async () => {
  const session = { userId: 'u1', companyId: 'c1', sessionId: 's1', role: 'person' } as const;
  const token = await signAccessToken('a secret of at least 32 characters', session, new Date());
  expect(decodeJwt(token)).toMatchObject({ sub: 'u1', channels: ['company:c1', 'user:u1'] });
});
