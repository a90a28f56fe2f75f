import { Centrifuge, type PublicationContext } from 'centrifuge';
import fc from 'fast-check';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test, vi } from 'vitest';
import { WebSocket } from 'ws';
import { appBody, make } from '@bidwell/testing/advertising';
import { testApp, type TestCompany } from '@bidwell/testing/test-app';
import { readFrame } from './protocol.ts';
import { tcpRelay } from '@bidwell/testing/engines/test-tcp-relay';
import { Channel } from './hub.ts';
import { once } from 'node:events';
import { logout } from '../../modules/identity/service.ts';
import { totpCode } from '../../modules/identity/sign-in/totp.ts';
import { login } from '../../modules/identity/sign-in/login.ts';
import { eventually } from '@bidwell/testing/eventually';

const app = await testApp();

await app.listen();

const { port } = app.http.server.address() as AddressInfo;

const address = `ws://127.0.0.1:${port}/connection/websocket`;

const clients: Centrifuge[] = [];

afterEach(() => {
  for (const client of clients.splice(0)) client.disconnect();
});

const line = await tcpRelay(() => port);

const relayAddress = `ws://127.0.0.1:${line.port}/connection/websocket`;

const publish = (company: TestCompany, number: number) =>
  app.ctx.realtime.toCompany(company.companyId, {
    type: 'entity',
    entity: 'app',
    uuid: String(number),
    action: 'update',
  });

