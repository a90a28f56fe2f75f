import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, expect, test, vi } from 'vitest';
import { BackupFailed, explained } from '../backup/backup-failed.ts';
import { FolderInUse } from '../platform/files/folder-in-use.ts';
import { backupCommand, moveCommand, restoreCommand } from './backup-commands.ts';
import { createClient } from './client.ts';

const folder = await mkdtemp(join(tmpdir(), 'bidwell-backup-commands-'));
afterAll(async () => rm(folder, { recursive: true, force: true }));
beforeEach(() => {
  vi.stubEnv('DATA_DIR', join(folder, 'data'));
  return () => vi.unstubAllEnvs();
});
const client = createClient('http://127.0.0.1:9', 'token', { say: () => {} });

test('a command without a place asks for one', async () => {
  await expect(backupCommand.run(client, [])).rejects.toThrow(
    'Where to? Give a folder, or s3://BUCKET/PREFIX.',
  );
  await expect(restoreCommand.run(client, ['a', 'b'])).rejects.toThrow('From where?');
});

test('a place in S3 needs the settings and a prefix of its own', async () => {
  await expect(backupCommand.run(client, ['s3://bucket/monday'])).rejects.toThrow(
    's3://bucket/monday is in S3, which needs S3_ENDPOINT and the other S3 settings.',
  );
  await expect(backupCommand.run(client, ['s3://bucket'])).rejects.toThrow('with a prefix');
  for (const [name, value] of Object.entries({
    S3_ENDPOINT: 'http://127.0.0.1:9',
    S3_BUCKET: 'bucket',
    S3_ACCESS_KEY_ID: 'key',
    S3_SECRET_ACCESS_KEY: 'secret',
    S3_PREFIX: 'creatives',
  }))
    vi.stubEnv(name, value);
  await expect(backupCommand.run(client, ['s3://bucket/creatives/'])).rejects.toThrow(
    'is where the creative files are: give backups another prefix.',
  );
});

test('a folder with the date in its name that is not empty is not written to', async () => {
  const today = join(folder, new Date().toISOString().slice(0, 10));
  await mkdir(today);
  await writeFile(join(today, 'a note'), '');
  await expect(backupCommand.run(client, [join(folder, '{date}')])).rejects.toThrow(`${today} is not empty`);
});

test('a move names the servers that are missing', async () => {
  await expect(moveCommand.run(client, [])).rejects.toThrow(
    'Set DATABASE_URL and CLICKHOUSE_URL to the servers that the installation moves to.',
  );
});

test('events on a ClickHouse cluster are left to its own tools', async () => {
  vi.stubEnv('DATABASE_URL', 'postgres://127.0.0.1:9/bidwell');
  vi.stubEnv('CLICKHOUSE_URL', 'http://127.0.0.1:9');
  vi.stubEnv('CLICKHOUSE_CLUSTER', 'main');
  await expect(backupCommand.run(client, [join(folder, 'cluster')])).rejects.toThrow(
    /^The events are on a ClickHouse cluster/,
  );
});

test.skipIf(process.getuid?.() === 0)('a folder that may not be written is named', async () => {
  const closed = join(folder, 'closed');
  await mkdir(closed);
  await chmod(closed, 0o500);
  await expect(backupCommand.run(client, [join(closed, 'backup')])).rejects.toThrow('check its owner');
});

test.each([
  [{ code: 'ENOSPC', path: '/backups/x' }, 'The disk is full: /backups/x cannot be written.'],
  [{ code: 'EACCES', path: '/backups' }, '/backups may not be read or written: check its owner.'],
  [{ code: 'EROFS', path: '/backups' }, '/backups is on a read-only disk.'],
  [
    { code: 'ECONNREFUSED' },
    'A database does not answer (it failed): check DATABASE_URL and CLICKHOUSE_URL.',
  ],
])('an error that an operator can mend gets a sentence: %j', (fields, sentence) => {
  expect(explained(Object.assign(new Error('it failed'), fields))).toEqual(new BackupFailed(sentence));
});

test('a folder in use says to stop its server, and other errors stay as they are', () => {
  expect(explained(new FolderInUse('/data'))).toEqual(
    new BackupFailed('Another Bidwell process already uses the data folder /data. Stop it first.'),
  );
  const other = new Error('a bug');
  expect(explained(other)).toBe(other);
});
