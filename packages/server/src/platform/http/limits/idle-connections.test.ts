import { once } from 'node:events';
import { type AddressInfo, type Socket, connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { pino } from 'pino';
import { expect, onTestFinished, test } from 'vitest';
import { eventually } from '@bidwell/testing/eventually';
import { readConfig } from '../../../config/config.ts';
import { type HttpSettings, KEEP_ALIVE_MS, createHttp } from '../server.ts';

const config = readConfig({ NODE_ENV: 'test', CAPTCHA: 'off' });

/** A server with a route that responds at once and one that waits for `release`. */
async function serverWith(over: Partial<HttpSettings>) {
  const http = await createHttp({ ...config, ...over }, pino({ level: 'silent' }));
  let release = () => {};
  const released = new Promise<void>((resolve) => (release = resolve));
  http.get('/now', async () => 'now');
  http.get('/later', async () => released.then(() => 'later'));
  await http.listen({ port: 0, host: '127.0.0.1' });
  onTestFinished(() => http.close());
  const { port } = http.server.address() as AddressInfo;
  const open = async (): Promise<Socket> => {
    const socket = connect(port, '127.0.0.1').on('error', () => {});
    onTestFinished(() => void socket.destroy());
    await once(socket, 'connect');
    return socket;
  };
  return { http, open, release };
}

const ask = (socket: Socket, path = '/now') =>
  socket.write(`GET ${path} HTTP/1.1\r\nhost: bidwell.test\r\n\r\n`);
const responds = async (socket: Socket) => {
  ask(socket);
  const [data] = (await once(socket, 'data')) as [Buffer];
  return data.toString().startsWith('HTTP/1.1 200');
};

test('idle connections stay open for longer than exchanges demand, and longer than headers may take', async () => {
  const { http, open } = await serverWith({});
  expect(KEEP_ALIVE_MS).toBeGreaterThan(300_000);
  expect(http.server.keepAliveTimeout).toBe(KEEP_ALIVE_MS);
  // The same over a socket, with both times shortened: the limit of headers counts from the first byte of a request.
  const short = await serverWith({ keepAliveMs: 5000 });
  short.http.server.headersTimeout = 100;
  const socket = await short.open();
  expect(await responds(socket)).toBe(true);
  await pause(400);
  expect(await responds(socket)).toBe(true);
  const other = await open();
  expect(await responds(other)).toBe(true);
});

test('a connection is closed once it has been idle for its time', async () => {
  const { open } = await serverWith({ keepAliveMs: 200 });
  const socket = await open();
  expect(await responds(socket)).toBe(true);
  await once(socket, 'close');
});

test('near the maximum idle connections are closed, and those with a running request are not', async () => {
  const { open, release } = await serverWith({ connectionsMax: 10, idle: { everyMs: 20, idleMs: 60 } });
  const working = await open();
  ask(working, '/later');
  const idle = await Promise.all(Array.from({ length: 8 }, open));
  for (const socket of idle) expect(await responds(socket)).toBe(true);
  await eventually(() =>
    expect(idle.some(({ closed, readableEnded }) => closed || readableEnded)).toBe(true),
  );
  expect(await responds(await open())).toBe(true);
  expect(working.closed).toBe(false);
  release();
  const [data] = (await once(working, 'data')) as [Buffer];
  expect(data.toString()).toContain('later');
});

test('far from the maximum no idle connection is closed', async () => {
  const { open } = await serverWith({ connectionsMax: 20, idle: { everyMs: 10, idleMs: 20 } });
  const idle = await Promise.all(Array.from({ length: 5 }, open));
  await pause(200);
  for (const socket of idle) expect(await responds(socket)).toBe(true);
});
