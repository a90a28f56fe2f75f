import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { afterAll, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { createRealtime } from './server.ts';

const pages = createRealtime(async () => 'invalid' as const, 'https://ads.example.com');
const server = createServer();
pages.attach(server);
server.listen(0, '127.0.0.1');
await once(server, 'listening');
const { port } = server.address() as AddressInfo;
afterAll(async () => {
  await pages.close();
  server.close();
});

/** Whether a connection from a page of this origin is opened. */
async function opens(origin?: string): Promise<boolean> {
  const socket = new WebSocket(`ws://127.0.0.1:${port}/connection/websocket`, { ...(origin && { origin }) });
  const opened = await Promise.race([
    once(socket, 'open').then(
      () => true,
      () => false,
    ),
    once(socket, 'unexpected-response').then(() => false),
  ]);
  socket.on('error', () => {});
  socket.terminate();
  return opened;
}

test('only pages of this server, and programs, can connect', async () => {
  expect(await opens('https://ads.example.com')).toBe(true);
  expect(await opens(`http://127.0.0.1:${port}`)).toBe(true);
  expect(await opens()).toBe(true);
  for (const origin of [
    'https://evil.example',
    'https://ads.example.com.evil.example',
    'null',
    'http://127.0.0.1',
  ])
    expect([origin, await opens(origin)]).toEqual([origin, false]);
});
