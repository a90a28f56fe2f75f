import { selfSigned } from '@bidwell/testing/engines/certificate';
import { localServer } from '@bidwell/testing/local-server';
import { expect, test } from 'vitest';
import { type ProviderFetchSeams, ProviderUnavailable, createProviderFetch } from './provider-fetch.ts';

const HOST = 'id.test';
const certificate = selfSigned([HOST, 'other.test']);
const server = await localServer((_request, response) => response.end('{}'), certificate);

/** The local server counts as public, and its port as one that an operator trusts. */
const local = (over: Partial<ProviderFetchSeams> = {}) =>
  createProviderFetch({
    resolve: async () => [{ address: '127.0.0.1', family: 4 }],
    resolveTrusted: async () => [{ address: '127.0.0.1', family: 4 }],
    isAllowedAddress: (address) => address === '127.0.0.1',
    trustedHosts: new Set([`${HOST}:${server.port}`]),
    ca: certificate.cert,
    ...over,
  });
const get = { method: 'GET', headers: {}, body: undefined, signal: undefined };
const at = (path: string) => `https://${HOST}:${server.port}${path}`;

test('a request has the given method, headers and body, and the response is read whole', async () => {
  server.respond = (request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => {
      response.writeHead(400, { 'content-type': 'application/json' });
      response.end(JSON.stringify([request.method, request.headers['x-own'], body]));
    });
  };
  const answer = await local()('company', at('/token'), {
    method: 'POST',
    headers: { 'x-own': 'yes' },
    body: 'a=1',
    signal: undefined,
  });
  expect([answer.status, await answer.json()]).toEqual([400, ['POST', 'yes', 'a=1']]);
  server.respond = (_request, response) => response.writeHead(204).end();
  expect(await (await local()('company', at('/'), get)).text()).toBe('');
});

test('a redirect is returned and not followed', async () => {
  server.respond = (_request, response) => response.writeHead(302, { location: at('/inner') }).end();
  const answer = await local()('company', at('/'), get);
  expect(answer.status).toBe(302);
  expect(server.received).toHaveLength(1);
});

test.each([
  ['without TLS', () => `http://${HOST}:${server.port}/`],
  ['at an address', () => `https://127.0.0.1:${server.port}/`],
  ['at an address of IPv6', () => `https://[::1]:${server.port}/`],
  ['at a number as an address', () => 'https://2130706433/'],
  ['with a password', () => `https://a:b@${HOST}:${server.port}/`],
  ['on a port other than the port of https', () => `https://other.test:${server.port}/`],
  ['of another kind', () => 'file:///etc/passwd'],
])('a host %s is not requested', async (_name, address) => {
  await expect(local()('company', address(), get)).rejects.toBeInstanceOf(ProviderUnavailable);
  expect(server.received).toEqual([]);
});

test('a host in the private network is not requested, also when its name is resolved again', async () => {
  const answers = ['93.184.216.34', '10.0.0.1'];
  const fetch = createProviderFetch({
    resolve: async () => answers.map((address) => ({ address, family: 4 })),
  });
  await expect(fetch('company', 'https://rebinding.test/', get)).rejects.toThrow(
    'rebinding.test is not in the public internet',
  );
});

test('a host that an operator trusts may be in the private network', async () => {
  const fetch = local({ isAllowedAddress: () => false });
  expect((await fetch('company', at('/'), get)).status).toBe(200);
});

test('a silent, a slow and an endless response end', async () => {
  const fetch = local({ totalMs: 200 });
  server.respond = () => {};
  await expect(fetch('company', at('/'), get)).rejects.toBeInstanceOf(ProviderUnavailable);
  server.respond = (_request, response) => void response.write('{');
  await expect(fetch('company', at('/'), get)).rejects.toBeInstanceOf(ProviderUnavailable);
  server.respond = (_request, response) => {
    const more = () => {
      while (!response.destroyed && response.write(Buffer.alloc(65_536, 'x')));
    };
    response.on('drain', more);
    more();
  };
  await expect(local()('company', at('/'), get)).rejects.toThrow('The response is too large');
});

test('the requests of one company at once are limited, and leave room for others', async () => {
  const waiting: (() => void)[] = [];
  server.respond = (request, response) => {
    if (request.url === '/quick') response.end('done');
    else waiting.push(() => response.end('done'));
  };
  const fetch = local();
  const slow = Array.from({ length: 4 }, () => fetch('slow', at('/'), get));
  await expect(fetch('slow', at('/'), get)).rejects.toThrow('Too many requests');
  expect((await fetch('other', at('/quick'), get)).status).toBe(200);
  await expect.poll(() => waiting.length).toBe(4);
  for (const end of waiting) end();
  await Promise.all(slow);
  expect((await fetch('slow', at('/quick'), get)).status).toBe(200);
});
