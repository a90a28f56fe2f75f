import { appendFile, mkdtemp, readFile, readdir, rm, truncate, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { v7 as uuidv7 } from 'uuid';
import { expect, onTestFinished, test, vi } from 'vitest';
import { digestOf } from './digest.ts';
import { type LoadFile, openFileCache } from './file-cache.ts';
import { eventually } from '@bidwell/testing/eventually';

const MIB = 1024 ** 2;

async function freshFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'bidwell-cache-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** Loads this content, and counts. */
const loads = (content: string | Buffer) =>
  vi.fn<LoadFile>(async (path) => {
    await writeFile(path, content);
    return digestOf(path);
  });
const never: LoadFile = async () => {
  throw new Error('It was loaded');
};

async function contentOf(cache: Awaited<ReturnType<typeof openFileCache>>, key: string, load: LoadFile) {
  const file = await cache.open(key, load);
  try {
    return file && String(await file.readFile());
  } finally {
    await file?.close();
  }
}

async function paths(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
}

test('concurrent reads of a file share one download, and later ones need none', async () => {
  const cache = await openFileCache(await freshFolder(), MIB);
  const key = uuidv7();
  const load = loads('content');
  const read = await Promise.all(Array.from({ length: 20 }, () => contentOf(cache, key, load)));
  expect(new Set(read)).toEqual(new Set(['content']));
  expect(await cache.size(key, never)).toBe(7);
  expect(load).toHaveBeenCalledOnce();
});

test('a missing file is requested again', async () => {
  const cache = await openFileCache(await freshFolder(), MIB);
  const key = uuidv7();
  expect(await cache.open(key, async () => null)).toBeNull();
  expect(await contentOf(cache, key, loads('content'))).toBe('content');
});

test('copies survive a restart, incomplete files do not', async () => {
  const folder = await freshFolder();
  const key = uuidv7();
  const first = await openFileCache(folder, MIB);
  await first.size(key, loads('content'));
  await writeFile(first.temporaryPath(), 'half a fi');
  const second = await openFileCache(folder, MIB);
  expect(await contentOf(second, key, never)).toBe('content');
  expect(await paths(folder)).toHaveLength(1);
});

test.each([
  ['was cut off', (path: string) => truncate(path, 3)],
  ['has grown', (path: string) => appendFile(path, 'more')],
  ['has other content of the same size', (path: string) => writeFile(path, 'cOntent')],
  ['was deleted', (path: string) => rm(path)],
])('a copy that %s is loaded again, before and after a restart', async (_name, damage) => {
  const folder = await freshFolder();
  const key = uuidv7();
  const cache = await openFileCache(folder, MIB);
  await cache.size(key, loads('content'));
  for (const restarted of [false, true]) {
    const [path] = await paths(folder);
    await damage(path!);
    const now = restarted ? await openFileCache(folder, MIB) : cache;
    const load = loads('content');
    expect(await contentOf(now, key, load)).toBe('content');
    expect(load).toHaveBeenCalledOnce();
  }
});

test('a copy damaged in a crash, with the times of an intact one, is not served', async () => {
  const folder = await freshFolder();
  const key = uuidv7();
  await (await openFileCache(folder, MIB)).size(key, loads('content'));
  const [path] = await paths(folder);
  await writeFile(path!, '\0\0\0\0\0\0\0');
  await utimes(path!, 1, 1);
  expect(await contentOf(await openFileCache(folder, MIB), key, loads('content'))).toBe('content');
});

test('the least recently used copies are evicted, also by the order of before a restart', async () => {
  const folder = await freshFolder();
  const keys = [uuidv7(), uuidv7(), uuidv7(), uuidv7()];
  const quarter = loads(Buffer.alloc(MIB / 4));
  const first = await openFileCache(folder, MIB);
  for (const key of keys) await first.size(key, quarter);
  await first.size(keys[0]!, never);
  await first.size(uuidv7(), quarter);
  expect(first.usedBytes()).toBe(MIB);
  await eventually(async () => expect(await paths(folder)).toHaveLength(4));
  await first.size(keys[0]!, never);
  await expect(first.size(keys[1]!, never)).rejects.toThrow('It was loaded');

  const now = Date.now() / 1000;
  for (const path of await paths(folder)) await utimes(path, path.includes(keys[3]!) ? now : now - 60, now);
  const second = await openFileCache(folder, MIB / 4);
  await eventually(async () => expect(await paths(folder)).toHaveLength(1));
  expect(await second.size(keys[3]!, never)).toBe(MIB / 4);
});

test('a file that is being read can be evicted', async () => {
  const folder = await freshFolder();
  const cache = await openFileCache(folder, MIB);
  const file = await cache.open(uuidv7(), loads(Buffer.alloc(MIB, 'a')));
  await cache.size(uuidv7(), loads(Buffer.alloc(MIB, 'b')));
  await eventually(async () => expect(await paths(folder)).toHaveLength(1));
  expect(String(await file!.readFile())).toBe('a'.repeat(MIB));
  await file!.close();
});

test('a download that fails leaves nothing, and the next one succeeds', async () => {
  const folder = await freshFolder();
  const cache = await openFileCache(folder, MIB);
  const key = uuidv7();
  const fails: LoadFile = async (path) => {
    await writeFile(path, 'half');
    throw new Error('cut off');
  };
  await expect(cache.size(key, fails)).rejects.toThrow('cut off');
  expect(await paths(folder)).toEqual([]);
  expect(await contentOf(cache, key, loads('content'))).toBe('content');
  await cache.delete(key);
  expect(await paths(folder)).toEqual([]);
  await expect(readFile(join(folder, key))).rejects.toThrow('ENOENT');
});
