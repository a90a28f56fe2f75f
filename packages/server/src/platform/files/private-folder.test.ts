import { chmod, mkdir, mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { emptySnapshot } from '@bidwell/testing/empty-engines';
import { openPostgres } from '../postgres/client.ts';
import { restrictNewFiles, makePrivateFolder } from './private-folder.ts';

const modeOf = async (path: string) => (await stat(path)).mode & 0o777;

test('a folder that an older version left readable by all is closed', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'bidwell-private-'));
  const inside = join(folder, 'postgres');
  await mkdir(inside);
  for (const path of [folder, inside]) await chmod(path, 0o777);
  makePrivateFolder(folder);
  expect(await modeOf(folder)).toBe(0o700);
  expect(await modeOf(inside)).toBe(0o700);
  const fresh = join(folder, 'a', 'b');
  makePrivateFolder(fresh);
  expect(await modeOf(fresh)).toBe(0o700);
  await rm(folder, { recursive: true });
});

test('only the owner can access the files of the embedded PostgreSQL, although their own modes are open', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'bidwell-private-'));
  const before = process.umask();
  try {
    restrictNewFiles();
    makePrivateFolder(folder);
    const db = await openPostgres({ dataDir: folder, snapshot: await emptySnapshot() });
    await db.destroy();
    expect(await readdir(folder)).toEqual(['postgres']);
    for (const path of [folder, join(folder, 'postgres')]) expect(await modeOf(path)).toBe(0o700);
  } finally {
    process.umask(before);
    await rm(folder, { recursive: true });
  }
});
