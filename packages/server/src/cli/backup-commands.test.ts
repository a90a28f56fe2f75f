import { existsSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, expect, test, vi } from 'vitest';
import { BackupFailed, explained } from '../backup/backup-failed.ts';
import { encodeBackup } from '../backup/frames.ts';
import type { Manifest } from '../backup/manifest.ts';
import { digestOf } from '../platform/files/digest.ts';
import { FolderInUse } from '../platform/files/folder-lock.ts';
import { backupCommand, moveCommand, restoreCommand } from './backup-commands.ts';
import { createClient } from './client.ts';

const folder = await mkdtemp(join(tmpdir(), 'bidwell-backup-commands-'));
afterAll(async () => rm(folder, { recursive: true, force: true }));
/** A folder that looks like an installation. */
const installed = join(folder, 'data');
await mkdir(join(installed, 'postgres'), { recursive: true });
await mkdir(join(installed, 'clickhouse'));
await writeFile(join(installed, 'postgres', 'PG_VERSION'), '17');
beforeEach(() => {
  vi.stubEnv('DATA_DIR', installed);
  return () => vi.unstubAllEnvs();
});
const client = createClient('http://127.0.0.1:9', 'token', { say: () => {} });

test('a command without a place requires one', async () => {
  await expect(backupCommand.run(client, [])).rejects.toThrow(
    'Where to? Give a folder, or s3://BUCKET/PREFIX.',
  );
  await expect(restoreCommand.run(client, ['a', 'b'])).rejects.toThrow('From where?');
});

test('a folder without an installation is named, and nothing is created in it', async () => {
  const empty = join(folder, 'empty');
  vi.stubEnv('DATA_DIR', empty);
  await expect(backupCommand.run(client, [join(folder, 'of-nothing')])).rejects.toThrow(
    `There is no installation in ${empty}: set DATA_DIR to its folder, or BIDWELL_URL and OPERATOR_TOKEN to the ones of its server.`,
  );
  vi.stubEnv('BIDWELL_URL', 'http://127.0.0.1:9');
  vi.stubEnv('OPERATOR_TOKEN', 'a_token_of_at_least_thirty_two_characters');
  await expect(backupCommand.run(client, [join(folder, 'of-nothing')])).rejects.toThrow(
    'No server answers at http://127.0.0.1:9',
  );
  for (const path of [empty, join(folder, 'of-nothing'), join(folder, 'of-nothing.partial')])
    expect(existsSync(path)).toBe(false);
});

test('a named server is called first; a backup that lacks events is stored, and the exit code says so', async () => {
  const empty = join(folder, 'elsewhere');
  vi.stubEnv('DATA_DIR', empty);
  vi.stubEnv('BIDWELL_URL', 'http://127.0.0.1:9');
  vi.stubEnv('OPERATOR_TOKEN', 'a_token_of_at_least_thirty_two_characters');
  const lacks = 'The backup lacks the events of 1 segment.';
  const path = join(folder, 'made-by-the-server');
  const file = { file: 'files.jsonl', bytes: 0, sha256: '0'.repeat(64) };
  const manifest: Manifest = {
    format: 1,
    release: '1',
    created_at: '2026-05-01T00:00:00Z',
    postgres: { migrations: [], tables: [] },
    clickhouse: { version: 1, tables: [] },
    files: { index: file, count: 0, bytes: 0 },
    secrets: null,
    missing: [lacks],
  };
  await writeFile(path, JSON.stringify(manifest));
  async function* steps() {
    yield { file: 'manifest.json', path, digest: await digestOf(path) };
  }
  const printed: unknown[] = [];
  for (const name of ['log', 'error'] as const)
    vi.spyOn(console, name).mockImplementation((line) => void printed.push(line));
  const place = join(folder, 'from-the-server');
  const exitCode = process.exitCode;
  await backupCommand.run({ ...client, stream: async () => encodeBackup(steps(), () => {}) }, [place]);
  expect(process.exitCode).toBe(2);
  process.exitCode = exitCode;
  vi.restoreAllMocks();
  expect(printed).toEqual([
    lacks,
    expect.stringContaining(`The backup has everything else that is there: 1 files`),
  ]);
  expect(await readFile(join(place, 'manifest.json'), 'utf8')).toContain(lacks);
  expect(existsSync(empty)).toBe(false);
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
