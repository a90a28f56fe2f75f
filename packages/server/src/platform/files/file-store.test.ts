import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { v7 as uuidv7 } from 'uuid';
import { afterAll, expect, test } from 'vitest';
import { localFileStore } from './file-store.ts';

const folder = await mkdtemp(join(tmpdir(), 'bidwell-files-'));
afterAll(async () => rm(folder, { recursive: true, force: true }));
const files = localFileStore(folder);

async function names(): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => entry.name);
}

test('a file is read, in full and in part, until it is deleted', async () => {
  const uuid = uuidv7();
  await files.write(uuid, Readable.from([Buffer.from('hello '), Buffer.from('world')]));
  expect(await files.size(uuid)).toBe(11);
  expect((await buffer(files.read(uuid))).toString()).toBe('hello world');
  expect((await buffer(files.read(uuid, { start: 6, end: 8 }))).toString()).toBe('wor');
  await files.remove(uuid);
  expect(await files.size(uuid)).toBeNull();
  await files.remove(uuid);
});

test('derived files are deleted with their file', async () => {
  const uuid = uuidv7();
  const before = await names();
  for (const key of [uuid, `${uuid}.thumb`]) await files.write(key, Readable.from([Buffer.from(key)]));
  expect((await buffer(files.read(`${uuid}.thumb`))).toString()).toBe(`${uuid}.thumb`);
  await files.remove(uuid);
  expect(await names()).toEqual(before);
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
