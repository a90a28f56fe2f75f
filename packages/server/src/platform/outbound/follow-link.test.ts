import { describe, expect, test } from 'vitest';
import { localServer } from '@bidwell/testing/local-server';
import { type LinkFollowerSeams, TooManyLinks, createLinkFollower } from './follow-link.ts';

const server = await localServer((_request, response) => response.end());
const { port } = server;

const options = {
  userAgent: 'Phone',
  hopsMax: 10,
  isTarget: (url: URL) => url.hostname === 'store.test',
};
/** The local server counts as public. */
const local = (over: Partial<LinkFollowerSeams> = {}) =>
  createLinkFollower({
    resolve: async () => [{ address: '127.0.0.1', family: 4 }],
    isAllowedAddress: (address) => address === '127.0.0.1',
    isAllowedPort: () => true,
    ...over,
  });
const at = (path: string, host = 'link.test') => `http://${host}:${port}${path}`;
const redirectTo = (...locations: string[]) => {
  server.respond = (request, response) => {
    const location = locations[Number(request.url?.slice(1)) || 0];
    if (location === undefined) response.end('arrived');
    else response.writeHead(302, { location, 'set-cookie': 'id=1' }).end();
  };
};

test('redirects are followed to the target, without cookies and without requesting it', async () => {
  redirectTo('/1', at('/2', 'other.test'), 'https://store.test/app');
  const { hops, end, target } = await local()(at('/0'), options);
  expect(hops.map(({ url, status, failure }) => [url.host, status, failure])).toEqual([
    [`link.test:${port}`, 302, null],
    [`link.test:${port}`, 302, null],
    [`other.test:${port}`, 302, null],
  ]);
  expect([end, target]).toEqual(['target', 'https://store.test/app']);
  expect(server.received.every(({ cookie }) => cookie === undefined)).toBe(true);
  expect(server.received).toHaveLength(3);
});

test('an address that is neither http nor https is a target', async () => {
  redirectTo('market://details?id=com.example');
  expect(await local()(at('/0'), options)).toMatchObject({
    end: 'target',
    target: 'market://details?id=com.example',
  });
});

test('the refresh of a page is followed, of a page that does not end too', async () => {
  server.respond = (request, response) => {
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' });
    if (request.url !== '/0') return response.end('arrived');
    response.write(`<meta http-equiv="refresh" content="0; url=${at('/1').replace('?', '&amp;')}">`);
    return response.write('x'.repeat(200_000));
  };
  const { hops, end } = await local()(at('/0'), options);
  expect([hops.map(({ url }) => url.pathname), end]).toEqual([['/0', '/1'], 'page']);
});

test('a loop ends at the address that was requested before', async () => {
  redirectTo('/1', '/0');
  expect(await local()(at('/0'), options)).toMatchObject({ end: 'loop', target: at('/0') });
  expect(server.received).toHaveLength(2);
});

test('the eleventh address is not requested', async () => {
  redirectTo(...Array.from({ length: 20 }, (_, n) => `/${n + 1}`));
  const { hops, end, target } = await local()(at('/0'), options);
  expect([hops.length, end, target]).toEqual([10, 'too_many', at('/10')]);
  expect(server.received).toHaveLength(10);
});

test('a host that is silent, and one that is not there, are failures of their hop', async () => {
  server.respond = (request, response) => {
    if (request.url === '/0') response.writeHead(302, { location: '/silent' }).end();
  };
  const silent = await local({ hopMs: 150 })(at('/0'), options);
  expect(silent.end).toBe('failed');
  expect(silent.hops.map(({ failure }) => failure)).toEqual([null, 'timeout']);
  const resolve = () => Promise.reject(new Error('getaddrinfo ENOTFOUND link.test'));
  expect((await local({ resolve })(at('/0'), options)).hops).toMatchObject([{ failure: 'unreachable' }]);
});

test('all requests together have a limit of time', async () => {
  redirectTo('/1', '/2');
  expect(await local({ totalMs: 0 })(at('/0'), options)).toMatchObject({ end: 'too_long', hops: [] });
});

test('an endless body is not read', async () => {
  server.respond = (_request, response) => {
    response.writeHead(200, { 'content-type': 'text/html' });
    const more = () => {
      while (!response.destroyed && response.write(Buffer.alloc(65_536, 'x')));
    };
    response.on('drain', more);
    more();
  };
  expect(await local()(at('/endless'), options)).toMatchObject({ end: 'page', hops: [{ status: 200 }] });
});

describe('without a request, it refuses', () => {
  test.each([
    ['an inner address', () => 'http://127.0.0.1/'],
    ['metadata', () => 'http://169.254.169.254/latest/meta-data'],
    ['an inner address of IPv6', () => 'http://[::1]/'],
    ['a number as an address', () => 'http://2130706433/'],
    ['another port', (p: number) => `http://link.test:${p}/`],
    ['a user', () => 'http://user:pass@link.test/'],
    ['a host with an inner address', () => 'http://link.test/'],
  ])('%s, by the rule of production', async (_name, address) => {
    const follow = createLinkFollower({ resolve: async () => [{ address: '10.0.0.1', family: 4 }] });
    expect((await follow(address(port), options)).hops).toMatchObject([{ failure: 'private', status: null }]);
    expect(server.received).toEqual([]);
  });

  test.each(['http://169.254.169.254/', 'http://inner.test/', '//[::1]/'])(
    'to be redirected to %s',
    async (location) => {
      server.respond = (_request, response) => response.writeHead(302, { location }).end();
      const resolve = async (host: string) => [
        { address: host === 'inner.test' ? '10.0.0.1' : '127.0.0.1', family: 4 },
      ];
      const { hops, end } = await local({ resolve })(at('/0'), options);
      expect([end, hops.map(({ failure }) => failure)]).toEqual(['failed', [null, 'private']]);
      expect(server.received).toHaveLength(1);
    },
  );
});

test('sixteen links are followed at once and a further one is rejected, until one is done', async () => {
  const waiting: (() => void)[] = [];
  let allReceived = () => {};
  const sixteen = new Promise<void>((resolve) => (allReceived = resolve));
  server.respond = (_request, response) => {
    waiting.push(() => response.end('done'));
    if (waiting.length === 16) allReceived();
  };
  const follow = local({ hopMs: 60_000, totalMs: 60_000 });
  const following = Array.from({ length: 16 }, () => follow(at('/0'), options));
  await sixteen;
  await expect(follow(at('/0'), options)).rejects.toBeInstanceOf(TooManyLinks);
  for (const end of waiting) end();
  expect((await Promise.all(following)).map(({ end }) => end)).toEqual(Array(16).fill('page'));
  server.respond = (_request, response) => response.end('again');
  expect((await follow(at('/0'), options)).end).toBe('page');
});
