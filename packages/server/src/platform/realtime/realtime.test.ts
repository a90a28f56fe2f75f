import { Centrifuge } from 'centrifuge';
import fc from 'fast-check';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeAll, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { appBody, make } from '@bidwell/testing/advertising';
import { testApp } from '@bidwell/testing/test-app';
import { readFrame } from './protocol.ts';

const app = await testApp();

let address = '';
beforeAll(async () => {
  await app.listen();
  address = `ws://127.0.0.1:${(app.http.server.address() as AddressInfo).port}/connection/websocket`;
});

const clients: Centrifuge[] = [];
afterEach(() => {
  for (const client of clients.splice(0)) client.disconnect();
});

function clientWith(token: string): Centrifuge {
  const client = new Centrifuge(address, { token, websocket: WebSocket, minReconnectDelay: 10 });
  clients.push(client);
  return client;
}

interface Publication {
  channel: string;
  data: unknown;
}

/** A connected client, and the publications that it receives, in order. */
async function connected(token: string) {
  const client = clientWith(token);
  const arrived: Publication[] = [];
  const readers: ((publication: Publication) => void)[] = [];
  client.on('publication', ({ channel, data }) => {
    const waiting = readers.shift();
    if (waiting) waiting({ channel, data });
    else arrived.push({ channel, data });
  });
  client.connect();
  await client.ready();
  const next = async () =>
    arrived.shift() ?? (await new Promise<Publication>((resolve) => void readers.push(resolve)));
  return { client, next };
}

test("a change over HTTP reaches the company's pages, and no others", async () => {
  const company = await app.freshCompany();
  const other = await app.freshCompany();
  const mine = await connected(company.token);
  const theirs = await connected(other.token);
  const uuid = await make(company, '/app', appBody());
  expect(await mine.next()).toEqual({
    channel: `company:${company.companyId}`,
    data: { type: 'entity', entity: 'app', uuid, action: 'create' },
  });
  // Publications are in order: had the first company's reached this client, it would come first.
  const theirUuid = await make(other, '/app', appBody());
  expect(await theirs.next()).toMatchObject({ data: { uuid: theirUuid } });
});

test('a decision of an operator arrives as a notification', async () => {
  const company = await app.freshCompany();
  const uuid = await make(company, '/app', appBody({ name: 'Puzzle' }));
  const { next } = await connected(company.token);
  await app.operator('POST', `/apps/${uuid}/decision`, { status: 'Approved' });
  expect(await next()).toMatchObject({ data: { type: 'entity', uuid, action: 'decide' } });
  expect(await next()).toMatchObject({ data: { type: 'notification', title: 'App approved' } });
});

test('a wrong token, and one of another server, are rejected', async () => {
  for (const token of ['nonsense', 'eyJhbGciOiJub25lIn0.eyJ1c2VyX2lkIjoiMSIsImNvbXBhbnlfaWQiOiIyIn0.']) {
    const client = clientWith(token);
    const rejected = new Promise<number>((resolve) => {
      client.on('disconnected', ({ code }) => resolve(code));
    });
    client.connect();
    expect(await rejected).toBe(3500);
    expect(client.state).toBe('disconnected');
  }
});

test('a client cannot choose its channels', async () => {
  const company = await app.freshCompany();
  const other = await app.freshCompany();
  const { client } = await connected(company.token);
  for (const channel of [`company:${other.companyId}`, 'company:*', `user:${other.userId}`]) {
    const subscription = client.newSubscription(channel);
    const rejected = new Promise<number>((resolve) => {
      subscription.on('unsubscribed', ({ code }) => resolve(code));
      subscription.on('error', ({ error }) => resolve(error.code));
    });
    subscription.subscribe();
    expect(await rejected).toBe(103);
  }
});

/** Sends frames on a raw socket; resolves with the code that it was closed with. */
async function closedAfter(frames: (string | Buffer)[]): Promise<number> {
  const socket = new WebSocket(address);
  const closed = new Promise<number>((resolve) => socket.on('close', resolve));
  await new Promise((resolve) => socket.on('open', resolve));
  for (const frame of frames) socket.send(frame);
  return closed;
}

test('a client that sends before connecting, or sends an invalid command, is disconnected for good', async () => {
  const { token } = await app.freshCompany();
  const connect = JSON.stringify({ id: 1, connect: { token } });
  const sequences = [
    ['null'],
    ['{}'],
    ['[]'],
    [''],
    ['{"id":1}'],
    ['{"id":1,"subscribe":{"channel":"x"}}'],
    ['{"id":"1","connect":{}}'],
    ['{"id":1,"connect":{}}'],
    [Buffer.from([1, 2, 3])],
    [connect, connect],
    [connect, 'null'],
    [Array(65).fill('{}').join('\n')],
  ];
  for (const frames of sequences) {
    const code = await closedAfter(frames);
    expect([frames.map(String).join().slice(0, 40), code >= 3500 && code < 4000]).toEqual([
      expect.any(String),
      true,
    ]);
  }
});

test('reading a frame never throws', () => {
  const line = fc.oneof(
    fc.string(),
    fc.json(),
    fc.constantFrom('{"id":1,"connect":{"token":"x"}}', '{}', 'null'),
  );
  fc.assert(
    fc.property(fc.array(line), (lines) => {
      const commands = readFrame(lines.join('\n'));
      expect(commands === null || (commands.length > 0 && commands.length <= 64)).toBe(true);
    }),
  );
});

test('invalid messages of one client do not affect others', async () => {
  const company = await app.freshCompany();
  const { next } = await connected(company.token);
  const frames = fc.sample(fc.oneof(fc.string(), fc.json(), fc.uint8Array()), { numRuns: 60, seed: 7 });
  const connect = JSON.stringify({ id: 1, connect: { token: company.token } });
  for (const frame of frames) {
    const content = typeof frame === 'string' ? frame : Buffer.from(frame);
    const socket = new WebSocket(address);
    await new Promise((resolve) => socket.on('open', resolve));
    socket.send(connect);
    socket.send(content);
    socket.terminate();
  }
  const uuid = await make(company, '/app', appBody());
  expect(await next()).toMatchObject({ data: { uuid } });
});

test('other addresses accept no websocket', async () => {
  const socket = new WebSocket(address.replace('/connection/websocket', '/connection/other'));
  const failed = await new Promise<Error>((resolve) => socket.on('error', resolve));
  expect(failed).toBeInstanceOf(Error);
});
