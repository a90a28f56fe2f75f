import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, type Socket, connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, expect, onTestFinished, test, vi } from 'vitest';
import { eventually } from '@bidwell/testing/eventually';
import { drain } from '../drain.ts';
import type { RawCall } from './call.ts';
import { Door } from './door.ts';

/** A server with a door for `/bid/`, `/t/win/` and `/t/loss/`, whose other addresses are answered by node:http. */
async function serverWithDoor(answer: (call: RawCall) => void, over: { bodyMsMax?: number } = {}) {
  const server = createServer({ keepAliveTimeout: 300_000 }, (request, response) => {
    response.end(`node:http has ${request.method} ${request.url};`);
  });
  const door = new Door(server);
  const common = { bodyBytesMax: 1000, bodyMsMax: 1000, respond: answer, ...over };
  door.add({ ...common, method: 'POST', prefix: '/bid/', template: '/bid/{id}' });
  const kinds = new Set(['win', 'loss']);
  door.add({ ...common, method: 'GET', prefix: '/t/', kinds, template: '/t/{kind}/{id}' });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const open = async (): Promise<Socket> => {
    const socket = connect(port, '127.0.0.1').on('error', () => {});
    await once(socket, 'connect');
    return socket;
  };
  /** Sends text in the given pieces, and resolves to all that comes back until the server closes the connection. */
  const received = async (...pieces: (string | Buffer)[]): Promise<string> => {
    const socket = (await open()).setNoDelay(true);
    const all = text(socket).catch(() => 'cut');
    for (const piece of pieces) {
      socket.write(piece);
      await new Promise((resolve) => setImmediate(resolve));
    }
    return all;
  };
  const stop = (): void => {
    server.close();
    door.close();
    server.closeAllConnections();
  };
  return { server, door, open, received, stop };
}

/** Answers with the address and the body of a request. */
const echo = (call: RawCall): void =>
  call.body((body) => {
    if (body === 'aborted') return;
    if (body === 'too-large') call.answer(413, [], null);
    else call.answer(200, ['x-of', 'the door'], `${call.url} has ${body.toString('utf8')};`);
  });
const { received, open, stop } = await serverWithDoor(echo);
afterAll(stop);

const request = (id: string | number, body = '', headers: readonly string[] = []): string =>
  [`POST /bid/${id} HTTP/1.1`, 'host: bidwell.test', ...headers, `content-length: ${Buffer.byteLength(body)}`, '', body].join('\r\n'); // prettier-ignore
const chunked = (id: string | number, chunks: string): string =>
  `POST /bid/${id} HTTP/1.1\r\nhost: bidwell.test\r\ntransfer-encoding: chunked\r\n\r\n${chunks}`;
const LAST = ['connection: close'];
const bodiesOf = (responses: string): string[] => responses.match(/(?:\/bid|\/t|node:http)[^;]*;/g) ?? [];

test('requests of a connection are answered in their order, whichever is ready first', async () => {
  const calls: RawCall[] = [];
  const held = await serverWithDoor((call) => void calls.push(call));
  onTestFinished(held.stop);
  const all = held.received(request(1) + request(2) + request(3, '', LAST));
  await eventually(() => expect(calls).toHaveLength(3));
  for (const index of [2, 0, 1]) calls[index]!.answer(200, [], `${calls[index]!.url};`);
  expect(bodiesOf(await all)).toEqual(['/bid/1;', '/bid/2;', '/bid/3;']);
});

test('a body is asked for once the requests before it have their answers', async () => {
  const calls: RawCall[] = [];
  const held = await serverWithDoor((call) => {
    calls.push(call);
    if (calls.length > 1) echo(call);
  });
  onTestFinished(held.stop);
  const socket = await held.open();
  let all = '';
  socket.setEncoding('latin1').on('data', (part: string) => (all += part));
  const expecting = request(2, 'abc', ['expect: 100-continue', ...LAST]);
  socket.write(request(1) + expecting.slice(0, -3));
  await eventually(() => expect(calls).toHaveLength(1));
  calls[0]!.answer(200, [], '/bid/1;');
  await eventually(() => expect(all).toContain('100 Continue'));
  socket.write('abc');
  await eventually(() => expect(all).toContain('/bid/2'));
  expect(all.match(/HTTP\/1\.1 \d+|\/bid[^;]*;/g)).toEqual([
    'HTTP/1.1 200',
    '/bid/1;',
    'HTTP/1.1 100',
    'HTTP/1.1 200',
    '/bid/2 has abc;',
  ]);
});

