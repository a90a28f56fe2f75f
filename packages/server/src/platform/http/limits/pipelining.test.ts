import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { pino } from 'pino';
import { afterAll, expect, test } from 'vitest';
import { readConfig } from '../../../config/config.ts';
import { registerRawHandler } from '../raw-handler.ts';
import { createHttp } from '../server.ts';

const http = await createHttp(readConfig({ NODE_ENV: 'test', CAPTCHA: 'off' }), pino({ level: 'silent' }));
let running = 0;
let most = 0;
http.get('/numbered/:number', async (request) => {
  running += 1;
  most = Math.max(most, running);
  await new Promise((resolve) => setImmediate(resolve));
  running -= 1;
  return `number ${(request.params as { number: string }).number};`;
});
let held = 0;
registerRawHandler(http, {
  route: '/raw',
  takes: ({ url }) => url?.startsWith('/raw') === true,
  respond: (request, response) => {
    if (request.url === '/raw-held') held += 1;
    else setImmediate(() => response.end('raw;'));
  },
});
await http.listen({ port: 0, host: '127.0.0.1' });
afterAll(() => http.close());

const requestTo = (path: string, isLast = false) =>
  `GET ${path} HTTP/1.1\r\nhost: bidwell.test\r\n${isLast ? 'connection: close\r\n' : ''}\r\n`;

/** Sends requests in one piece, and resolves to all that comes back until the connection ends. */
async function responsesTo(...requests: string[]): Promise<string> {
  const socket = connect((http.server.address() as AddressInfo).port, '127.0.0.1').on('error', () => {});
  await once(socket, 'connect');
  socket.write(requests.join(''));
  return text(socket).catch(() => 'cut');
}

test('the requests of a connection are answered one after another, in their order', async () => {
  const requests = Array.from({ length: 12 }, (_, n) => requestTo(`/numbered/${n}`, n === 11));
  const responses = [...(await responsesTo(...requests)).matchAll(/number (\d+);/g)].map(([, n]) =>
    Number(n),
  );
  expect(responses).toEqual(Array.from({ length: 12 }, (_, n) => n));
  expect(most).toBe(1);
});

test('requests in front of the router and behind it get their responses in order', async () => {
  const paths = ['/raw', '/numbered/1', '/raw', '/numbered/2'];
  const responses = await responsesTo(...paths.map((path, index) => requestTo(path, index === 3)));
  expect(responses.match(/number \d;|raw;/g)).toEqual(['raw;', 'number 1;', 'raw;', 'number 2;']);
});

test.each([
  ['/numbered/7', 'number 7;'],
  ['/raw', 'raw;'],
])(
  'of hundreds of requests to %s at once 17 are answered, and the connection is closed',
  async (path, response) => {
    const responses = await responsesTo(...Array.from({ length: 300 }, () => requestTo(path)));
    expect(responses.match(/HTTP\/1\.1 200/g)).toHaveLength(17);
    expect(responses.endsWith(response)).toBe(true);
  },
);

test('a request behind one in front of the router begins only when that is answered, and not if its client leaves', async () => {
  const before = most;
  most = 0;
  const socket = connect((http.server.address() as AddressInfo).port, '127.0.0.1').on('error', () => {});
  await once(socket, 'connect');
  socket.write(requestTo('/raw-held') + requestTo('/numbered/1'));
  await expect.poll(() => held).toBe(1);
  const closed = once(socket, 'close');
  socket.destroy();
  await closed;
  expect(await responsesTo(requestTo('/raw', true))).toContain('raw;');
  expect(most).toBe(0);
  most = before;
});
