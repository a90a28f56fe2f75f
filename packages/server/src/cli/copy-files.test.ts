import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { pino } from 'pino';
import { v7 as uuidv7 } from 'uuid';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { digestOf } from '../platform/files/digest.ts';
import { openFileCache } from '../platform/files/file-cache.ts';
import { localFileStore } from '../platform/files/file-store.ts';
import { openBucket } from '../platform/files/s3-bucket.ts';
import { objectOf, s3FileStore } from '../platform/files/s3-file-store.ts';
import { startS3Server } from '@bidwell/testing/engines/s3-server';
import { tcpRelay } from '@bidwell/testing/engines/test-tcp-relay';
import { OperatorError } from './client.ts';
import { copyFiles } from './copy-files.ts';

const server = await startS3Server();
const relay = await tcpRelay(() => server.port);
afterAll(() => server.stop());

/** A data folder with files, and settings of S3 under a prefix of its own. */
async function installation(contents: string[]) {
  const dataDir = await mkdtemp(join(tmpdir(), 'bidwell-copy-test-'));
  const s3 = { ...server.settings, endpoint: `http://127.0.0.1:${relay.port}`, prefix: `${uuidv7()}/` };
  const bucket = openBucket(s3, pino({ level: 'silent' }));
  onTestFinished(async () => {
    await bucket.close();
    await rm(dataDir, { recursive: true, force: true });
  });
  const local = localFileStore(join(dataDir, 'files'));
  const keys = contents.map(() => uuidv7());
  for (const [index, key] of keys.entries()) await local.write(key, Readable.from([contents[index]!]));
  const lines: string[] = [];
  const copy = async () => {
    lines.length = 0;
    await copyFiles({ dataDir, s3 }, (line) => void lines.push(line));
    return lines.join('\n');
  };
  return { dataDir, bucket, local, keys, copy };
}

test('files are copied once, and can then be read from S3', async () => {
  const { dataDir, bucket, local, keys, copy } = await installation(['one', 'three']);
  await local.write(`${keys[0]!}.thumb`, Readable.from(['small']));
  await writeFile(join(dataDir, 'files', 'a note'), 'not a file of the store');
  expect(await copy()).toBe(
    `Copied 3 files (13 bytes); 0 files (0 bytes) were in S3 already.\nAll 3 files (13 bytes) of ${join(dataDir, 'files')} are in S3 with the same SHA-256 sums.`,
  );
  const files = s3FileStore(bucket, await openFileCache(join(dataDir, 'file-cache'), 1024 ** 2));
  for (const [key, content] of [
    [keys[0]!, 'one'],
    [`${keys[0]!}.thumb`, 'small'],
    [keys[1]!, 'three'],
  ] as const)
    expect(String(await buffer(files.read(key)))).toBe(content);
  await local.write(uuidv7(), Readable.from(['later']));
  expect(await copy()).toContain('Copied 1 file (5 bytes); 3 files (13 bytes) were in S3 already.');
});

test('an object that is not the file is replaced', async () => {
  const { bucket, dataDir, keys, copy } = await installation(['right']);
  const path = join(dataDir, 'wrong');
  await writeFile(path, 'wrong');
  await bucket.put(objectOf(keys[0]!), path, await digestOf(path));
  expect(await copy()).toContain('Copied 1 file (5 bytes)');
});

test('an interrupted copy says how to go on', async () => {
  const { copy } = await installation(['one']);
  relay.cut(true);
  onTestFinished(() => relay.mend());
  await expect(copy()).rejects.toThrow(
    new OperatorError('S3 does not answer. 0 files are in S3; repeat the command to go on.'),
  );
  relay.mend();
  expect(await copy()).toContain('Copied 1 file');
});

test('without S3 settings the command names the missing one', async () => {
  await expect(copyFiles({ dataDir: '/nowhere', s3: null }, () => {})).rejects.toThrow(
    /^S3_ENDPOINT is not set/,
  );
});
