import { once } from 'node:events';
import { mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { type IncomingMessage, type RequestListener, type ServerResponse, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterAll, expect, onTestFinished, test, vi } from 'vitest';
import { startS3Server } from '@bidwell/testing/engines/s3-server';
import { tcpRelay } from '@bidwell/testing/engines/test-tcp-relay';
import { digestOf } from './digest.ts';
import { FilesUnavailable } from './file-store.ts';
import { type S3Bucket, type S3Limits, openBucket } from './s3-bucket.ts';
import { S3Refused, type S3Settings } from './s3.ts';
import { eventually } from '@bidwell/testing/eventually';

const folder = await mkdtemp(join(tmpdir(), 'bidwell-bucket-'));
const s3 = await startS3Server();
const relay = await tcpRelay(() => s3.port);
afterAll(async () => {
  await s3.stop();
  await rm(folder, { recursive: true, force: true });
});

/** Long, so that no call fails on a busy machine; repeated soon. */
const PATIENT: Partial<S3Limits> = { connectMs: 60_000, idleMs: 60_000, totalMs: 120_000, retryMs: 5 };
const content = 'the content of a file';
const source = join(folder, 'source');
await writeFile(source, content);
const digest = await digestOf(source);
let files = 0;
const freshPath = () => join(folder, `file-${(files += 1)}`);

function bucketWith(settings: Partial<S3Settings>, limits: Partial<S3Limits> = {}, lines: string[] = []) {
  const log = pino({ level: 'warn' }, { write: (line: string) => void lines.push(line) });
  const bucket = openBucket({ ...s3.settings, ...settings }, log, { ...PATIENT, ...limits });
  onTestFinished(() => bucket.close());
  return bucket;
}

/** A bucket on a server that responds as `listener` does. */
async function bucketOn(listener: RequestListener, limits: Partial<S3Limits> = {}): Promise<S3Bucket> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return bucketWith({ endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }, limits);
}

const errorDocument = (response: ServerResponse, status: number, code: string) =>
  response
    .writeHead(status, { 'content-type': 'application/xml;charset=utf-8' })
    .end(`<?xml version="1.0"?><Error><Code>${code}</Code><Message>no</Message></Error>`);

async function refusal(bucket: S3Bucket): Promise<string> {
  const error: unknown = await bucket.check(freshPath()).catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(S3Refused);
  return (error as Error).message;
}

test('a bucket that can be written, read and deleted from passes the check, and nothing is left', async () => {
  const path = freshPath();
  const bucket = bucketWith({ prefix: 'some/where/' });
  await bucket.check(path);
  expect(bucket.fault()).toBeNull();
  await expect(readFile(path)).rejects.toThrow('ENOENT');
});

test('an object is described by its size and its sum', async () => {
  const bucket = bucketWith({});
  await bucket.put('one', source, digest);
  expect(await bucket.describe('one')).toEqual({ bytes: digest.bytes, sha256: digest.sha256 });
  expect(await bucket.describe('none')).toBeNull();
});

test('a wrong setting or a missing permission is named in one sentence, and no secret is shown', async () => {
  const lines: string[] = [];
  const secretAccessKey = 'hunter2-hunter2';
  expect(await refusal(bucketWith({ accessKeyId: 'nobody', secretAccessKey }, {}, lines))).toBe(
    'S3 does not know the key in S3_ACCESS_KEY_ID.',
  );
  expect(await refusal(bucketWith({ bucket: 'elsewhere', secretAccessKey }, {}, lines))).toBe(
    'S3 has no bucket "elsewhere": create it, or check S3_BUCKET.',
  );
  expect(lines.join('')).toContain('S3 refuses a call');
  expect(lines.join('')).not.toContain(secretAccessKey);
});

test.each([
  [403, 'SignatureDoesNotMatch', /check S3_SECRET_ACCESS_KEY/],
  [403, 'AccessDenied', /s3:GetObject, s3:PutObject, s3:DeleteObject and s3:ListBucket/],
  [400, 'AuthorizationHeaderMalformed', /check S3_REGION and S3_ENDPOINT/],
  [301, 'PermanentRedirect', /check S3_REGION and S3_ENDPOINT/],
  [403, 'RequestTimeTooSkewed', /clock/],
  [400, 'SomethingElse', /\(400 SomethingElse\): check S3_ENDPOINT/],
])('an answer of %i %s is explained, and not repeated', async (status, code, sentence) => {
  const calls = vi.fn();
  const bucket = await bucketOn((request, response) => {
    request.resume();
    calls();
    errorDocument(response, status, code);
  });
  expect(await refusal(bucket)).toMatch(sentence);
  expect(calls).toHaveBeenCalledOnce();
  expect(bucket.fault()).toMatch(sentence);
});

test('a key that may not list is refused, because a missing file looks forbidden to it', async () => {
  const objects = new Map<string, string>();
  const bucket = await bucketOn((request, response) => void keep(request, response, objects));
  expect(await refusal(bucket)).toMatch(/does not let this key read objects .*s3:ListBucket/);
});

