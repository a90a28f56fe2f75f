import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { eventually } from '@bidwell/testing/eventually';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import type { Session } from '../http/auth/auth.ts';
import { createRealtime } from './server.ts';

/** Tokens are `session company`, and wait here until they are read. */
const reading: (() => void)[] = [];
const pages = createRealtime(async (token) => {
  const [sessionId, companyId] = token.split(' ') as [string, string];
  const session: Session = { userId: 'ann', sessionId, companyId, role: 'person', companyRole: 'editor' };
  await new Promise<void>((read) => reading.push(read));
  return { session, expiresAt: new Date(Date.now() + 900_000) };
});
const server = createServer();
pages.attach(server);
server.listen(0, '127.0.0.1');
await once(server, 'listening');
const { port } = server.address() as AddressInfo;
afterAll(async () => {
  await pages.close();
  server.close();
});
beforeEach(() => reading.splice(0));

async function open(token: string) {
  const socket = new WebSocket(`ws://127.0.0.1:${port}/connection/websocket`);
  const closed = once(socket, 'close').then(([code]) => code as number);
  await once(socket, 'open');
  const send = async (command: object) => {
    socket.send(JSON.stringify(command));
    await eventually(() => expect(reading).toHaveLength(1));
  };
  /** The next message, once the token has been read. */
  const answered = async () => {
    const message = once(socket, 'message');
    reading.shift()!();
    return String((await message)[0]);
  };
  await send({ id: 1, connect: { token } });
  return {
    socket,
    closed,
    answered,
    refresh: async (next: string) => send({ id: 2, refresh: { token: next } }),
  };
}

test('a session that ends while its token is being read opens no connection', async () => {
  const { closed } = await open('one acme');
  pages.endSessions(['one']);
  reading.shift()!();
  expect(await closed).toBe(3500);
  expect(pages.isOpen('acme')).toBe(false);
});

test('a session that ends while a connection is refreshed with its token closes it', async () => {
  const { closed, answered, refresh } = await open('one acme');
  expect(await answered()).toContain('"connect"');
  await refresh('two acme');
  pages.endSessions(['two']);
  reading.shift()!();
  expect(await closed).toBe(3500);
  expect(pages.isOpen('acme')).toBe(false);
});

test('a connection is refreshed by another session of its company, and by none of another company', async () => {
  const { closed, answered, refresh } = await open('one acme');
  expect(await answered()).toContain('"connect"');
  await refresh('two acme');
  expect(await answered()).toContain('"refresh"');
  await refresh('three other');
  reading.shift()!();
  expect(await closed).toBe(3500);
  expect(pages.isOpen('acme')).toBe(false);
});

test('a client that goes on sending while its token is being read is disconnected', async () => {
  const { socket, closed } = await open('one acme');
  for (let id = 2; id < 300; id += 1) socket.send(JSON.stringify({ id, subscribe: { channel: 'acme' } }));
  expect(await closed).toBe(3013);
});
