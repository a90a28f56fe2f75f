import { Centrifuge, type PublicationContext } from 'centrifuge';
import fc from 'fast-check';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeAll, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { tcpRelay } from '@bidwell/testing/engines/test-tcp-relay';
import { type TestCompany, testApp } from '@bidwell/testing/test-app';
import { Channel } from './hub.ts';

const app = await testApp();
let port = 0;
beforeAll(async () => {
  await app.listen();
  port = (app.http.server.address() as AddressInfo).port;
});
const line = await tcpRelay(() => port);
const address = `ws://127.0.0.1:${line.port}/connection/websocket`;

const clients: Centrifuge[] = [];
afterEach(() => {
  for (const client of clients.splice(0)) client.disconnect();
});

function clientOf(company: TestCompany, over: ConstructorParameters<typeof Centrifuge>[1] = {}) {
  const client = new Centrifuge(address, {
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

const publish = (company: TestCompany, number: number) =>
  app.ctx.realtime.toCompany(company.companyId, {
    type: 'entity',
    entity: 'app',
    uuid: String(number),
    action: 'update',
  });

const event = <T>(client: Centrifuge, name: 'connected' | 'connecting' | 'disconnected') =>
  new Promise<T>((happened) => client.once(name, (context: unknown) => happened(context as T)));

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
  const socket = new WebSocket(address);
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
