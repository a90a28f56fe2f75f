import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { type AddressInfo, type Socket, createServer } from 'node:net';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { createFileFetcher } from './fetch-file.ts';

const folder = await mkdtemp(join(tmpdir(), 'fetched-'));
const path = join(folder, 'file');
/** What the server sends, byte by byte, and how it ends the connection. */
let respond: (socket: Socket) => void = () => {};
const server = createServer((socket) => {
  socket.on('error', () => {});
  socket.once('data', () => respond(socket));
}).listen(0, '127.0.0.1');
await once(server, 'listening');
afterAll(async () => {
  server.close();
  await rm(folder, { recursive: true });
});

const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
const fetchFile = createFileFetcher(new Set([host]));
const fetched = async (bytesMax = 1000) => fetchFile(`http://${host}/ids.csv`, path, { bytesMax });

const BODY = 'first id\nsecond id\n';
const chunk = `${BODY.length.toString(16)}\r\n${BODY}\r\n`;
const head = (...headers: string[]) => ['HTTP/1.1 200 OK', ...headers, '', ''].join('\r\n');
const isWhole = { isWhole: true, failure: null };
const isCut = { isWhole: false, failure: 'unreachable' };

test.each([
  ['its length', head(`content-length: ${BODY.length}`) + BODY, { ...isWhole, isEndKnown: true }],
  [
    'a last chunk',
    `${head('transfer-encoding: chunked')}${chunk}0\r\n\r\n`,
    { ...isWhole, isEndKnown: true },
  ],
  ['no length', head('connection: close') + BODY, { ...isWhole, isEndKnown: false }],
  ['a greater length', head('content-length: 100') + BODY, isCut],
  ['a greater length, to be closed', head('content-length: 100', 'connection: close') + BODY, isCut],
  ['no last chunk', head('transfer-encoding: chunked') + chunk, isCut],
  ['no last chunk, to be closed', head('transfer-encoding: chunked', 'connection: close') + chunk, isCut],
  [
    'half a chunk, to be closed',
    head('transfer-encoding: chunked', 'connection: close') + chunk.slice(0, -5),
    isCut,
  ],
])('of a response with %s, it is known whether it is whole', async (_name, response, expected) => {
  respond = (socket) => socket.end(response);
  expect(await fetched()).toMatchObject({ status: 200, ...expected });
  if (expected.isWhole) expect(await readFile(path, 'utf8')).toBe(BODY);
});

test.each([
  ['a chunk', head('transfer-encoding: chunked', 'connection: close') + chunk],
  ['a text without a length', head('connection: close') + BODY],
])('a file whose connection is reset after %s is not whole', async (_name, response) => {
  const isHalf = new Promise<void>((resolve) => {
    respond = (socket) => {
      socket.write(response);
      // The rest is sent once the client has read the beginning.
      const more = setInterval(() => {
        if (socket.bytesWritten >= response.length) {
          clearInterval(more);
          socket.resetAndDestroy();
          resolve();
        }
      }, 20);
    };
  });
  const [outcome] = await Promise.all([fetched(), isHalf]);
  expect(outcome.isWhole).toBe(false);
});

test('a file that is too long, or comes too slowly, is broken off', async () => {
  respond = (socket) => socket.end(head(`content-length: ${BODY.length}`) + BODY);
  expect(await fetched(5)).toMatchObject({ isWhole: false, isTooLong: true, isTooSlow: false });
  // As if it had taken ten seconds so far.
  const late = createFileFetcher(new Set([host]), { slowMs: -10_000 });
  expect(await late(`http://${host}/ids.csv`, path, { bytesMax: 1000 })).toMatchObject({
    isWhole: false,
    isTooLong: false,
    isTooSlow: true,
    failure: 'timeout',
  });
});

test('addresses of the own network are not fetched, and other statuses are said', async () => {
  const closed = createFileFetcher(new Set());
  for (const address of [`http://${host}/`, 'https://127.0.0.1/', 'https://user:pass@files.example.com/'])
    expect(await closed(address, path, { bytesMax: 1 })).toMatchObject({ failure: 'private', status: null });
  respond = (socket) => socket.end('HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\n\r\n');
  expect(await fetched()).toMatchObject({ isWhole: false, status: 404, failure: null });
});
