import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { selfSigned } from '@bidwell/testing/engines/certificate';
import { localServer } from '@bidwell/testing/local-server';
import { type PageFetcherSeams, PageUnavailable, createPageFetcher } from './fetch-page.ts';

const names = ['store.test', 'other.test', 'evil.test'];
const certificate = selfSigned(names);
const server = await localServer((_request, response) => response.end('hello'), certificate);
const { port } = server;

const hosts = new Set(['store.test', 'other.test']);
/** The local server counts as public. */
const local = (over: Partial<PageFetcherSeams> = {}) =>
  createPageFetcher({
    resolve: async () => [{ address: '127.0.0.1', family: 4 }],
    isAllowedAddress: (address) => address === '127.0.0.1',
    port,
    ca: certificate.cert,
    ...over,
  });
const at = (path: string, host = 'store.test') => `https://${host}:${port}${path}`;
const rejected = async (fetching: Promise<string>, reason: RegExp) => {
  const error = await fetching.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(PageUnavailable);
  expect((error as Error).message).toMatch(reason);
};

test('a page is read, compressed or not', async () => {
  expect(await local()(at('/plain?a=1'), hosts)).toBe('hello');
  server.respond = (_request, response) =>
    response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('hällo packed'));
  expect(await local()(at('/packed'), hosts)).toBe('hällo packed');
  expect(server.received.map(({ url }) => url)).toEqual(['/plain?a=1', '/packed']);
});

describe('without a request, it rejects', () => {
  test.each([
    ['another host', (p: number) => `https://evil.test:${p}/`],
    ['a host that only ends like one', (p: number) => `https://a.store.test:${p}/`],
    ['http', (p: number) => `http://store.test:${p}/`],
    ['another port', () => 'https://store.test:8443/'],
    ['a user', (p: number) => `https://user:pass@store.test:${p}/`],
    ['an address', (p: number) => `https://127.0.0.1:${p}/`],
    ['an address of IPv6', (p: number) => `https://[::1]:${p}/`],
    ['a file', () => 'file:///etc/passwd'],
    ['nonsense', () => 'nonsense'],
  ])('%s', async (_name, address) => {
    const generous = new Set([...hosts, '127.0.0.1', '[::1]']);
    await rejected(local()(address(port), generous), /may not be read|No address/);
    expect(server.received).toEqual([]);
  });

  test.each([
    ['an inner address', [{ address: '127.0.0.1', family: 4 }]],
    ['a mapped one', [{ address: '::ffff:127.0.0.1', family: 6 }]],
    ['metadata', [{ address: '169.254.169.254', family: 4 }]],
    [
      'one inner address among public ones',
      [
        { address: '8.8.8.8', family: 4 },
        { address: '10.0.0.1', family: 4 },
      ],
    ],
    ['no address at all', []],
  ])('a host with %s, by the rule of production', async (_name, addresses) => {
    const fetchPage = createPageFetcher({ resolve: async () => addresses, port, ca: certificate.cert });
    await rejected(fetchPage(at('/'), hosts), /not in the public internet/);
    expect(server.received).toEqual([]);
  });

  test('an unknown host', async () => {
    const resolve = () => Promise.reject(new Error('getaddrinfo ENOTFOUND store.test'));
    await rejected(local({ resolve })(at('/'), hosts), /ENOTFOUND/);
  });
});

