import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { bidRequest, campaignOn, freshExchange } from '@bidwell/testing/exchange';
import { eventually } from '@bidwell/testing/eventually';
import { testApp } from '@bidwell/testing/test-app';

const app = await testApp({ MODERATION: 'auto' });
await app.listen();

/** Connections of a new exchange with a campaign; and the counts of the exchange. */
async function connectedExchange(settings: object = {}, connections = 1) {
  const exchange = await freshExchange(app, settings);
  await campaignOn(app, exchange);
  const { port } = app.http.server.address() as AddressInfo;
  const sockets = Array.from({ length: connections }, () => connect(port, '127.0.0.1'));
  onTestFinished(() => sockets.forEach((socket) => socket.destroy()));
  let received = '';
  for (const socket of sockets) socket.on('data', (chunk) => (received += chunk.toString()));
  await Promise.all(sockets.map((socket) => once(socket, 'connect')));
  const requestOf = (body: string) =>
    `POST ${exchange.path} HTTP/1.1\r\nhost: bidwell.test\r\ncontent-type: application/json\r\n` +
    `content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
  /**
   * Sends the bodies at once on each connection, and does not let the server read them for a time. Resolves with the statuses of
   * their responses.
   */
  async function send(bodies: readonly string[], { unreadMs = 0 } = {}): Promise<number[]> {
    received = '';
    const requests = bodies.map(requestOf).join('');
    for (const socket of sockets) socket.write(requests);
    // Client and server have the same thread; the system takes the bytes meanwhile.
    if (unreadMs > 0) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, unreadMs);
    const statuses = () => [...received.matchAll(/HTTP\/1\.1 (\d+) /g)].map(([, status]) => Number(status));
    await eventually(() => expect(statuses()).toHaveLength(bodies.length * connections));
    return statuses();
  }
  const figures = async () => {
    await app.settled();
    const { data } = await app.operator('GET', `/ssps/${exchange.slug}/health`);
    return data.total;
  };
  return { exchange, send, figures };
}

const body = (over: object = {}) => JSON.stringify(bidRequest({ tmax: 100, ...over }));

test('a request that waited unread for longer than its time limit gets no bid, and reserves nothing', async () => {
  const { send, figures } = await connectedExchange();
  expect(await send([body()])).toEqual([200]);
  expect(await send([body()], { unreadMs: 300 })).toEqual([204]);
  // The connection goes on, and so do bids.
  expect(await send([body()])).toEqual([200]);
  expect(await figures()).toMatchObject({ requests: 3, answered: 2, bids: 2, shed: 1 });
});

test('when many connections are shed at once, all are answered and go on', async () => {
  const { send } = await connectedExchange({}, 300);
  await send([body()]);
  for (let round = 0; round < 2; round += 1) {
    expect(new Set(await send([body()], { unreadMs: 300 }))).toEqual(new Set([204]));
  }
  await eventually(async () => expect(new Set(await send([body()]))).toContain(200));
});

test('a body that does not arrive in a second is cut off', async () => {
  const exchange = await freshExchange(app, {});
  const socket = connect((app.http.server.address() as AddressInfo).port, '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  let received = '';
  socket.on('data', (chunk) => (received += chunk.toString()));
  socket.write(
    `POST ${exchange.path} HTTP/1.1\r\nhost: bidwell.test\r\ncontent-type: application/json\r\ncontent-length: 500\r\n\r\n{`,
  );
  await once(socket, 'close');
  expect(received).toMatch(/^HTTP\/1\.1 408 /);
});

test('requests above the limit are not read', async () => {
  const { send, figures } = await connectedExchange({ requests_per_second: 1 });
  expect(await send([body(), 'no JSON', 'no JSON'])).toEqual([200, 204, 204]);
  expect(await figures()).toMatchObject({ above_limit: 2, unreadable: 0 });
});

test('the latency of an exchange contains the time that a request waited to be read', async () => {
  const { exchange, send, figures } = await connectedExchange();
  for (let times = 0; times < 60; times += 1) await exchange.send({ app: null, tmax: 500 });
  const [status] = await send([body({ tmax: 500 })], { unreadMs: 50 });
  expect(status).toBe(200);
  expect((await figures()).latency_p99_ms).toBeGreaterThan(45);
});

test('readiness says which part of the requests is shed', async () => {
  const { send } = await connectedExchange({}, 150);
  const statuses = await send([body()], { unreadMs: 300 });
  expect(statuses).toContain(204);
  const { data } = (await app.http.inject('/readyz')).json();
  expect(data.degraded).toContainEqual(expect.stringMatching(/^\d+% of the bid requests .* add a bidder\.$/));
});
