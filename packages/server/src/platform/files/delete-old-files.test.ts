import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { deleteOldFiles } from './delete-old-files.ts';

const BEFORE = new Date('2026-05-01T00:00:00Z');

test('files are deleted by age and, the oldest first, by size; folders stay', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'bidwell-old-files-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const add = async (name: string, day: string, bytes: number) => {
    await writeFile(join(folder, name), Buffer.alloc(bytes));
    await utimes(join(folder, name), new Date(day), new Date(day));
  };
  await mkdir(join(folder, 'a folder'));
  await add('expired', '2026-04-30', 10);
  await add('oldest', '2026-05-02', 60);
  await add('older', '2026-05-03', 60);
  await add('newest', '2026-05-04', 30);
  expect(await deleteOldFiles(folder, { before: BEFORE, bytesMax: 100 })).toBe(2);
  expect((await readdir(folder)).toSorted()).toEqual(['a folder', 'newest', 'older']);
  expect(await deleteOldFiles(join(folder, 'none'), { before: BEFORE, bytesMax: 100 })).toBe(0);
});
