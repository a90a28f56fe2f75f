import fc from 'fast-check';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { readAccessToken, signAccessToken } from '../../modules/identity/sessions/access-tokens.ts';
import { createRealtime } from './server.ts';
import { eventually } from '@bidwell/testing/eventually';
import { runs } from '@bidwell/testing/whole-run';

const secret = 'the access token secret of frames at random';
const session = { userId: 'u1', companyId: 'c1', sessionId: 's1', role: 'person' } as const;
const token = await signAccessToken(secret, session, new Date());
const expired = await signAccessToken(secret, session, new Date(0));
const colleague = await signAccessToken(secret, { ...session, userId: 'u2' }, new Date());

const pages = createRealtime((text) => readAccessToken(secret, text, new Date()));
const server = createServer();
pages.attach(server);
let port = 0;
beforeAll(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  port = (server.address() as AddressInfo).port;
});
afterAll(async () => {
  await pages.close();
  server.close();
});

/** A line of a frame, and how the protocol reads it once connected. */
interface Line {
  text: string;
  is:
    | { a: 'pong' | 'connect' | 'refresh' | 'unsubscribe' | 'nothing' | 'not offered' | 'malformed' }
    | { a: 'connect refused' | 'connect invalid' | 'refresh refused' | 'refresh invalid' }
    | { a: 'subscribe'; channel: string };
}

const line = (command: object, is: Line['is']): Line => ({ text: JSON.stringify(command), is });
const id = fc.integer({ min: 1, max: 0xffff_ffff });
const invalidToken = fc.oneof(
  fc.string({ maxLength: 50 }),
  fc.constant('a.b.c'),
  fc.constant(`${expired.slice(0, -9)}signature`),
);
const recovery = fc.record(
  { recover: fc.boolean(), epoch: fc.string({ maxLength: 20 }), offset: fc.nat() },
  { requiredKeys: [] },
);
const extra = fc.dictionary(
  fc.string({ maxLength: 8 }).map((name) => `x${name}`),
  fc.jsonValue({ maxDepth: 2 }),
  {
    maxKeys: 2,
  },
);