test('a request is read wherever its bytes are split', async () => {
  const whole =
    request(1, '{"é":1}') + chunked(2, '3\r\nabc\r\nA\r\n0123456789\r\n0\r\n\r\n') + request(3, 'x', LAST);
  const bytes = Buffer.from(whole);
  const expected = ['/bid/1 has {"é":1};', '/bid/2 has abc0123456789;', '/bid/3 has x;'];
  const responses = Array.from({ length: bytes.length - 1 }, (_, at) =>
    received(bytes.subarray(0, at + 1), bytes.subarray(at + 1)),
  );
  for (const response of await Promise.all(responses)) expect(bodiesOf(response)).toEqual(expected);
  const single = await received(...Array.from(bytes, (_, at) => bytes.subarray(at, at + 1)));
  expect(bodiesOf(single)).toEqual(expected);
});

test('from its first request to another address on, a connection is read by the server', async () => {
  const other = (method: string, path: string, headers = '') =>
    `${method} ${path} HTTP/1.1\r\nhost: bidwell.test\r\n${headers}\r\n`;
  const responses = await received(
    request(1, 'a') +
      request(2, 'b') +
      other('GET', '/healthz') +
      request(3, 'c') +
      other('GET', '/x', 'connection: close\r\n'),
  );
  expect(bodiesOf(responses)).toEqual([
    '/bid/1 has a;',
    '/bid/2 has b;',
    'node:http has GET /healthz;',
    'node:http has POST /bid/3;',
    'node:http has GET /x;',
  ]);
});

test('a connection may have requests of all routes, and is passed on with a kind that is none of a route', async () => {
  const get = (path: string, headers = '') => `GET ${path} HTTP/1.1\r\nhost: bidwell.test\r\n${headers}\r\n`;
  const ours = get('/t/win/1') + request(2, 'b') + get('/t/loss/3?a=/b');
  const responses = await received(ours + get('/t/click/4') + get('/t/win/5', 'connection: close\r\n'));
  expect(bodiesOf(responses)).toEqual([
    '/t/win/1 has ;',
    '/bid/2 has b;',
    '/t/loss/3?a=/b has ;',
    'node:http has GET /t/click/4;',
    'node:http has GET /t/win/5;',
  ]);
  const single = await received(...Array.from(ours + get('/t/win/6', 'connection: close\r\n')));
  expect(bodiesOf(single)).toEqual([
    '/t/win/1 has ;',
    '/bid/2 has b;',
    '/t/loss/3?a=/b has ;',
    '/t/win/6 has ;',
  ]);
  expect(bodiesOf(await received('HEAD /t/win/7 HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n'))).toEqual(
    [],
  );
  expect(bodiesOf(await received(get('/t/win', 'connection: close\r\n')))).toEqual([
    'node:http has GET /t/win;',
  ]);
});

const HEAD = 'POST /bid/1 HTTP/1.1\r\nhost: bidwell.test\r\n';
test.each([
  ['a header without a value and a colon', `${HEAD}nothing\r\n\r\n`, 400],
  ['a space before the colon', `${HEAD}content-length : 3\r\n\r\nabc`, 400],
  ['a folded line', `${HEAD}x-a: 1\r\n 2\r\n\r\n`, 400],
  ['a line without a carriage return', `${HEAD}x-a: 1\nx-b: 2\r\n\r\n`, 400],
  ['a carriage return alone', `${HEAD}x-a: 1\rx-b: 2\r\n\r\n`, 400],
  ['a NUL in a value', `${HEAD}x-a: 1\0\r\n\r\n`, 400],
  ['two lengths', `${HEAD}content-length: 3\r\ncontent-length: 3\r\n\r\nabc`, 400],
  ['a list of lengths', `${HEAD}content-length: 3, 3\r\n\r\nabc`, 400],
  ['a signed length', `${HEAD}content-length: +3\r\n\r\nabc`, 400],
  ['a tab after a length', `${HEAD}content-length: 3\t\r\n\r\nabc`, 400],
  ['a length and chunks', `${HEAD}content-length: 3\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n`, 400],
  ['another coding before chunks', `${HEAD}transfer-encoding: gzip, chunked\r\n\r\n0\r\n\r\n`, 400],
  ['chunks of HTTP/1.0', 'POST /bid/1 HTTP/1.0\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n', 400],
  ['an extension of a chunk', `${HEAD}transfer-encoding: chunked\r\n\r\n1;a=b\r\nx\r\n0\r\n\r\n`, 400],
  ['a chunk longer than its size', `${HEAD}transfer-encoding: chunked\r\n\r\n1\r\nxy\r\n0\r\n\r\n`, 400],
  ['a trailer', `${HEAD}transfer-encoding: chunked\r\n\r\n0\r\nx-a: 1\r\n\r\n`, 400],
  ['no host', 'POST /bid/1 HTTP/1.1\r\ncontent-length: 0\r\n\r\n', 400],
  ['two hosts', `${HEAD}host: other.test\r\n\r\n`, 400],
  ['an upgrade', `${HEAD}connection: upgrade\r\nupgrade: websocket\r\n\r\n`, 400],
  ['a space in the address', 'POST /bid/1 2 HTTP/1.1\r\nhost: bidwell.test\r\n\r\n', 400],
  ['a version that does not exist', 'POST /bid/1 HTTP/1.2\r\nhost: bidwell.test\r\n\r\n', 505],
  ['a POST without a length', `${HEAD}\r\n`, 411],
  ['a POST of HTTP/1.0 without a length', 'POST /bid/1 HTTP/1.0\r\n\r\n', 411],
  ['an unknown expectation', `${HEAD}expect: a miracle\r\n\r\n`, 417],
  ['a head of 17 kB', `${HEAD}x-a: ${'a'.repeat(17_000)}\r\n\r\n`, 431],
  ['two hundred headers', `${HEAD}${'x-a: 1\r\n'.repeat(200)}\r\n`, 431],
])('%s is refused, and what follows is not read', async (_, bytes, status) => {
  const responses = await received(bytes + request('smuggled', '', LAST));
  expect(responses).toMatch(new RegExp(`^HTTP/1\\.1 ${status} [^]*connection: close`, 'i'));
  expect(responses).not.toContain('smuggled');
});

