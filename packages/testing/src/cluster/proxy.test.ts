import { once } from 'node:events';
import { type RequestListener, type Server, createServer } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import { Balancer } from './balancer.ts';
import { freePorts } from './ports.ts';
import { startProxy } from './proxy.ts';

/** A process that is ready, and responds to other requests with `respond`. */
async function upstream(respond: RequestListener): Promise<{ port: number; server: Server; end(): void }> {
  const server = createServer((request, response) => {
    if (request.url === '/readyz') response.end();
    else respond(request, response);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const end = () => {
    server.close();
    server.closeAllConnections();
  };
  onTestFinished(end);
  return { port: (server.address() as AddressInfo).port, server, end };
}

const named = (name: string) => upstream((_request, response) => response.end(name));

/** A proxy in front of the ports of each role; returns its address. */
async function proxyOf(ports: { bidder?: number[]; tracker?: number[]; api?: number[] }): Promise<string> {
  const balancer = async (of: number[] = []) => {
    const made = new Balancer(of);
    onTestFinished(() => made.close());
    await made.check();
    return made;
  };
  const [bidder, tracker, api] = [
    await balancer(ports.bidder),
    await balancer(ports.tracker),
    await balancer(ports.api),
  ];
  const [port] = await freePorts(1);
  const proxy = await startProxy(port!, { bidder, tracker, api });
  onTestFinished(() => proxy.close());
  return `http://127.0.0.1:${port}`;
}

const textAt = async (url: string, init?: RequestInit) => (await fetch(url, init)).text();

test('each path goes to the role that serves it, and to its processes in turn', async () => {
  const [one, two, tracker, api] = [
    await named('one'),
    await named('two'),
    await named('t'),
    await named('a'),
  ];
  const url = await proxyOf({ bidder: [one.port, two.port], tracker: [tracker.port], api: [api.port] });
  const bids = await Promise.all(
    ['a', 'b'].map((id) => textAt(`${url}/openrtb/x/y`, { method: 'POST', body: id })),
  );
  expect(bids.toSorted()).toEqual(['one', 'two']);
  for (const path of ['/t/impression/x', '/m/x.png', '/postback/adjust/x'])
    expect(await textAt(url + path)).toBe('t');
  for (const path of ['/', '/api/internal/app', '/metrics']) expect(await textAt(url + path)).toBe('a');
});

test('a bid request goes to another process where the first one has gone or is stopping', async () => {
  const [gone, works] = [await named('gone'), await named('works')];
  const stopping = await upstream((_request, response) => response.writeHead(503).end());
  const url = await proxyOf({ bidder: [gone.port, works.port], tracker: [stopping.port, works.port] });
  gone.end();
  for (let turn = 0; turn < 2; turn += 1) {
    expect(await textAt(`${url}/openrtb/x/y`, { method: 'POST', body: '{}' })).toBe('works');
    expect(await textAt(`${url}/t/win/x`)).toBe('works');
  }
});

test('a call of the API is repeated only if no process has seen it', async () => {
  let seen = 0;
  const breaks = await upstream((request) => {
    seen += 1;
    request.socket.destroy();
  });
  const broken = await proxyOf({ api: [breaks.port, breaks.port] });
  expect((await fetch(`${broken}/api/internal/app`, { method: 'POST', body: 'x' })).status).toBe(502);
  expect(seen).toBe(1);

  const [gone, works] = [await named('gone'), await named('works')];
  const url = await proxyOf({ api: [gone.port, works.port] });
  gone.end();
  for (let turn = 0; turn < 2; turn += 1)
    expect(await textAt(`${url}/api/internal/app`, { method: 'POST', body: 'x' })).toBe('works');
});

test('the process learns the address of the client, not one that the client names', async () => {
  const api = await upstream((request, response) => response.end(request.headers['x-forwarded-for']));
  const url = await proxyOf({ api: [api.port] });
  expect(await textAt(url, { headers: { 'x-forwarded-for': '8.8.8.8' } })).toBe('127.0.0.1');
});

test('without a process that is ready, the answer is 502', async () => {
  const url = await proxyOf({});
  for (const path of ['/', '/openrtb/x/y']) expect((await fetch(url + path)).status).toBe(502);
});

test('websockets pass through', async () => {
  const api = await named('api');
  const sockets = new WebSocketServer({ noServer: true });
  api.server.on('upgrade', (request, socket, head) =>
    sockets.handleUpgrade(request, socket as Socket, head, (ws) =>
      ws.on('message', (text: Buffer) => ws.send(`echo ${text.toString()}`)),
    ),
  );
  const url = await proxyOf({ api: [api.port] });
  const client = new WebSocket(`${url.replace('http', 'ws')}/connection/websocket`);
  await once(client, 'open');
  client.send('hello');
  const [reply] = (await once(client, 'message')) as [Buffer];
  expect(reply.toString()).toBe('echo hello');
  client.terminate();
});