const wellFormed: fc.Arbitrary<Line> = fc.oneof(
  fc.constantFrom('{}', '{"id":0}', ' {} ').map((text): Line => ({ text, is: { a: 'pong' } })),
  fc
    .tuple(id, extra, fc.dictionary(fc.constantFrom('company:c1', 'user:u1', 'x'), recovery))
    .map(([n, more, subs]) => line({ id: n, connect: { token, subs, ...more } }, { a: 'connect' })),
  id.map((n) => line({ id: n, connect: { token: expired } }, { a: 'connect refused' })),
  fc
    .tuple(id, invalidToken)
    .map(([n, wrong]) => line({ id: n, connect: { token: wrong } }, { a: 'connect invalid' })),
  id.map((n) => line({ id: n, connect: {} }, { a: 'connect invalid' })),
  fc.tuple(id, extra).map(([n, more]) => line({ id: n, refresh: { token, ...more } }, { a: 'refresh' })),
  id.map((n) => line({ id: n, refresh: { token: expired } }, { a: 'refresh refused' })),
  fc
    .tuple(id, fc.oneof(invalidToken, fc.constant(colleague)))
    .map(([n, wrong]) => line({ id: n, refresh: { token: wrong } }, { a: 'refresh invalid' })),
  fc
    .tuple(
      id,
      fc.oneof(
        fc.constantFrom('company:c1', 'user:u1', 'company:c2', 'company:*'),
        fc.string({ minLength: 1 }),
      ),
      recovery,
    )
    .map(([n, channel, from]) =>
      line({ id: n, subscribe: { channel, ...from } }, { a: 'subscribe', channel }),
    ),
  fc
    .tuple(id, fc.string({ minLength: 1, maxLength: 255 }))
    .map(([n, channel]) =>
      line({ id: n, unsubscribe: { channel: `x${channel.slice(1)}` } }, { a: 'unsubscribe' }),
    ),
  fc.tuple(id, extra).map(([n, more]) => line({ id: n, ...more }, { a: 'nothing' })),
  fc
    .tuple(
      id,
      fc.constantFrom('publish', 'presence', 'presence_stats', 'history', 'rpc', 'sub_refresh'),
      extra,
    )
    .map(([n, name, more]) => line({ id: n, [name]: more }, { a: 'not offered' })),
);
const malformed: fc.Arbitrary<Line> = fc
  .oneof(
    fc.constantFrom(
      'null',
      '[]',
      '1',
      '"x"',
      '{',
      '{"id":"1"}',
      '{"id":-1}',
      '{"id":1.5}',
      '{"id":4294967296}',
      '{"id":1,"connect":"x"}',
      '{"id":1,"connect":{"token":7}}',
      '{"id":1,"subscribe":{}}',
      '{"id":1,"subscribe":{"channel":""}}',
      '{"id":1,"subscribe":{"channel":"c","offset":-1}}',
      '{"id":1,"connect":{"subs":{"c":null}}}',
      `{"id":1,"unsubscribe":{"channel":"${'c'.repeat(256)}"}}`,
    ),
    fc.string({ minLength: 1 }).filter((text) => !/^\s*$|[\n{]/.test(text)),
  )
  .map((text) => ({ text, is: { a: 'malformed' } }));
const connects = line({ id: 1, connect: { token } }, { a: 'connect' });
const frames = fc
  .tuple(
    fc.boolean(),
    fc.array(
      fc.oneof(
        { weight: 12, arbitrary: fc.array(wellFormed, { minLength: 1, maxLength: 8 }) },
        { weight: 1, arbitrary: fc.array(fc.oneof(wellFormed, malformed), { minLength: 1, maxLength: 4 }) },
        { weight: 1, arbitrary: fc.constant<Line[]>([]) },
        {
          weight: 1,
          arbitrary: fc.constant(Array.from({ length: 65 }, (): Line => ({ text: '{}', is: { a: 'pong' } }))),
        },
      ),
      { maxLength: 6 },
    ),
  )
  .map(([connected, rest]) => (connected ? [[connects], ...rest] : rest));

/** The protocol's responses to frames, in order: the name of a reply or an error's code, and last a close code if any. */
function specified(sent: readonly (readonly Line[])[]): (string | number)[] {
  const responses: (string | number)[] = [];
  const subscribed = new Set<string>();
  let connected = false;
  for (const frame of sent) {
    if (frame.length === 0 || frame.length > 64 || frame.some(({ is }) => is.a === 'malformed'))
      return [...responses, 3501];
    for (const { is } of frame) {
      // The first command must connect, and no later one may.
      if (is.a.startsWith('connect') === connected) return [...responses, 3501];
      if (is.a === 'connect invalid' || is.a === 'refresh invalid') return [...responses, 3500];
      if (is.a === 'connect') connected = true;
      if (is.a === 'connect' || is.a === 'refresh' || is.a === 'unsubscribe') responses.push(is.a);
      if (is.a === 'connect refused' || is.a === 'refresh refused') responses.push(109);
      if (is.a === 'nothing') responses.push(104);
      if (is.a === 'not offered') responses.push(108);
      if (is.a === 'subscribe') {
        const own = is.channel === 'company:c1' || is.channel === 'user:u1';
        responses.push(!own ? 103 : subscribed.has(is.channel) ? 105 : 'subscribe');
        if (own) subscribed.add(is.channel);
      }
    }
  }
  // The last command gets a reply, if connected.
  return connected ? responses : [...responses, 3501];
}

/** Sends frames on a new connection, and a last command whose reply ends it, unless it is closed before. */
async function responsesTo(sent: readonly (readonly Line[])[]): Promise<(string | number)[]> {
  const socket = new WebSocket(`ws://127.0.0.1:${port}/connection/websocket`);
  const responses: (string | number)[] = [];
  const over = new Promise<void>((resolve) => {
    socket.on('message', (data: Buffer) => {
      for (const text of data.toString().split('\n')) {
        const reply = JSON.parse(text) as { id: number; error?: { code: number } };
        if (reply.id === last.id) return resolve();
        responses.push(reply.error?.code ?? Object.keys(reply).find((name) => name !== 'id')!);
      }
    });
    socket.on('close', (code) => {
      responses.push(code);
      resolve();
    });
  });
  const last = { id: 7_777_777, rpc: {} };
  await once(socket, 'open');
  for (const frame of sent) socket.send(frame.map(({ text }) => text).join('\n'));
  socket.send(JSON.stringify(last));
  await over;
  socket.terminate();
  return responses;
}

/** Waits until all connections and their subscriptions have been removed. */
async function nothingIsLeft(): Promise<void> {
  await eventually(() => expect([pages.connections(), pages.isOpen('c1')]).toEqual([0, false]));
}

test('any commands, in any frames and order, each get the specified reply', async () => {
  await fc.assert(
    fc.asyncProperty(frames, async (sent) => {
      expect(await responsesTo(sent)).toEqual(specified(sent));
    }),
    runs(300),
  );
  await nothingIsLeft();
});

test('any bytes after the upgrade end only that connection', async () => {
  const upgrade =
    'GET /connection/websocket HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n' +
    'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n';
  const witness = new WebSocket(`ws://127.0.0.1:${port}/connection/websocket`);
  await once(witness, 'open');
  witness.send(connects.text);
  await once(witness, 'message');
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ minLength: 1, maxLength: 200 }), async (bytes) => {
      const socket = connect(port, '127.0.0.1');
      socket.on('error', () => {});
      socket.write(upgrade);
      await once(socket, 'data');
      socket.end(bytes);
      socket.resume();
      await once(socket, 'close');
    }),
    runs(200),
  );
  const received = once(witness, 'message');
  pages.toCompany('c1', { type: 'entity', entity: 'app', uuid: 'a1', action: 'update' });
  expect(String((await received)[0])).toContain('a1');
  witness.terminate();
  await nothingIsLeft();
});

test('a frame that is too large, or not text, ends the connection for good', async () => {
  const cases = [
    ['x'.repeat(64 * 1024 + 1), 1009],
    [Buffer.from([1, 2, 3]), 3501],
  ] as const;
  for (const [content, code] of cases) {
    const socket = new WebSocket(`ws://127.0.0.1:${port}/connection/websocket`);
    await once(socket, 'open');
    socket.send(content);
    expect((await once(socket, 'close'))[0]).toBe(code);
  }
  await nothingIsLeft();
});