test('the answers before a refused request are sent', async () => {
  const responses = await received(`${request(1, 'a')}POST /bid/2 HTTP/1.1\r\n\r\n`);
  expect(bodiesOf(responses)).toEqual(['/bid/1 has a;']);
  expect(responses).toContain('HTTP/1.1 400 Bad Request');
});

test('HTTP/1.0 keeps the connection only where the client says so', async () => {
  const old = (id: number, headers = '') =>
    `POST /bid/${id} HTTP/1.0\r\n${headers}content-length: 1\r\n\r\nx`;
  const responses = await received(old(1, 'connection: keep-alive\r\n') + old(2) + old(3));
  expect(bodiesOf(responses)).toEqual(['/bid/1 has x;', '/bid/2 has x;']);
  expect(responses.match(/connection: .*/g)).toEqual(['connection: keep-alive', 'connection: close']);
});

test('what follows a request that closes its connection is not read, also before it is answered', async () => {
  const calls: RawCall[] = [];
  const held = await serverWithDoor((call) => void calls.push(call));
  onTestFinished(held.stop);
  const all = held.received(request(1, 'a', LAST) + request(2));
  await eventually(() => expect(calls).toHaveLength(1));
  calls[0]!.answer(200, [], `${calls[0]!.url};`);
  expect(bodiesOf(await all)).toEqual(['/bid/1;']);
  expect(calls).toHaveLength(1);
});

test('a client that has closed its side gets the answers to all of its requests', async () => {
  const calls: RawCall[] = [];
  const held = await serverWithDoor((call) => void calls.push(call));
  onTestFinished(held.stop);
  const socket = await held.open();
  const all = text(socket);
  socket.end(Array.from({ length: 40 }, (_, id) => request(id)).join(''));
  for (let answered = 0; answered < 40; answered += 1) {
    await eventually(() => expect(calls.length).toBeGreaterThan(answered));
    calls[answered]!.answer(200, [], `${calls[answered]!.url};`);
  }
  expect(bodiesOf(await all)).toHaveLength(40);
});

test('a client that asks first is asked for the body', async () => {
  const socket = await open();
  onTestFinished(() => void socket.destroy());
  socket.write(`${HEAD}expect: 100-continue\r\ncontent-length: 3\r\n\r\n`);
  expect(String(await once(socket, 'data'))).toBe('HTTP/1.1 100 Continue\r\n\r\n');
  socket.write('abc');
  expect(String(await once(socket, 'data'))).toContain('/bid/1 has abc;');
});

test('a body that is too long is not waited for', async () => {
  expect(await received(`${HEAD}content-length: 2000\r\n\r\nabc`)).toMatch(
    /^HTTP\/1\.1 413 [^]*connection: close/,
  );
  expect(await received(chunked(1, `400\r\n${'a'.repeat(1024)}\r\n`))).toMatch(/^HTTP\/1\.1 413 /);
});

