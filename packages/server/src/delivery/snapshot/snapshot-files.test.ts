import { mkdtemp, readFile, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { v4 as uuidv4 } from 'uuid';
import { expect, onTestFinished, test } from 'vitest';
import { type SnapshotHead, snapshotFiles } from './snapshot-files.ts';
import type { AdsetRow } from '../model/candidate.ts';

async function freshFiles() {
  const folder = await mkdtemp(join(tmpdir(), 'bidwell-snapshot-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return { folder, files: snapshotFiles(folder, pino({ level: 'silent' })) };
}

const adset = (name: string) => ({ campaignName: name }) as AdsetRow;
const [one, two] = [uuidv4(), uuidv4()];
const headOf = (version: string, versions: [string, string]): SnapshotHead => ({
  version,
  companies: [
    { uuid: one, timeZone: 'UTC', version: versions[0] },
    { uuid: two, timeZone: 'Asia/Tokyo', version: versions[1] },
  ],
  ssps: [{ slug: 'adx', previousSecretUntil: new Date(1_800_000_000_000) } as SnapshotHead['ssps'][number]],
  priceRules: [
    [
      'adx',
      {
        keys: { encryption: Buffer.from('a key'), integrity: Buffer.of(0, 255) },
        unreadable: 'bid',
        deviceNotices: 'none',
      },
    ],
  ],
  rates: [['EUR', 1.08]],
});

test('a snapshot is read back as it was written, including instants and keys', async () => {
  const { folder, files } = await freshFiles();
  files.changed(one, [adset('a')]);
  files.changed(two, [adset('b'), adset('c')]);
  files.save(headOf('v1', ['1', '1']));
  await files.written();
  const stored = await files.read();
  expect(stored).toMatchObject(headOf('v1', ['1', '1']));
  expect(stored!.priceRules[0]![1].keys!.encryption).toEqual(Buffer.from('a key'));
  expect([...stored!.adsetsOf]).toEqual([
    [one, [adset('a')]],
    [two, [adset('b'), adset('c')]],
  ]);
  expect((await stat(join(folder, 'head.json'))).mode & 0o077).toBe(0);
});

test('only changed companies are written again, and deleted ones are removed', async () => {
  const { folder, files } = await freshFiles();
  files.changed(one, [adset('a')]);
  files.changed(two, [adset('b')]);
  files.save(headOf('v1', ['1', '1']));
  await files.written();
  const before = await readdir(folder);
  files.changed(two, [adset('changed')]);
  files.save(headOf('v2', ['1', '2']));
  await files.written();
  const after = await readdir(folder);
  expect(after).toHaveLength(before.length);
  expect(after.filter((name) => before.includes(name))).toHaveLength(2);
  expect((await files.read())!.adsetsOf.get(two)).toEqual([adset('changed')]);
});

test('a damaged file excludes its company, a damaged head everything, and neither throws', async () => {
  const { folder, files } = await freshFiles();
  files.changed(one, [adset('a')]);
  files.changed(two, [adset('b')]);
  files.save(headOf('v1', ['1', '1']));
  await files.written();
  const damaged = (await readdir(folder)).find((name) => name.startsWith(one))!;
  await writeFile(join(folder, damaged), (await readFile(join(folder, damaged))).subarray(0, 20));
  expect([...(await files.read())!.adsetsOf.keys()]).toEqual([two]);
  await writeFile(join(folder, 'head.json'), '{"format":2}');
  expect(await files.read()).toBeNull();
});
