import type { LiveMessage } from '@bidwell/contract/live/schema';
import { Centrifuge } from 'centrifuge';
import { once } from 'node:events';
import { type Server, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { tcpRelay } from '@bidwell/testing/engines/test-tcp-relay';
import { readAccessToken } from '../../modules/identity/sessions/access-tokens.ts';
import { natsServer } from '@bidwell/testing/engines/nats-server';
import { type TestCompany, testApp } from '@bidwell/testing/test-app';
import { fanOut, natsNodes } from './fan-out.ts';
import { openNats, optionsOf } from '../nats/connection.ts';
import { createRealtime } from './server.ts';
import { eventually } from '@bidwell/testing/eventually';

test.each([
  ['nats://127.0.0.1:4222', { servers: ['127.0.0.1:4222'] }],
  ['nats://a:4222,nats://b:4222', { servers: ['a:4222', 'b:4222'] }],
  [
    'tls://bidwell:p%40ss@nats.example.com',
    { servers: ['nats.example.com'], user: 'bidwell', pass: 'p@ss', tls: {} },
  ],
  ['nats://a-token@nats', { servers: ['nats'], token: 'a-token' }],
])('the address %s is accepted', (url, options) => {
  expect(optionsOf(url)).toMatchObject(options);
});

const server = await natsServer();

describe.runIf(server)('two processes', async () => {
  if (!server) return;
  const line = await tcpRelay(() => server.port);
  const secret = 'the access token secret of two processes';
  // The first process is a whole server, connected to NATS through a connection that can be cut.
  const app = await testApp({ NATS_URL: `nats://127.0.0.1:${line.port}`, ACCESS_TOKEN_SECRET: secret });
  // Embedded databases admit one server per process: the second process consists only of its live updates.
  const nats = openNats(`nats://127.0.0.1:${server.port}`, app.ctx.log);
  const nodes = natsNodes(nats);
  const farPages = createRealtime((token) => readAccessToken(secret, token, app.clock.now));
  const movedFar: string[] = [];
  const farLive = fanOut(farPages, nodes, {
    moved: (companyIds) => void movedFar.push(...companyIds),
  });
  const farServer = createServer();
  farPages.attach(farServer);
  const near = { http: app.http.server, live: app.ctx.realtime };
  const far = { http: farServer, live: farLive };
  beforeAll(async () => {
    await app.listen();
    farServer.listen(0, '127.0.0.1');
    await once(farServer, 'listening');
    await bothConnected();
  });
  afterAll(async () => {
    await farPages.close();
    await nats.close();
    farServer.close();
    await server.stop();
  });

  const clients: Centrifuge[] = [];
  afterEach(() => {
    for (const client of clients.splice(0)) client.disconnect();
  });

  /** A page of a company, connected to one of the two processes. */
  async function pageAt({ http }: { http: Server }, company: TestCompany) {
    const { port } = http.address() as AddressInfo;
    const client = new Centrifuge(`ws://127.0.0.1:${port}/connection/websocket`, {
      token: company.token,
      websocket: WebSocket,
      minReconnectDelay: 10,
      maxReconnectDelay: 50,
    });
    clients.push(client);
    const arrived: string[] = [];
    const messages: LiveMessage[] = [];
    client.on('publication', ({ data }: { data: LiveMessage }) => {
      messages.push(data);
      if ('uuid' in data) arrived.push(data.uuid);
    });
    client.connect();
    await client.ready();
    return { client, arrived, messages };
  }

  /** A company whose creation is known to both processes, so that pages connected now receive later messages only. */
  async function settledCompany(): Promise<TestCompany> {
    const company = await app.freshCompany();
    const both = [await pageAt(near, company), await pageAt(far, company)];
    // Publications keep their order: earlier ones arrived before this one.
    near.live.toCompany(company.companyId, message('settled'));
    for (const { arrived } of both) await eventually(() => expect(arrived.at(-1)).toBe('settled'));
    for (const { client } of both) client.disconnect();
    return company;
  }

  const message = (uuid: string): LiveMessage => ({ type: 'entity', entity: 'app', uuid, action: 'update' });

  /** Waits until publications of each process reach the other. */
  async function bothConnected(): Promise<void> {
    const company = await app.freshCompany();
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      const { client, arrived } = await pageAt(to, company);
      await eventually(() => {
        from.live.toCompany(company.companyId, message('hello'));
        expect(arrived).toContain('hello');
      });
      client.disconnect();
    }
  }

  test('a publication of one process reaches pages of both, once and in order', async () => {
    const company = await app.freshCompany();
    const other = await settledCompany();
    const pages = [await pageAt(near, company), await pageAt(far, company)];
    const others = await pageAt(far, other);
    const numbers = Array.from({ length: 50 }, (_, index) => String(index));
    for (const number of numbers) near.live.toCompany(company.companyId, message(number));
    for (const { arrived } of pages) await eventually(() => expect(arrived).toEqual(numbers));
    // Messages published to the first company before this one arrived before it.
    near.live.toCompany(other.companyId, message('own'));
    await eventually(() => expect(others.arrived).toEqual(['own']));
  });

  test('a session that ends in one process ends in the other: its page is disconnected', async () => {
    const company = await app.freshCompany();
    const { client } = await pageAt(far, company);
    const closed = new Promise<number>((resolve) => client.on('disconnected', ({ code }) => resolve(code)));
    const sessionId = JSON.parse(atob(company.token.split('.')[1]!)).session_id as string;
    app.ctx.onSessionsEnded([sessionId]);
    expect(await closed).toBe(3500);
  });

  test('metrics that change in one process are computed by the other, for its own pages', async () => {
    const company = await app.freshCompany();
    const page = await pageAt(near, company);
    farLive.notifyMoved([company.companyId]);
    await eventually(() =>
      expect(page.messages).toMatchObject([
        { type: 'today', counts: { impressions: 0 }, balance: { balance: 0 } },
      ]),
    );
    expect(movedFar).toEqual([]);
  });

  test('a process that starts before NATS, or never reaches it, serves its own pages and stops', async () => {
    const company = await settledCompany();
    const page = await pageAt(far, company);
    const lonely = openNats('nats://127.0.0.1:9', app.ctx.log);
    const alone = fanOut(farPages, natsNodes(lonely), { moved: () => {} });
    alone.toCompany(company.companyId, message('own'));
    await eventually(() => expect(page.arrived).toEqual(['own']));
    await lonely.close();
    expect([lonely.isUp(), lonely.current()]).toEqual([false, null]);
  });

  test('after a lost connection to NATS, pages of both processes get recovered: false', async () => {
    const company = await settledCompany();
    const pages = [await pageAt(near, company), await pageAt(far, company)];
    near.live.toCompany(company.companyId, message('before'));
    for (const { arrived } of pages) await eventually(() => expect(arrived).toEqual(['before']));
    const recoveries = pages.map(
      ({ client }) =>
        new Promise<boolean>((resolve) => {
          client.on('subscribed', ({ channel, wasRecovering, recovered }) => {
            if (channel.startsWith('company:')) resolve(wasRecovering && recovered);
          });
        }),
    );
    line.cut(true);
    // It takes a moment to detect the loss; publications of the meantime are lost, and reported as possibly missed.
    await eventually(() => {
      near.live.toCompany(company.companyId, message('meanwhile'));
      expect(pages[0]!.arrived.length).toBeGreaterThan(20);
    });
    line.mend();
    expect(await Promise.all(recoveries)).toEqual([false, false]);
    await eventually(() => {
      near.live.toCompany(company.companyId, message('after'));
      for (const { arrived } of pages) expect(arrived).toContain('after');
    });
  });
});