describe('redirects', () => {
  const redirectTo = (...locations: string[]) => {
    server.respond = (request, response) => {
      const step = Number(request.url?.slice(1)) || 0;
      const location = locations[step];
      if (location === undefined) response.end('arrived');
      else response.writeHead(302, { location, 'set-cookie': 'id=1' }).end();
    };
  };

  test('are followed three times, to allowed hosts, without cookies', async () => {
    redirectTo('/1', at('/2', 'other.test'), '/3');
    expect(await local()(at('/'), hosts)).toBe('arrived');
    expect(server.received.map(({ host, url }) => `${host}${url}`)).toEqual(
      ['store.test:/', 'store.test:/1', 'other.test:/2', 'other.test:/3'].map((step) =>
        step.replace(':', `:${port}`),
      ),
    );
    expect(server.received.every(({ cookie }) => cookie === undefined)).toBe(true);
  });

  test('are not followed a fourth time', async () => {
    redirectTo('/1', '/2', '/3', '/4');
    await rejected(local()(at('/'), hosts), /Too many redirects/);
    expect(server.received).toHaveLength(4);
  });

  test.each([
    'https://evil.test/',
    'http://store.test/',
    '//evil.test/',
    'https://127.0.0.1/',
    'https://169.254.169.254/latest/meta-data',
    'https://store.test:22/',
    'file:///etc/passwd',
  ])('to %s are not followed', async (location) => {
    redirectTo(location);
    await rejected(local()(at('/'), hosts), /may not be read/);
    expect(server.received).toHaveLength(1);
  });

  test('are resolved and checked too', async () => {
    redirectTo(at('/1', 'other.test'));
    const resolve = async (host: string) => [
      { address: host === 'other.test' ? '10.0.0.1' : '127.0.0.1', family: 4 },
    ];
    await rejected(local({ resolve })(at('/'), hosts), /not in the public internet/);
    expect(server.received).toHaveLength(1);
  });
});

describe('limits', () => {
  test('a page of 2 MB is read and a larger one is rejected', async () => {
    const size = 2 * 1024 * 1024;
    server.respond = (request, response) =>
      response.end(Buffer.alloc(request.url === '/fits' ? size : size + 1, 'x'));
    expect(await local()(at('/fits'), hosts)).toHaveLength(size);
    await rejected(local()(at('/more'), hosts), /too large/);
  });

  test('a page that decompresses to more is rejected', async () => {
    server.respond = (_request, response) =>
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(Buffer.alloc(50 * 1024 * 1024)));
    await rejected(local()(at('/bomb'), hosts), /too large/);
  });

  test('an endless stream is cut off', async () => {
    server.respond = (_request, response) => {
      const more = () => {
        while (!response.destroyed && response.write(Buffer.alloc(65_536, 'x')));
      };
      response.on('drain', more);
      more();
    };
    await rejected(local()(at('/endless'), hosts), /too large/);
  });

  test.each([
    ['an error', 500, {}, 'no', /500/],
    ['nothing there', 404, {}, 'no', /404/],
    ['a redirect to nowhere', 302, {}, '', /302/],
    ['another packing', 200, { 'content-encoding': 'br' }, 'x', /packed as br/],
    ['broken packing', 200, { 'content-encoding': 'gzip' }, 'not gzip', /header/],
  ])('%s is rejected', async (_name, status, headers, body, reason) => {
    server.respond = (_request, response) => response.writeHead(status, headers).end(body);
    await rejected(local()(at('/'), hosts), reason);
  });

  test('a server that never answers, or never ends, is abandoned', async () => {
    server.respond = () => {};
    await rejected(local({ totalMs: 100 })(at('/silent'), hosts), /./);
    server.respond = (_request, response) => void response.write('a beginning');
    await rejected(local({ totalMs: 100 })(at('/slow'), hosts), /./);
  });

  test('an untrusted certificate is rejected', async () => {
    await rejected(local({ ca: undefined })(at('/untrusted'), hosts), /certificate/);
    // A request that was abandoned may arrive late.
    expect(server.received.filter(({ url }) => url === '/untrusted')).toEqual([]);
  });

  test('eight pages are read at once and a ninth is rejected, until one is done', async () => {
    const waiting: (() => void)[] = [];
    let allReceived = () => {};
    const eight = new Promise<void>((resolve) => (allReceived = resolve));
    server.respond = (_request, response) => {
      waiting.push(() => response.end('done'));
      if (waiting.length === 8) allReceived();
    };
    const fetchPage = local();
    const reading = Array.from({ length: 8 }, () => fetchPage(at('/'), hosts));
    await eight;
    await rejected(fetchPage(at('/'), hosts), /Too many pages/);
    for (const end of waiting) end();
    expect(await Promise.all(reading)).toEqual(Array(8).fill('done'));
    server.respond = (_request, response) => response.end('again');
    expect(await fetchPage(at('/'), hosts)).toBe('again');
  });
});
