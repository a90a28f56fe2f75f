import { mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import { digestOf } from '../platform/files/digest.ts';
import type { BackupStep } from './backup.ts';
import { decodeBackup, encodeBackup } from './frames.ts';

async function folder(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'bidwell-frames-test-'));
  onTestFinished(async () => rm(path, { recursive: true, force: true }));
  return path;
}

async function encoded(contents: Record<string, string>, error?: Error): Promise<Buffer> {
  const from = await folder();
  async function* steps(): AsyncGenerator<BackupStep> {
    yield { note: 'files: 0' };
    for (const [file, content] of Object.entries(contents)) {
      const path = join(from, 'part');
      await writeFile(path, content);
      yield { file, path, digest: await digestOf(path) };
    }
    if (error) throw error;
  }
  return buffer(encodeBackup(steps(), () => {}));
}

async function decoded(bytes: Buffer, chunk: number): Promise<{ read: string[]; spool: string }> {
  const spool = join(await folder(), 'spool');
  async function* stream() {
    for (let at = 0; at < bytes.length; at += chunk) yield bytes.subarray(at, at + chunk);
  }
  const read: string[] = [];
  for await (const step of decodeBackup(stream(), spool))
    read.push('note' in step ? step.note : `${step.file}=${await readFile(step.path, 'utf8')}`);
  return { read, spool };
}

test.each([1, 7, 100_000])('a backup arrives as it was sent, in chunks of %d bytes', async (chunk) => {
  const bytes = await encoded({ 'state/a.jsonl.gz': 'one\ntwo', empty: '', 'manifest.json': '{}' });
  const { read, spool } = await decoded(bytes, chunk);
  expect(read).toEqual(['files: 0', 'state/a.jsonl.gz=one\ntwo', 'empty=', 'manifest.json={}']);
  await expect(readdir(spool)).rejects.toThrow('ENOENT');
});

test('a backup that breaks off fails, with the reason where the server knows it', async () => {
  const whole = await encoded({ a: 'content', 'manifest.json': '{}' });
  await expect(decoded(whole.subarray(0, -1), 10)).rejects.toThrow(/^The server broke off/);
  const full = Object.assign(new Error('no space'), { code: 'ENOSPC', path: '/data/x' });
  await expect(decoded(await encoded({ a: 'content' }, full), 10)).rejects.toThrow(
    'The disk is full: /data/x cannot be written.',
  );
  await expect(decoded(await encoded({}, new Error('password=secret')), 10)).rejects.toThrow(
    'The server could not make the backup; its log says why.',
  );
  const damaged = await encoded({ 'manifest.json': 'content' });
  damaged[damaged.length - 1]! ^= 1;
  await expect(decoded(damaged, 10)).rejects.toThrow('damaged on its way');
});
