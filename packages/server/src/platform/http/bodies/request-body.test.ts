import multipart from '@fastify/multipart';
import { type AddressInfo, type Socket, connect } from 'node:net';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { pino } from 'pino';
import { afterEach, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { readConfig } from '../../../config/config.ts';
import { registerRawHandler } from '../raw-handler.ts';
import { limitSlowUpload } from './request-body.ts';
import { createHttp } from '../server.ts';
import { eventually } from '@bidwell/testing/eventually';

const closers: (() => unknown)[] = [];
afterEach(async () => {
  vi.useRealTimers();
  for (const close of closers.splice(0)) await close();
});

/**
 * A server with a call, a form and a raw handler; reports arriving requests, and records its log. `isCrowded`: whether other
 * uploads wait.
 */
async function listening({ isCrowded = false } = {}) {
  const secrets = Object.fromEntries(
    ['ACCESS_TOKEN_SECRET', 'SIGNING_SECRET', 'OPERATOR_TOKEN'].map((name) => [name, 'x'.repeat(32)]),
  );
  const log: string[] = [];
  const config = readConfig({ DATA_DIR: tmpdir(), ...secrets });
  const http = await createHttp(config, pino({ level: 'info' }, { write: (line) => void log.push(line) }));
  await http.register(multipart);
  let arrived = () => {};
  const next = () => new Promise<void>((resolve) => (arrived = resolve));
  let begun = () => {};
  const nextForm = () => new Promise<void>((resolve) => (begun = resolve));
  http.addHook('onRequest', async () => arrived());
  http.get('/', async () => 'next');
  http.post('/call', async () => 'done');
  http.post('/form', { config: { form: z.object({}) } }, async (request) => {
    limitSlowUpload(request.raw, () => isCrowded);
    begun();
    for await (const part of request.parts()) if (part.type === 'file') part.file.resume();
    return 'done';
  });
  http.post('/refusing', { config: { form: z.object({}) } }, async (_request, reply) =>
    reply.code(422).send('no'),
  );
  registerRawHandler(http, {
    route: '/raw',
    takes: ({ url }) => url === '/raw',
    respond(request) {
      request.resume();
      arrived();
    },
  });
  await http.listen({ port: 0, host: '127.0.0.1' });
  const { port } = http.server.address() as AddressInfo;
  closers.push(() => http.close());
  return {
    log,
    next,
    nextForm,
    async open(): Promise<{ socket: Socket; received: () => string }> {
      const socket = connect(port, '127.0.0.1');
      closers.push(() => socket.destroy());
      let text = '';
      socket.on('data', (bytes) => (text += bytes.toString())).on('error', () => {});
      await once(socket, 'connect');
      return { socket, received: () => text };
    },
  };
}

const head = (path: string, length: number, type = 'application/json') =>
  `POST ${path} HTTP/1.1\r\nHost: here\r\nContent-Type: ${type}\r\nContent-Length: ${length}\r\n\r\n`;

test.each(['/call', '/raw'])(
  'a body of %s that does not arrive within 30 seconds is cut off',
  async (path) => {
    const server = await listening();
    vi.useFakeTimers({ toFake: ['setTimeout', 'setInterval', 'clearTimeout', 'clearInterval'] });
    const { socket, received } = await server.open();
    const arrived = server.next();
    socket.write(`${head(path, 1000)}{"a":`);
    await arrived;
    const closed = once(socket, 'close');
    vi.advanceTimersByTime(29_000);
    socket.write('1');
    vi.advanceTimersByTime(1000);
    await closed;
    expect(received()).toMatch(/^HTTP\/1.1 408 /);
    expect(server.log.join()).not.toContain('"level":50');
  },
);

test('an upload may take minutes, but not pause longer than 30 seconds', async () => {
  const server = await listening();
  vi.useFakeTimers({ toFake: ['setTimeout', 'setInterval', 'clearTimeout', 'clearInterval'] });
  const { socket, received } = await server.open();
  const arrived = server.next();
  socket.write(head('/form', 100_000, 'multipart/form-data; boundary=b'));
  socket.write('--b\r\nContent-Disposition: form-data; name="a"; filename="a"\r\n\r\n');
  await arrived;
  const closed = once(socket, 'close');
  vi.advanceTimersByTime(30_000);
  expect(received()).toBe('');
  vi.advanceTimersByTime(30_000);
  await closed;
  expect(received()).toMatch(/^HTTP\/1.1 408 /);
});

test.each([
  ['is cut off while others wait', true],
  ['goes on while no one waits', false],
])('an upload of some bytes a second %s', async (_what, isCrowded) => {
  const server = await listening({ isCrowded });
  vi.useFakeTimers({ toFake: ['setTimeout', 'setInterval', 'clearTimeout', 'clearInterval'] });
  const { socket, received } = await server.open();
  const begun = server.nextForm();
  socket.write(head('/form', 100_000, 'multipart/form-data; boundary=b'));
  socket.write('--b\r\nContent-Disposition: form-data; name="a"; filename="a"\r\n\r\nx');
  await begun;
  const closed = once(socket, 'close');
  vi.advanceTimersByTime(20_000);
  expect(socket.readyState).toBe('open');
  // The server stops only when the upload has ended.
  if (!isCrowded) socket.destroy();
  await closed;
  expect(received()).toMatch(isCrowded ? /^HTTP\/1.1 408 / : /^$/);
});

test('the rest of a rejected upload is discarded, and the connection can be used again', async () => {
  const server = await listening();
  const { socket, received } = await server.open();
  const size = 3_000_000;
  socket.write(head('/refusing', size, 'multipart/form-data; boundary=b'));
  await eventually(() => expect(received()).toMatch(/^HTTP\/1.1 422 /));
  socket.write(Buffer.alloc(size, 'x'));
  socket.write('GET / HTTP/1.1\r\nHost: here\r\n\r\n');
  await eventually(() => expect(received()).toMatch(/HTTP\/1.1 200 [^]*next$/));
});

test('a client that disconnects within its body is not logged as an error', async () => {
  const server = await listening();
  for (const [path, type] of [
    ['/call', 'application/json'],
    ['/form', 'multipart/form-data; boundary=b'],
  ] as const) {
    const { socket } = await server.open();
    const arrived = server.next();
    socket.write(`${head(path, 1000, type)}--b\r\n`);
    await arrived;
    socket.destroy();
  }
  const { socket, received } = await server.open();
  socket.write('GET / HTTP/1.1\r\nHost: here\r\n\r\n');
  await eventually(() => expect(received()).toContain('next'));
  expect(server.log.filter((line) => /"level":[56]0/.test(line))).toEqual([]);
});

test.each(['/call', '/form', '/raw'])('a body of %s in thousands of tiny chunks is cut off', async (path) => {
  const server = await listening();
  const { socket, received } = await server.open();
  const closed = once(socket, 'close');
  const type = path === '/form' ? 'multipart/form-data; boundary=b' : 'application/json';
  socket.write(
    `POST ${path} HTTP/1.1\r\nHost: here\r\nContent-Type: ${type}\r\nTransfer-Encoding: chunked\r\n\r\n`,
  );
  socket.write('1\r\n \r\n'.repeat(2000));
  await closed;
  expect(received()).toBe('');
  expect(server.log.join()).not.toContain('"level":50');
});

test('a large body in small chunks of usual size is read', async () => {
  const server = await listening();
  const { socket, received } = await server.open();
  socket.write(
    'POST /call HTTP/1.1\r\nHost: here\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n',
  );
  socket.write(`1\r\n"\r\n${`80\r\n${'x'.repeat(128)}\r\n`.repeat(3000)}1\r\n"\r\n0\r\n\r\n`);
  await eventually(() => expect(received()).toMatch(/^HTTP\/1.1 200 /));
});