const event = <T>(client: Centrifuge, name: 'connected' | 'connecting' | 'disconnected') =>
  new Promise<T>((happened) => client.once(name, (context: unknown) => happened(context as T)));

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
  const frame = fc.oneof(
    fc.string(),
    fc.json(),
    fc.constantFrom('{"id":1,"connect":{"token":"x"}}', '{}', 'null'),
  );
  fc.assert(
    fc.property(fc.array(frame), (lines) => {
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

function clientOf(company: TestCompany, over: ConstructorParameters<typeof Centrifuge>[1] = {}) {
  const client = new Centrifuge(relayAddress, {
    token: company.token,
    websocket: WebSocket,
    minReconnectDelay: 10,
    maxReconnectDelay: 50,
    ...over,
  });
  clients.push(client);
  const arrived: number[] = [];
  const onPublication = ({ data }: PublicationContext) => {
    arrived.push(Number((data as { uuid: string }).uuid));
  };
  return { client, arrived, onPublication };
}

/** Resolves when `arrived` has `count` numbers. */
async function until(arrived: readonly number[], count: number): Promise<void> {
  while (arrived.length < count) await new Promise((turn) => setImmediate(turn));
}

test('after a reconnect exactly the missed messages arrive, once and in order', async () => {
  const company = await app.freshCompany();
  const { client, arrived, onPublication } = clientOf(company);
  client.on('publication', onPublication);
  client.connect();
  await client.ready();
  publish(company, 1);
  await until(arrived, 1);
  line.cut(true);
  await event(client, 'connecting');
  for (const number of [2, 3, 4]) publish(company, number);
  line.mend();
  await event(client, 'connected');
  publish(company, 5);
  await until(arrived, 5);
  expect(arrived).toEqual([1, 2, 3, 4, 5]);
});

test('a client-side subscription recovers too', async () => {
  const company = await app.freshCompany();
  const { client, arrived, onPublication } = clientOf(company);
  const subscription = client.newSubscription(`company:${company.companyId}`, { recoverable: true });
  subscription.on('publication', onPublication);
  subscription.subscribe();
  client.connect();
  await subscription.ready();
  publish(company, 1);
  await until(arrived, 1);
  line.cut();
  publish(company, 2);
  const again = new Promise<{ wasRecovering: boolean; recovered: boolean }>((happened) =>
    subscription.once('subscribed', happened),
  );
  expect(await again).toMatchObject({ wasRecovering: true, recovered: true });
  publish(company, 3);
  await until(arrived, 3);
  expect(arrived).toEqual([1, 2, 3]);
  subscription.unsubscribe();
  expect(subscription.state).toBe('unsubscribed');
});

test('two tabs of one user, and a colleague, all get it', async () => {
  const company = await app.freshCompany();
  const tabs = [clientOf(company), clientOf(company)];
  for (const { client, onPublication } of tabs) {
    client.on('publication', onPublication);
    client.connect();
    await client.ready();
  }
  for (let number = 1; number <= 50; number += 1) publish(company, number);
  for (const { arrived } of tabs) {
    await until(arrived, 50);
    expect(arrived).toEqual(Array.from({ length: 50 }, (_, index) => index + 1));
  }
});

test('an expired token is replaced by the one that the client fetches', async () => {
  const company = await app.freshCompany();
  const expired = company.token;
  app.clock.now = new Date(app.clock.now.getTime() + 16 * 60_000);
  const fresh = await app.freshCompany();
  let requests = 0;
  const { client } = clientOf(company, {
    token: expired,
    getToken: async () => {
      requests += 1;
      return fresh.token;
    },
  });
  client.connect();
  await client.ready();
  expect(requests).toBe(1);
});

test('a client that missed more than is stored gets recovered: false', async () => {
  const company = await app.freshCompany();
  const { client } = clientOf(company);
  client.connect();
  await client.ready();
  publish(company, 0);
  line.cut(true);
  await event(client, 'connecting');
  for (let number = 1; number <= 400; number += 1) publish(company, number);
  const again = new Promise<{ wasRecovering: boolean; recovered: boolean }>((happened) =>
    client.once('subscribed', happened),
  );
  line.mend();
  expect(await again).toMatchObject({ wasRecovering: true, recovered: false });
});

test('a client that floods is disconnected, and may come back', async () => {
  const company = await app.freshCompany();
  const socket = new WebSocket(relayAddress);
  const closed = new Promise<number>((resolve) => socket.on('close', resolve));
  await new Promise((resolve) => socket.on('open', resolve));
  socket.send(JSON.stringify({ id: 1, connect: { token: company.token } }));
  for (let id = 2; id < 300; id += 1)
    socket.send(JSON.stringify({ id, unsubscribe: { channel: 'company:x' } }));
  expect(await closed).toBe(3013);
  const { client } = clientOf(company);
  client.connect();
  await client.ready();
  expect(client.state).toBe('connected');
});

test('with any publications and evictions, exactly the missed messages are recovered, or none if one is gone', () => {
  fc.assert(
    fc.property(
      fc.array(
        fc.record({ gapMs: fc.integer({ min: 0, max: 90_000 }), count: fc.integer({ min: 1, max: 120 }) }),
      ),
      fc.nat(600),
      (bursts, seen) => {
        const channel = new Channel(0);
        let nowMs = 0;
        const publishedAtMs: number[] = [];
        for (const { gapMs, count } of bursts) {
          nowMs += gapMs;
          for (let one = 0; one < count; one += 1) channel.add(publishedAtMs.push(nowMs), nowMs);
        }
        const { epoch } = channel.position;
        const missed = channel.since({ epoch, offset: seen }, nowMs)?.map(({ data }) => data) ?? null;
        const published = publishedAtMs.length;
        // The newest 300 are stored, for five minutes.
        const stored = publishedAtMs.slice(-300).filter((atMs) => nowMs - atMs <= 300_000).length;
        const isRecovered = seen <= published && published - seen <= stored;
        expect(missed).toEqual(
          isRecovered ? Array.from({ length: published - seen }, (_, index) => seen + index + 1) : null,
        );
        expect(channel.since({ epoch: 'another', offset: seen }, nowMs)).toBeNull();
      },
    ),
  );
});

/** A raw client; `closed` resolves with the code that its connection ends with. */
async function open(token?: string) {
  const socket = new WebSocket(`ws://127.0.0.1:${port}/connection/websocket`);
  const closed = once(socket, 'close').then(([code]) => code as number);
  await once(socket, 'open');
  if (token !== undefined) {
    const responded = once(socket, 'message');
    socket.send(JSON.stringify({ id: 1, connect: { token } }));
    await responded;
  }
  return { socket, closed };
}

async function logInAgain(company: TestCompany) {
  const { session } = await login(app.ctx, { login: company.login, password: 'correct horse' }, '192.0.2.1');
  return { ...session!, ...(await open(session!.tokens.access_token)) };
}

test('a logout closes the connections of its session, and no others', async () => {
  const company = await app.freshCompany();
  const stays = await open(company.token);
  const leaves = await logInAgain(company);
  await logout(app.ctx, leaves.refreshToken);
  expect(await leaves.closed).toBe(3500);
  const again = await open();
  again.socket.send(JSON.stringify({ id: 1, connect: { token: leaves.tokens.access_token } }));
  expect(String((await once(again.socket, 'message'))[0])).toContain('"code":109');
  expect(stays.socket.readyState).toBe(WebSocket.OPEN);
});

test('logging out everywhere closes the connections of every device', async () => {
  const company = await app.freshCompany();
  const [one, other] = [await logInAgain(company), await logInAgain(company)];
  await logout(app.ctx, one.refreshToken, { everywhere: true });
  expect([await one.closed, await other.closed]).toEqual([3500, 3500]);
});

test('a new password closes the connections of the other devices', async () => {
  const company = await app.freshCompany();
  const elsewhere = await logInAgain(company);
  const here = await logInAgain(company);
  const { payload } = await app.http.inject({
    method: 'PUT',
    url: `/api/internal/users/${company.userId}`,
    headers: { authorization: `Bearer ${here.tokens.access_token}` },
    payload: {
      email: 'a@example.com',
      first_name: 'A',
      last_name: 'B',
      contact: 'c',
      password: 'battery staple',
      password_confirmation: 'battery staple',
    },
  });
  expect(JSON.parse(payload)).toMatchObject({ data: { uuid: company.userId } });
  expect(await elsewhere.closed).toBe(3500);
  expect(here.socket.readyState).toBe(WebSocket.OPEN);
});

test('the connections of a removed person, and of one without the second factor that is required since, are closed', async () => {
  const owner = await app.freshCompany();
  const people = [await app.freshPerson(owner, 'editor'), await app.freshPerson(owner, 'editor')] as const;
  const [removed, unenrolled] = [await open(people[0].token), await open(people[1].token)];
  expect((await owner.call('DELETE', `/people/${people[0].userId}`)).status).toBe(200);
  expect(await removed.closed).toBe(3500);
  expect(unenrolled.socket.readyState).toBe(WebSocket.OPEN);
  const { secret } = (await owner.call('POST', '/account/authenticator')).data;
  const code = totpCode(secret, app.clock.now.getTime());
  expect((await owner.call('PUT', '/account/authenticator', { code })).status).toBe(200);
  const stays = await open(owner.token);
  const required = { second_factor_required: true };
  expect((await owner.call('PUT', `/company/${owner.companyId}`, required)).status).toBe(200);
  expect(await unenrolled.closed).toBe(3500);
  expect(stays.socket.readyState).toBe(WebSocket.OPEN);
});

test('a reader that is too slow is disconnected with its close code, and the others are not', async () => {
  const company = await app.freshCompany();
  const quick = await open(company.token);
  const slow = await open(company.token);
  let arrived = 0;
  quick.socket.on('message', () => (arrived += 1));
  slow.socket.pause();
  const message = {
    type: 'notification',
    kind: 'note',
    uuid: company.companyId,
    title: 'News',
    text: 'x'.repeat(65_536),
  } as const;
  // The server closes the connection and, if the reader does not respond in time, ends it without a code.
  const closing = vi.spyOn(WebSocket.prototype, 'close');
  // More than the kernel buffers for a connection.
  for (let sent = 0; sent < 400 && closing.mock.calls.length === 0;) {
    for (let one = 0; one < 8; one += 1, sent += 1) app.ctx.realtime.toCompany(company.companyId, message);
    const all = sent;
    await eventually(() => expect(arrived).toBe(all));
  }
  slow.socket.resume();
  expect(await slow.closed).toBe(3008);
  expect(quick.socket.readyState).toBe(WebSocket.OPEN);
});

test('a closing server asks its clients to reconnect', async () => {
  const { token } = await app.freshCompany();
  const sockets = [await open(token), await open(token), await open()];
  const [codes] = await Promise.all([Promise.all(sockets.map(({ closed }) => closed)), app.close()]);
  expect(codes).toEqual([3001, 3001, 3001]);
});