test('the body of a request that is answered unread is dropped, and the next request is read', async () => {
  const unread = await serverWithDoor((call) => call.answer(200, [], `${call.url};`));
  onTestFinished(unread.stop);
  const first = request(1, 'a'.repeat(500));
  const responses = await unread.received(first.slice(0, -300), first.slice(-300), request(2, 'b', LAST));
  expect(bodiesOf(responses)).toEqual(['/bid/1;', '/bid/2;']);
});

test('a body that does not come is cut off with 408, and its call is aborted', async () => {
  const bodies: unknown[] = [];
  const strict = await serverWithDoor((call) => call.body((body) => bodies.push(body)), { bodyMsMax: 10 });
  onTestFinished(strict.stop);
  expect(await strict.received(`${HEAD}content-length: 3\r\n\r\na`)).toMatch(/^HTTP\/1\.1 408 /);
  expect(bodies).toEqual(['aborted']);
});

test('a body that came while the process did not run is read before its time is over', async () => {
  vi.useFakeTimers({ toFake: ['setInterval'] });
  const real = performance.now.bind(performance);
  let frozenMs = 0;
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => real() + frozenMs);
  onTestFinished(() => {
    vi.useRealTimers();
    clock.mockRestore();
  });
  let begun = 0;
  const held = await serverWithDoor((call) => {
    begun += 1;
    echo(call);
  });
  onTestFinished(held.stop);
  const socket = (await held.open()).setNoDelay(true);
  const all = text(socket);
  const whole = request(1, 'abc', LAST);
  socket.write(whole.slice(0, -3));
  await eventually(() => expect(begun).toBe(1));
  // Timers come before sockets after a freeze.
  frozenMs = 5000;
  vi.advanceTimersByTime(250);
  socket.write(whole.slice(-3));
  expect(bodiesOf(await all)).toEqual(['/bid/1 has abc;']);
});

test('a connection that is left unread for a while is not closed for what it has sent meanwhile', async () => {
  vi.useFakeTimers({ toFake: ['performance', 'setInterval'] });
  onTestFinished(() => void vi.useRealTimers());
  const shedding = await serverWithDoor((call) => {
    call.pauseAfterwards();
    call.answer(204, [], null);
  });
  onTestFinished(shedding.stop);
  const paused: Socket[] = [];
  vi.spyOn(shedding.door.arrivals, 'pause').mockImplementation((one) => void paused.push(one.pause()));
  const socket = (await shedding.open()).setNoDelay(true);
  const all = text(socket);
  const first = request(1, 'abc');
  socket.write(first.slice(0, -3));
  await eventually(() => expect(paused).toHaveLength(1));
  socket.write(first.slice(-3) + request(2, '', LAST));
  vi.advanceTimersByTime(5000);
  paused[0]!.resume();
  expect((await all).match(/HTTP\/1\.1 204/g)).toHaveLength(2);
});

test('a door whose requests ask for no waiting time runs nothing in each turn of the event loop', () => {
  vi.useFakeTimers({ toFake: ['setImmediate'] });
  onTestFinished(() => void vi.useRealTimers());
  const door = new Door(createServer());
  expect(vi.getTimerCount()).toBe(0);
  door.close();
});

test('the head of each request has as much time as that of the first', async () => {
  vi.useFakeTimers({ toFake: ['performance', 'setInterval'] });
  onTestFinished(() => void vi.useRealTimers());
  const calls: RawCall[] = [];
  const timed = await serverWithDoor((call) => {
    calls.push(call);
    call.answer(204, [], null);
  });
  onTestFinished(timed.stop);
  const socket = (await timed.open()).setNoDelay(true);
  let all = '';
  socket.setEncoding('latin1').on('data', (part: string) => (all += part));
  const one = 'GET /t/win/1 HTTP/1.1\r\nhost: bidwell.test\r\n\r\n';
  socket.write(one.slice(0, 20));
  for (let read = 1; read <= 4; read += 1) {
    socket.write(one.slice(20) + one.slice(0, 20));
    await eventually(() => expect(calls).toHaveLength(read));
    vi.advanceTimersByTime(25_000);
  }
  expect(all).not.toContain('408');
  vi.advanceTimersByTime(61_000);
  await eventually(() => expect(all).toContain('408'));
  socket.destroy();
});

test('a client that leaves before its body has come aborts the call', async () => {
  const bodies: unknown[] = [];
  const left = await serverWithDoor((call) => call.body((body) => bodies.push(body)));
  onTestFinished(left.stop);
  const socket = await left.open();
  socket.write(`${HEAD}content-length: 3\r\n\r\na`);
  socket.end();
  await eventually(() => expect(bodies).toEqual(['aborted']));
});

