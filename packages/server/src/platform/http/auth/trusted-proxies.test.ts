import { expect, test } from 'vitest';
import { readConfig } from '../../../config/config.ts';
import { createHttp } from '../server.ts';
import { tmpdir } from 'node:os';
import { pino } from 'pino';

/** The client address that the server determines. */
async function addressOf(trustProxy: string, forwardedFor: string, peer = '10.0.0.9'): Promise<string> {
  const secrets = Object.fromEntries(
    ['ACCESS_TOKEN_SECRET', 'SIGNING_SECRET', 'OPERATOR_TOKEN'].map((name) => [name, 'x'.repeat(32)]),
  );
  const config = readConfig({ DATA_DIR: tmpdir(), TRUST_PROXY: trustProxy, ...secrets });
  const http = await createHttp(config, pino({ level: 'silent' }));
  http.get('/address', async (request) => ({ data: request.ip }));
  const response = await http.inject({
    url: '/address',
    remoteAddress: peer,
    headers: { 'x-forwarded-for': forwardedFor },
  });
  await http.close();
  return response.json<{ data: string }>().data;
}

test.each([
  ['false', 'no proxy is trusted', '198.51.100.1, 203.0.113.5', '10.0.0.9'],
  ['0', 'no proxy is trusted', '203.0.113.5', '10.0.0.9'],
  // Entries written by the client are to the left of those that the proxy adds.
  ['1', 'one proxy adds the last address', '198.51.100.1, 203.0.113.5', '203.0.113.5'],
  ['true', 'means one proxy', '198.51.100.1, 203.0.113.5', '203.0.113.5'],
  ['2', 'two proxies add the last two', '198.51.100.1, 203.0.113.5, 192.0.2.7', '203.0.113.5'],
  ['10.0.0.0/8', 'the last address that is no proxy', '198.51.100.1, 203.0.113.5, 10.2.3.4', '203.0.113.5'],
  ['uniquelocal,192.0.2.7', 'names and single addresses', '203.0.113.5, 192.0.2.7', '203.0.113.5'],
  ['192.168.0.0/16', 'a peer outside the networks is the client', '203.0.113.5', '10.0.0.9'],
])('TRUST_PROXY=%s: %s', async (trustProxy, _meaning, forwardedFor, expected) => {
  expect(await addressOf(trustProxy, forwardedFor)).toBe(expected);
});

test('an IPv4 peer on an IPv6 socket is in the IPv4 network', async () => {
  expect(await addressOf('10.0.0.0/8', '203.0.113.5', '::ffff:10.1.2.3')).toBe('203.0.113.5');
  expect(await addressOf('fc00::/7', '203.0.113.5', 'fd12::1')).toBe('203.0.113.5');
});
