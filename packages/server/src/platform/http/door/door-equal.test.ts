import { type IncomingMessage, createServer } from 'node:http';
import type { Socket } from 'node:net';
import { Duplex } from 'node:stream';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { runs } from '@bidwell/testing/whole-run';
import type { RawCall } from './call.ts';
import { Door } from './door.ts';

/** A request as it was understood. */
interface Understood {
  method: string;
  url: string;
  encoding: string | undefined;
  body: string;
}

/** One end of a connection in memory. */
class Pipe extends Duplex {
  bytesWritten = 0;
  override _read(): void {}
  override _write(_chunk: Buffer, _encoding: BufferEncoding, done: () => void): void {
    done();
  }
  setTimeout(): this {
    return this;
  }
  setKeepAlive(): this {
    return this;
  }
  setNoDelay(): this {
    return this;
  }
}

const BODY_BYTES_MAX = 4096;

/** What a door understands of bytes in pieces, and whether all of it was a request. */
async function byDoor(pieces: readonly Buffer[]): Promise<Understood[]> {
  const understood: Understood[] = [];
  const server = createServer();
  const door = new Door(server);
  const common = { bodyBytesMax: BODY_BYTES_MAX, bodyMsMax: 1000 };
  const respond = (call: RawCall): void =>
    call.body((body) => {
      if (typeof body === 'string') return;
      understood.push({
        method: call.method,
        url: call.url,
        encoding: call.header('content-encoding'),
        body: body.toString('latin1'),
      });
      call.answer(204, [], null);
    });
  door.add({ ...common, method: 'POST', prefix: '/bid/', template: '/bid/{id}', respond });
  door.add({
    ...common,
    method: 'GET',
    prefix: '/t/',
    kinds: new Set(['win', 'loss']),
    template: '/t/{kind}/{id}',
    respond,
  });
  await feed(server, pieces);
  server.emit('close');
  return understood;
}

async function byNode(pieces: readonly Buffer[]): Promise<Understood[]> {
  const understood: Understood[] = [];
  const server = createServer((request: IncomingMessage, response) => {
    const chunks: Buffer[] = [];
    // What the parser reads, at once: a fault in the bytes after it destroys the request before its events.
    const push = request.push.bind(request);
    request.push = (chunk: Buffer | null) => {
      if (chunk) chunks.push(chunk);
      else
        understood.push({
          method: request.method!,
          url: request.url!,
          encoding: request.headers['content-encoding'],
          body: Buffer.concat(chunks).toString('latin1'),
        });
      return push(chunk);
    };
    request.resume().on('error', () => {});
    request.on('end', () => void response.writeHead(204).end());
  });
  await feed(server, pieces);
  return understood;
}

async function feed(server: ReturnType<typeof createServer>, pieces: readonly Buffer[]): Promise<void> {
  const pipe = new Pipe();
  pipe.on('error', () => {});
  server.emit('connection', pipe as unknown as Socket);
  for (const piece of pieces) {
    if (pipe.destroyed) break;
    pipe.push(piece);
    await nextTurn();
  }
  await nextTurn();
  await nextTurn();
  pipe.destroy();
}

const nextTurn = () => new Promise((resolve) => setImmediate(resolve));

const word = fc.stringMatching(/^[a-z0-9-]{1,12}$/);
const body = fc.string({ unit: 'binary-ascii', maxLength: 60 });
const headers = fc.array(
  fc.oneof(
    fc.tuple(word, word).map(([name, value]) => `${name}: ${value}`),
    fc.constantFrom(
      'content-encoding: gzip',
      'Content-Encoding:br',
      'connection: keep-alive',
      'EXPECT: 100-continue',
      'accept-encoding: gzip , br',
    ),
  ),
  { maxLength: 4 },
);
const whole = fc
  .record({
    start: fc.constantFrom('POST /bid/', 'GET /t/win/', 'GET /t/loss/'),
    id: word,
    body,
    headers,
    isChunked: fc.boolean(),
    cut: fc.nat(20),
  })
  .map(({ start, id, body: content, headers: own, isChunked, cut }) => {
    const head = [`${start}${id} HTTP/1.1`, 'Host: bidwell.test', ...own];
    const size = (part: string) => `${part.length.toString(16)}\r\n${part}\r\n`;
    const parts = [content.slice(0, cut), content.slice(cut)].filter((part) => part !== '');
    return isChunked
      ? [...head, 'Transfer-Encoding: chunked', '', `${parts.map(size).join('')}0\r\n\r\n`].join('\r\n')
      : [...head, `Content-Length: ${content.length}`, '', content].join('\r\n');
  });

/** Bytes that readers of HTTP have read in two ways. */
const inserted = fc.constantFrom(
  '\r\n', '\n', '\r', '\0', ' ', '\t', ':', ';', ',', '\x0b', '\xff', '0', '1', 'a', 'F', '+', '-', '_', '\r\n\r\n',
  'content-length: 5\r\n', 'Content-Length: 0\r\n', 'transfer-encoding: chunked\r\n', 'Transfer-Encoding: identity\r\n',
  'transfer-encoding : chunked\r\n', 'Connection: close\r\n', 'Connection: content-length\r\n', 'Expect: 100-continue\r\n',
  'HTTP/1.0', 'HTTP/1.1', ' HTTP/1.1\r\n', 'POST /bid/x HTTP/1.1\r\nhost: a\r\n\r\n', 'GET / HTTP/1.1\r\nhost: a\r\n\r\n', 'GET /t/win/x HTTP/1.1\r\nhost: a\r\n\r\n', '0\r\n\r\n',
); // prettier-ignore
const mutation = fc.record({ kind: fc.constantFrom('insert', 'delete', 'replace', 'repeat'), at: fc.nat(), length: fc.nat(6), text: inserted }); // prettier-ignore

function mutated(
  text: string,
  { kind, at: place, length, text: own }: { kind: string; at: number; length: number; text: string },
): string {
  const at = place % (text.length + 1);
  const after = text.slice(at + length);
  if (kind === 'insert') return text.slice(0, at) + own + text.slice(at);
  if (kind === 'delete') return text.slice(0, at) + after;
  if (kind === 'replace') return text.slice(0, at) + own + after;
  return text.slice(0, at + length) + text.slice(at);
}

function piecesOf(text: string, cuts: readonly number[]): Buffer[] {
  const bytes = Buffer.from(text, 'latin1');
  const at = [0, ...cuts.map((cut) => cut % (bytes.length + 1)), bytes.length].sort((a, b) => a - b);
  return at
    .slice(1)
    .map((end, index) => bytes.subarray(at[index], end))
    .filter((piece) => piece.length > 0);
}

test('each request is understood as node:http understands it, or refused', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(whole, { minLength: 1, maxLength: 3 }),
      fc.array(mutation, { maxLength: 3 }),
      fc.array(fc.nat(), { maxLength: 3 }),
      async (messages, mutations, cuts) => {
        const pieces = piecesOf(mutations.reduce(mutated, messages.join('')), cuts);
        const [ours, theirs] = await Promise.all([byDoor(pieces), byNode(pieces)]);
        expect(theirs.slice(0, ours.length)).toEqual(ours);
        if (mutations.length === 0) expect(ours).toHaveLength(messages.length);
      },
    ),
    runs(5000),
  );
});
