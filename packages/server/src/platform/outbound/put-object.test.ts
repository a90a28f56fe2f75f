import { selfSigned } from '@bidwell/testing/engines/certificate';
import { localServer } from '@bidwell/testing/local-server';
import { expect, test } from 'vitest';
import { createObjectPutter } from './put-object.ts';
import type { ReceiverSeams } from './receivers.ts';

const certificate = selfSigned(['s3.test']);
const server = await localServer((_request, response) => response.end(), certificate);
const { port } = server;

/** The local server counts as public. */
const local = (over: Partial<ReceiverSeams> = {}) =>
  createObjectPutter(new Set(), {
    resolve: async () => [{ address: '127.0.0.1', family: 4 }],
    isAllowedAddress: (address) => address === '127.0.0.1',
    isAllowedPort: (one) => one === port,
    ca: certificate.cert,
    ...over,
  });
const place = (endpoint: string) => ({
  endpoint,
  bucket: 'reports',
  region: 'eu-central-1',
  accessKeyId: 'KEY',
  secretAccessKey: 'SECRET',
});
const object = { name: 'a/b c.csv', content: Buffer.from('a,b\r\n'), contentType: 'text/csv' };

test('an object is stored by one signed request, the bucket first in the path', async () => {
  let seen: unknown;
  server.respond = (request, response) => {
    const { method, url, headers } = request;
    request.on('data', (chunk: Buffer) => {
      seen = [method, url, headers['content-type'], chunk.toString()];
      response.writeHead(headers.authorization?.includes('KEY/') ? 200 : 403).end();
    });
  };
  expect(await local()(place(`https://s3.test:${port}`), object)).toEqual({
    status: 200,
    code: null,
    failure: null,
  });
  expect(seen).toEqual(['PUT', '/reports/a/b%20c.csv', 'text/csv', 'a,b\r\n']);
});

test('the error code of S3 comes back in one line, and redirects are not followed', async () => {
  server.respond = (_request, response) =>
    response
      .writeHead(403, { 'content-type': 'application/xml' })
      .end('<Error><Code>AccessDenied</Code><Message>No</Message></Error>');
  const to = place(`https://s3.test:${port}`);
  expect(await local()(to, object)).toEqual({ status: 403, code: 'AccessDenied', failure: null });
  for (const [type, document] of [
    [
      'application/xml',
      '<?xml version="1.0"?><Error xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><Code>NoSuchBucket</Code></Error>',
    ],
    [
      'text/xml; charset=utf-8',
      '<s3:Error xmlns:s3="urn:s3"><s3:Code>NoSuchBucket</s3:Code><s3:Message>Kein Eimer: ä</s3:Message></s3:Error>',
    ],
    ['application/octet-stream', '<Error>\n  <Code type="a"> NoSuchBucket </Code>\n</Error>'],
  ]) {
    server.respond = (_request, response) => response.writeHead(404, { 'content-type': type }).end(document);
    expect(await local()(to, object)).toEqual({ status: 404, code: 'NoSuchBucket', failure: null });
  }
  server.received.length = 0;
  server.respond = (_request, response) =>
    response.writeHead(307, { location: `https://s3.test:${port}/inner` }).end();
  expect(await local()(to, object)).toMatchObject({ status: 307, failure: null });
  expect(server.received).toHaveLength(1);
});

test.each([
  ['http', `http://s3.test:${port}`],
  ['another port', 'https://s3.test:22'],
  ['an inner address', `https://10.0.0.1:${port}`],
  ['the metadata service of clouds', 'https://169.254.169.254'],
  ['an inner address of IPv6', `https://[::1]:${port}`],
])('without a request, it rejects %s', async (_what, endpoint) => {
  expect(await local()(place(endpoint), object)).toEqual({ status: null, code: null, failure: 'private' });
  expect(server.received).toEqual([]);
});

test('a name with an inner address is not connected to', async () => {
  const put = local({ isAllowedAddress: () => false });
  expect(await put(place(`https://s3.test:${port}`), object)).toMatchObject({ failure: 'private' });
  expect(server.received).toEqual([]);
});

test('a server that does not respond is given up', async () => {
  server.respond = () => {};
  const put = local({ totalMs: 50 });
  expect(await put(place(`https://s3.test:${port}`), object)).toMatchObject({ failure: 'timeout' });
});
