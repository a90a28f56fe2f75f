import { selfSigned } from '@bidwell/testing/engines/certificate';
import { localServer } from '@bidwell/testing/local-server';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { afterAll, expect, test } from 'vitest';
import { type HostCheckerSeams, createHostChecker } from './check-host.ts';

const certificate = selfSigned(['click.test']);
const expired = selfSigned(['click.test'], { until: '20210101000000Z' });
const server = await localServer((_request, response) => response.end('hit'), certificate);
const old = await localServer((_request, response) => response.end('hit'), expired);
const plain = await localServer((_request, response) => response.end('hit'));

/** It never answers. */
const silent = createServer(() => {}).listen(0, '127.0.0.1');
await once(silent, 'listening');
afterAll(() => void silent.close());

/** The local servers count as public. */
const local = (over: Partial<HostCheckerSeams> = {}) =>
  createHostChecker({
    resolve: async () => [{ address: '127.0.0.1', family: 4 }],
    isAllowedAddress: (address) => address === '127.0.0.1',
    isAllowedPort: () => true,
    ca: certificate.cert + expired.cert,
    ...over,
  });
const failing = (code: string) => async (): Promise<never> => {
  throw Object.assign(new Error(code), { code });
};

test('a host is reachable by TLS, or plainly where the link is plain, and gets no request', async () => {
  expect(await local()(`https://click.test:${server.port}`)).toBe('reachable');
  expect(await local()(`http://click.test:${plain.port}`)).toBe('reachable');
  expect([...server.received, ...plain.received]).toEqual([]);
});

test('the check says what is wrong with a host', async () => {
  const origin = `https://click.test:${server.port}`;
  expect(await local()(`https://click.test:${old.port}`)).toBe('certificate_expired');
  expect(await local()(`https://other.test:${server.port}`)).toBe('certificate');
  expect(await local()(`https://click.test:${plain.port}`)).toBe('certificate');
  expect(await local({ resolve: failing('ENOTFOUND') })(origin)).toBe('not_found');
  expect(await local({ totalMs: 1, resolve: () => new Promise(() => {}) })(origin)).toBe('timeout');
  expect(await local()('https://click.test:1')).toBe('refused');
});

test('the check says nothing about a host that this server cannot know', async () => {
  expect(await local({ resolve: failing('ESERVFAIL') })('https://click.test')).toBe('unknown');
  expect(await createHostChecker()('https://click.example.com:22')).toBe('unknown');
  expect(await local()('not an address')).toBe('unknown');
});

test('private addresses are not connected to, by name or by number', async () => {
  const resolve = async () => [
    { address: '127.0.0.1', family: 4 },
    { address: '10.0.0.1', family: 4 },
  ];
  expect(await local({ resolve })(`https://click.test:${server.port}`)).toBe('private');
  for (const host of ['127.0.0.1', '[::1]', '169.254.169.254', '2130706433'])
    expect([host, await createHostChecker()(`https://${host}`)]).toEqual([host, 'private']);
});

test('a check is broken off, with its connection', async () => {
  const stopping = new AbortController();
  const ended = new Promise<void>((resolve) => {
    silent.once('connection', (socket) => {
      socket.once('close', () => resolve());
      socket.resume();
      stopping.abort();
    });
  });
  const { port } = silent.address() as AddressInfo;
  expect(await local()(`https://click.test:${port}`, stopping.signal)).toBe('unknown');
  await ended;
  expect(await local()(`https://click.test:${server.port}`, stopping.signal)).toBe('unknown');
});
