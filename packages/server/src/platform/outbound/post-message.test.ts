import { describe, expect, test } from 'vitest';
import { selfSigned } from '@bidwell/testing/engines/certificate';
import { localServer } from '@bidwell/testing/local-server';
import { createPoster } from './post-message.ts';
import type { ReceiverSeams } from './receivers.ts';

const certificate = selfSigned(['hook.test']);
const server = await localServer((_request, response) => response.end('thanks\n'), certificate);
const plain = await localServer((_request, response) => response.end('inner'));
const { port } = server;
const none: ReadonlySet<string> = new Set();

/** The local server counts as public. */
const local = (over: Partial<ReceiverSeams> = {}, internal = none) =>
  createPoster(internal, {
    resolve: async () => [{ address: '127.0.0.1', family: 4 }],
    isAllowedAddress: (address) => address === '127.0.0.1',
    isAllowedPort: (one) => one === port,
    ca: certificate.cert,
    ...over,
  });
const message = { headers: { 'webhook-id': 'one' }, body: '{"a":1}' };
const address = `https://hook.test:${port}/in`;

test('a message is posted as JSON, and the start of the response comes back in one line', async () => {
  let seen = '';
  server.respond = (request, response) => {
    const { method, headers } = request;
    request.on('data', (chunk: Buffer) => {
      seen = [method, headers['content-type'], headers['webhook-id'], chunk.toString()].join(' ');
      response.writeHead(202).end(`line one\n\tline two ${'x'.repeat(10_000)}`);
    });
  };
  const { status, start, failure } = await local()(address, message);
  expect(seen).toBe('POST application/json one {"a":1}');
  expect([status, failure, start.slice(0, 18), start.length]).toEqual([202, null, 'line one line two ', 500]);
});

test('redirects are not followed', async () => {
  server.respond = (_request, response) =>
    response.writeHead(302, { location: 'https://hook.test/next' }).end();
  expect(await local()(address, message)).toMatchObject({ status: 302, failure: null });
  expect(server.received).toHaveLength(1);
});

describe('without a request, it rejects', () => {
  test.each([
    ['http', (p: number) => `http://hook.test:${p}/`],
    ['another port', () => 'https://hook.test:22/'],
    ['a user', (p: number) => `https://a:b@hook.test:${p}/`],
    ['an inner address of IPv4', (p: number) => `https://10.0.0.1:${p}/`],
    ['a number as address', (p: number) => `https://2852039166:${p}/`],
    ['an inner address of IPv6', (p: number) => `https://[::1]:${p}/`],
    ['a mapped address', (p: number) => `https://[::ffff:169.254.169.254]:${p}/`],
    ['a file', () => 'file:///etc/passwd'],
  ])('%s', async (_what, of) => {
    expect(await local()(of(port), message)).toEqual({ status: null, start: '', failure: 'private' });
    expect(server.received).toEqual([]);
  });

  test('a name with an inner address, by the rule of production, also together with a public one', async () => {
    for (const addresses of [['127.0.0.1'], ['169.254.169.254'], ['8.8.8.8', '10.0.0.1'], []]) {
      const post = createPoster(none, {
        resolve: async () => addresses.map((one) => ({ address: one, family: 4 })),
        isAllowedPort: (one) => one === port,
        ca: certificate.cert,
      });
      expect(await post(address, message)).toMatchObject({ failure: 'private' });
    }
    expect(server.received).toEqual([]);
  });
});

test('the address that was checked is the one connected to: a name that changes afterwards is not resolved again', async () => {
  let lookups = 0;
  const resolve = async () => [{ address: (lookups += 1) === 1 ? '127.0.0.1' : '10.0.0.1', family: 4 }];
  expect(await local({ resolve })(address, message)).toMatchObject({ status: 200, start: 'thanks' });
  expect(lookups).toBe(1);
  expect(await local({ resolve })(address, message)).toMatchObject({ failure: 'private' });
});

test('hosts of the settings are reached with their port only, also over http', async () => {
  const internal = new Set([`127.0.0.1:${plain.port}`]);
  expect(await createPoster(internal)(`http://127.0.0.1:${plain.port}/`, message)).toMatchObject({
    status: 200,
    start: 'inner',
  });
  expect(await createPoster(internal)(`http://127.0.0.1:${port}/`, message)).toMatchObject({
    failure: 'private',
  });
});

test('a receiver that never answers is abandoned, and one that never ends has its status', async () => {
  server.respond = () => {};
  expect(await local({ totalMs: 100 })(address, message)).toMatchObject({ status: null, failure: 'timeout' });
  server.respond = (_request, response) => void response.writeHead(200).write('a beginning');
  expect(await local({ totalMs: 300 })(address, message)).toMatchObject({
    status: 200,
    start: 'a beginning',
  });
});

test('a closed port and an untrusted certificate are no connection', async () => {
  const unreachable = { status: null, failure: 'unreachable' };
  expect(await local({ isAllowedPort: () => true })('https://hook.test:1/', message)).toMatchObject(
    unreachable,
  );
  expect(await local({ ca: undefined })(address, message)).toMatchObject(unreachable);
});