/** Stores an object, and responds with 403 for one that is not there. */
async function keep(request: IncomingMessage, response: ServerResponse, objects: Map<string, string>) {
  const path = request.url!;
  let body = '';
  for await (const chunk of request) body += String(chunk);
  if (request.method === 'PUT') objects.set(path, body);
  if (request.method === 'DELETE') objects.delete(path);
  if (request.method !== 'GET') return response.writeHead(200).end();
  const stored = objects.get(path);
  if (stored === undefined) return errorDocument(response, 403, 'AccessDenied');
  return response.writeHead(200, { 'content-length': Buffer.byteLength(stored) }).end(stored);
}

test('a call that fails is repeated, until S3 works again', async () => {
  let calls = 0;
  const bucket = await bucketOn((request, response) => {
    request.resume();
    calls += 1;
    if (calls === 1) request.socket.destroy();
    else if (calls === 2) errorDocument(response, 503, 'SlowDown');
    else response.writeHead(200).end();
  });
  await bucket.put('one', source, digest);
  expect(calls).toBe(3);
  expect(bucket.fault()).toBeNull();
});

test('a silent S3 ends every call, with a sentence for a person', async () => {
  const endpoint = `http://127.0.0.1:${relay.port}`;
  const bucket = bucketWith({ endpoint }, { connectMs: 200, idleMs: 200, totalMs: 2000 });
  await eventually(async () => bucket.put('before', source, digest));
  relay.silence();
  const calls = [
    bucket.put('one', source, digest),
    bucket.get('before', freshPath()),
    bucket.describe('before'),
    bucket.delete('before'),
  ];
  for (const outcome of await Promise.allSettled(calls)) {
    const { reason } = outcome as PromiseRejectedResult;
    expect(reason).toBeInstanceOf(FilesUnavailable);
    expect(String(reason)).toContain('Files cannot be stored or read at the moment.');
  }
  expect(bucket.fault()).toMatch(/^S3 does not answer/);
  relay.mend();
  await eventually(async () =>
    expect(await bucket.get('before', freshPath())).toMatchObject({ bytes: digest.bytes }),
  );
  expect(bucket.fault()).toBeNull();
});

test('an object that trickles in ends at the limit of the whole call', async () => {
  const bucket = await bucketOn(
    (_request, response) => {
      response.writeHead(200, { 'content-length': 1000 });
      const timer = setInterval(() => response.write('.'), 20);
      response.on('close', () => clearInterval(timer));
    },
    { totalMs: 300 },
  );
  await expect(bucket.get('one', freshPath())).rejects.toBeInstanceOf(FilesUnavailable);
});

test.each([
  ['is shorter than announced', { 'content-length': '22' }, content],
  ['has another sum than the stored one', { 'x-amz-meta-sha256': 'f'.repeat(64) }, content],
  ['is larger than allowed', {}, 'x'.repeat(5000)],
])('an object that %s is not accepted, and leaves no file', async (_name, headers, body) => {
  const bucket = await bucketOn(
    (_request, response) => {
      response.writeHead(200, { 'content-length': body.length, ...headers });
      response.write(body);
      setImmediate(() => response.end());
    },
    // The rest of the short one never comes.
    { bytesMax: 4000, idleMs: 200 },
  );
  const path = freshPath();
  await expect(bucket.get('one', path)).rejects.toBeInstanceOf(FilesUnavailable);
  expect(await readdir(folder)).not.toContain(path.slice(folder.length + 1));
});

test('an error document without an end is not read to its end', async () => {
  const bucket = await bucketOn((request, response) => {
    request.resume();
    response.writeHead(500, { 'content-type': 'application/xml' });
    const more = (): void => {
      while (response.write('<Error>'.repeat(1000)));
    };
    response.on('drain', more);
    more();
  });
  await expect(bucket.delete('one')).rejects.toBeInstanceOf(FilesUnavailable);
});

test('calls beyond the limit wait, and those beyond the waiting ones are refused', async () => {
  const responses: ServerResponse[] = [];
  const bucket = await bucketOn((_request, response) => void responses.push(response), {
    atOnceMax: 2,
    waitingMax: 2,
    waitingMs: 60_000,
    attempts: 1,
  });
  const calls = ['a', 'b', 'c', 'd', 'e'].map(async (name) => bucket.delete(name));
  const outcomes = Promise.allSettled(calls);
  await expect(calls[4]).rejects.toBeInstanceOf(FilesUnavailable);
  await eventually(() => expect(responses).toHaveLength(2));
  responses[0]!.writeHead(204).end();
  await eventually(() => expect(responses).toHaveLength(3));
  responses[1]!.writeHead(204).end();
  await eventually(() => expect(responses).toHaveLength(4));
  for (const response of responses) if (!response.writableEnded) response.writeHead(204).end();
  const statuses = (await outcomes).map(({ status }) => status);
  expect(statuses.filter((status) => status === 'fulfilled')).toHaveLength(4);
});

test('a call does not wait for ever', async () => {
  const responses: ServerResponse[] = [];
  const bucket = await bucketOn((_request, response) => void responses.push(response), {
    atOnceMax: 1,
    waitingMs: 100,
    attempts: 1,
  });
  const first = bucket.delete('a');
  await expect(bucket.delete('b')).rejects.toBeInstanceOf(FilesUnavailable);
  await eventually(() => expect(responses).toHaveLength(1));
  responses[0]!.writeHead(204).end();
  await first;
});

test('closing ends the calls in progress', async () => {
  const bucket = await bucketOn(() => {});
  const call = bucket.delete('one');
  await bucket.close();
  await expect(call).rejects.toBeInstanceOf(FilesUnavailable);
});
