import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { pino } from 'pino';
import { v7 as uuidv7 } from 'uuid';
import { afterAll, describe, expect, test } from 'vitest';
import { eventually } from '@bidwell/testing/eventually';
import { startS3Server } from '@bidwell/testing/engines/s3-server';
import { openFileCache } from './file-cache.ts';
import { localFileStore, localFiles, removePartialFiles } from './file-store.ts';
import { openBucket } from './s3-bucket.ts';
import { s3FileStore } from './s3-file-store.ts';

const folder = await mkdtemp(join(tmpdir(), 'bidwell-files-'));
const s3 = await startS3Server();
const bucket = openBucket({ ...s3.settings, prefix: 'bidwell/' }, pino({ level: 'silent' }));
afterAll(async () => {
  await bucket.close();
  await s3.stop();
  await rm(folder, { recursive: true, force: true });
});

const freshCache = async () => openFileCache(await mkdtemp(join(folder, 'cache-')), 1024 ** 3);
const local = localFileStore(join(folder, 'local'));
const stores = [
  { name: 'a local folder', files: local, elsewhere: async () => local },
  {
    name: 'S3',
    files: s3FileStore(bucket, await freshCache()),
    /** The store of another process, whose cache is empty. */
    elsewhere: async () => s3FileStore(bucket, await freshCache()),
  },
];

describe.each(stores)('files in $name', ({ files, elsewhere }) => {
  async function names(): Promise<string[]> {
    const entries = await readdir(folder, { recursive: true, withFileTypes: true });
    return entries.filter((entry) => entry.isFile()).map((entry) => entry.name);
  }

  test('a file is read, in full and in part, until it is deleted', async () => {
    const uuid = uuidv7();
    await files.write(uuid, Readable.from([Buffer.from('hello '), Buffer.from('world')]));
    for (const store of [files, await elsewhere()]) {
      expect(await store.size(uuid)).toBe(11);
      expect((await buffer(store.read(uuid))).toString()).toBe('hello world');
      expect((await buffer(store.read(uuid, { start: 6, end: 8 }))).toString()).toBe('wor');
    }
    await files.remove(uuid);
    for (const store of [files, await elsewhere()]) {
      expect(await store.size(uuid)).toBeNull();
      await expect(buffer(store.read(uuid))).rejects.toThrow();
    }
    await files.remove(uuid);
  });

  test('a large file arrives unchanged', async () => {
    const uuid = uuidv7();
    const content = Buffer.alloc(20 * 1024 ** 2, 'a line of the file\n');
    await files.write(uuid, Readable.from(chunksOf(content)));
    expect((await buffer((await elsewhere()).read(uuid))).equals(content)).toBe(true);
  });

  test('derived files are deleted with their file', async () => {
    const uuid = uuidv7();
    const before = await names();
    for (const key of [uuid, `${uuid}.thumb`]) await files.write(key, Readable.from([Buffer.from(key)]));
    expect((await buffer(files.read(`${uuid}.thumb`))).toString()).toBe(`${uuid}.thumb`);
    await files.remove(uuid);
    expect(await names()).toEqual(before);
    expect(await (await elsewhere()).size(`${uuid}.thumb`)).toBeNull();
  });

  test('of two concurrent writers one wins completely', async () => {
    const uuid = uuidv7();
    await Promise.all(['one', 'two'].map((text) => files.write(uuid, Readable.from([Buffer.from(text)]))));
    expect(['one', 'two']).toContain((await buffer(files.read(uuid))).toString());
  });

  test('a broken stream leaves no file', async () => {
    const before = await names();
    async function* broken() {
      yield Buffer.from('half');
      throw new Error('cut off');
    }
    const uuid = uuidv7();
    await expect(files.write(uuid, Readable.from(broken()))).rejects.toThrow('cut off');
    expect(await files.size(uuid)).toBeNull();
    expect(await names()).toEqual(before);
  });
});

function* chunksOf(content: Buffer) {
  for (let start = 0; start < content.length; start += 65_536) yield content.subarray(start, start + 65_536);
}

test('a file of S3 that is read while it is removed does not stay in the cache', async () => {
  const uuid = uuidv7();
  const files = s3FileStore(
    {
      ...bucket,
      async delete(name) {
        await files.size(uuid);
        await bucket.delete(name);
      },
    },
    await freshCache(),
  );
  await files.write(uuid, Readable.from([Buffer.from('hello')]));
  await files.remove(uuid);
  expect(await files.size(uuid)).toBeNull();
});

test('a file that a killed process left incomplete is no file, and the next start removes it', async () => {
  const own = await mkdtemp(join(folder, 'own-'));
  const uuid = uuidv7();
  const content = new PassThrough();
  content.write('the first half');
  const writing = localFileStore(own).write(uuid, content);
  const left = async () => {
    const entries = await readdir(own, { recursive: true, withFileTypes: true });
    return entries.filter((entry) => entry.isFile());
  };
  await eventually(async () => expect(await left()).toHaveLength(1));
  for await (const files of localFiles(own)) expect(files).toEqual([]);
  await removePartialFiles(own);
  expect(await left()).toEqual([]);
  content.destroy(new Error('killed'));
  await expect(writing).rejects.toThrow('killed');
});
