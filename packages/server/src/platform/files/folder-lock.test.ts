import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test, vi } from 'vitest';
import { FolderInUse, lockFolder } from './folder-lock.ts';
import { eventually } from '@bidwell/testing/eventually';

const never = (): void => {};

async function freshFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'bidwell-lock-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** Starts another process that holds the lock; resolves once it has it. */
async function otherProcess(folder: string) {
  const program = `
    const { lockFolder } = await import(${JSON.stringify(fileURLToPath(new URL('./folder-lock.ts', import.meta.url)))});
    await lockFolder(${JSON.stringify(folder)}, () => {}).then(() => console.log('locked'), (error) => console.log(error.message));
    setInterval(() => {}, 1000);`;
  const child = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', program]);
  onTestFinished(() => void child.kill('SIGKILL'));
  const [said] = (await once(child.stdout, 'data')) as [Buffer];
  return { child, said: said.toString().trim() };
}

test('a second process is rejected, and the lock of a killed one blocks no one', async () => {
  const folder = await freshFolder();
  const { child, said } = await otherProcess(folder);
  expect(said).toBe('locked');
  await expect(lockFolder(folder, never)).rejects.toThrow(new FolderInUse(folder));
  child.kill('SIGKILL');
  await once(child, 'exit');
  const lock = await lockFolder(folder, never);
  expect((await otherProcess(folder)).said).toBe(
    `Another Bidwell process already uses the data folder ${folder}.`,
  );
  await lock.release();
  expect((await readdir(folder)).filter((name) => name.startsWith('lock'))).toEqual([]);
});

test('of many concurrent processes one gets the lock, also if a dead owner left one', async () => {
  const folder = await freshFolder();
  for (let round = 0; round < 5; round += 1) {
    await writeFile(
      join(folder, 'lock'),
      JSON.stringify({
        id: 'dead',
        pid: process.pid,
        host: hostname(),
        boot: await boot(),
        socket: 'lock-dead.sock',
      }),
    );
    const attempts = await Promise.allSettled(Array.from({ length: 8 }, () => lockFolder(folder, never)));
    const locks = attempts.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
    expect(locks).toHaveLength(1);
    await locks[0]!.release();
  }
});

test('an owner on another machine keeps the lock as long as it renews it', async () => {
  const folder = await freshFolder();
  const elsewhere = { id: 'far', pid: 1, host: 'elsewhere', boot: 'another kernel', socket: 'lock-far.sock' };
  await writeFile(join(folder, 'lock'), JSON.stringify(elsewhere));
  const signs = setInterval(() => void writeFile(join(folder, 'lock'), JSON.stringify(elsewhere)), 200);
  await expect(lockFolder(folder, never)).rejects.toThrow(FolderInUse);
  clearInterval(signs);
});

test('an owner is notified when another machine takes over its lock', async () => {
  const folder = await freshFolder();
  const lost = vi.fn();
  const lock = await lockFolder(folder, lost);
  await writeFile(join(folder, 'lock'), JSON.stringify({ id: 'another', socket: null }));
  await eventually(() => expect(lost).toHaveBeenCalledOnce());
  await lock.release();
});

async function boot(): Promise<string> {
  return readFile('/proc/sys/kernel/random/boot_id', 'utf8').then(
    (text) => text.trim(),
    () => '',
  );
}