test('of a client that waits for no answers, 16 requests are read at a time', async () => {
  const calls: RawCall[] = [];
  const held = await serverWithDoor((call) => void calls.push(call));
  onTestFinished(held.stop);
  const all = held.received(
    Array.from({ length: 40 }, (_, id) => request(id, '', id === 39 ? LAST : [])).join(''),
  );
  await eventually(() => expect(calls).toHaveLength(16));
  for (let answered = 0; answered < 40; answered += 1) {
    await eventually(() => expect(calls.length).toBeGreaterThan(answered));
    expect(calls.length - answered).toBeLessThanOrEqual(16);
    calls[answered]!.answer(200, [], `${calls[answered]!.url};`);
  }
  expect(bodiesOf(await all)).toHaveLength(40);
});

test('a request that waited for the answers to earlier ones is known to have waited since it was read', async () => {
  const calls: { call: RawCall; waitedMs: number }[] = [];
  const held = await serverWithDoor((call) => void calls.push({ call, waitedMs: call.waitedMs! }));
  onTestFinished(held.stop);
  const socket = await held.open();
  socket.resume().write(Array.from({ length: 17 }, (_, id) => request(id)).join(''));
  await eventually(() => expect(calls).toHaveLength(16));
  const fromMs = performance.now();
  // All other work of the process.
  while (performance.now() - fromMs < 20);
  calls[0]!.call.answer(204, [], null);
  expect(calls).toHaveLength(17);
  expect(calls[16]!.waitedMs).toBeGreaterThanOrEqual(20);
  socket.destroy();
});

test('an answer without a body has 27 bytes, which is a third of what node:http sends', async () => {
  const none = await serverWithDoor((call) => call.answer(204, [], null));
  onTestFinished(none.stop);
  const socket = await none.open();
  onTestFinished(() => void socket.destroy());
  socket.write(request(1));
  expect(String(await once(socket, 'data'))).toBe('HTTP/1.1 204 No Content\r\n\r\n');
});

test('a server that drains its connections closes them with their next answers', async () => {
  const stopping = await serverWithDoor(echo);
  const socket = await stopping.open();
  const all = text(socket);
  socket.write(request(1, 'a'));
  await eventually(() => expect(socket.bytesRead).toBeGreaterThan(0));
  await drain(stopping.server, 0);
  socket.write(request(2, 'b'));
  expect(bodiesOf(await all)).toEqual(['/bid/1 has a;', '/bid/2 has b;']);
  stopping.server.close();
  stopping.door.close();
});

test('a connection of a server that drains is closed with the answer to its last request', async () => {
  const calls: RawCall[] = [];
  const stopping = await serverWithDoor((call) => void calls.push(call));
  onTestFinished(stopping.stop);
  const socket = await stopping.open();
  const all = text(socket);
  socket.write(request(1) + request(2) + request(3));
  await eventually(() => expect(calls).toHaveLength(3));
  await drain(stopping.server, 0);
  for (const at of [1, 0, 2]) calls[at]!.answer(200, [], `${calls[at]!.url};`);
  const responses = await all;
  expect(bodiesOf(responses)).toEqual(['/bid/1;', '/bid/2;', '/bid/3;']);
  expect(responses.split('HTTP/1.1').map((one) => one.includes('connection: close'))).toEqual([
    false,
    false,
    false,
    true,
  ]);
});

test('requests that come together while a server drains are all answered', async () => {
  const stopping = await serverWithDoor(echo);
  onTestFinished(stopping.stop);
  const socket = await stopping.open();
  const all = text(socket);
  await drain(stopping.server, 0);
  socket.write(request(1, 'a') + request(2, 'b'));
  expect(bodiesOf(await all)).toEqual(['/bid/1 has a;', '/bid/2 has b;']);
});

test('closing ends idle connections at once, and others with their answers', async () => {
  const calls: RawCall[] = [];
  const closing = await serverWithDoor((call) => void calls.push(call));
  const [idle, busy] = [await closing.open(), await closing.open()];
  const [ofIdle, ofBusy] = [text(idle), text(busy)];
  busy.write(request(1));
  await eventually(() => expect(calls).toHaveLength(1));
  const closed = once(closing.server, 'close');
  closing.server.close();
  closing.door.close();
  expect(await ofIdle).toBe('');
  calls[0]!.answer(200, [], 'late;');
  expect(await ofBusy).toContain('late;');
  await closed;
});
