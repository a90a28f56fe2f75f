import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type ServerProcess, spawnServer } from './server-process.ts';
import { withFolder } from './temporary-folder.ts';

/** Runs `work` while a program runs that never ends by itself. Returns the program's process. */
async function withServer(
  work: (folder: string) => Promise<void>,
  timeout?: AbortSignal,
): Promise<ServerProcess> {
  let server: ServerProcess | undefined;
  await withFolder(timeout, async (folder, signal) => {
    const program = join(folder, 'endless.mjs');
    await writeFile(program, 'setInterval(() => {}, 60_000);');
    server = spawnServer(program, 0, {}, signal);
    await work(folder);
  }).catch(() => {});
  return server!;
}

test.each([
  ['fails', () => Promise.reject(new Error('failed'))],
  ['leaves its server running', () => Promise.resolve()],
])('a scenario that %s leaves no process behind', async (_how, work) => {
  expect(await (await withServer(work)).ended).toBe('SIGKILL');
});

test('a scenario whose test timed out stops its server, and starts no other', async () => {
  const timeout = new AbortController();
  const server = await withServer(async (folder) => {
    timeout.abort(new Error('timed out'));
    expect(() => spawnServer(folder, 0, {}, timeout.signal)).toThrow('timed out');
  }, timeout.signal);
  expect(await server.ended).toBe('SIGKILL');
});
