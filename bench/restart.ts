/**
 * Start time and memory of the built server with 50 million events of the last seven days, a tenth of them from bids of the
 * last two hours, compared with the same server on a folder without events. Each start runs in a process of its own and is
 * measured until /readyz succeeds; the memory is the peak of the start. Uses fewer events if the disk is too small.
 * Targets: ready in 10 s, in at most 1,024 MiB.
 *
 * npm run bench -- restart [--events N] [--keep FOLDER]: keeps the filled folder there, and reuses it if it exists
 */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, statfs, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { freePort } from '../chaos/server-process.ts';

const EVENTS = 50_000_000;
/** Disk space per event: the table, its aggregates, and temporary space for merges. */
const BYTES_AN_EVENT = 400;
const STARTS = 3;
const READY_WITHIN_MS = 300_000;
const TARGET = { readyS: 10, rssMiB: 1024 };

const { values: options } = parseArgs({
  options: { events: { type: 'string' }, keep: { type: 'string' } },
});
const root = fileURLToPath(new URL('..', import.meta.url));
const serve = join(root, 'packages/server/dist/serve.js');

interface Start {
  readyS: number;
  rssMiB: number;
}

const folder = options.keep ?? (await mkdtemp(join(tmpdir(), 'bidwell-bench-')));
await mkdir(folder, { recursive: true });
run([join(root, 'scripts/build.mjs')]);
const { bavail, bsize } = await statfs(folder);
const events = Math.min(
  Number(options.events ?? EVENTS),
  Math.floor((bavail * bsize) / BYTES_AN_EVENT / 1_000_000) * 1_000_000,
);
const empty = join(folder, 'empty');
const full = join(folder, 'full');
const filledMark = join(folder, 'filled');
const isFilled = existsSync(filledMark);
// The first start creates the databases and is not measured.
for (const dataDir of [empty, full]) await start(dataDir);
if (!isFilled) {
  const fill = fileURLToPath(new URL('./load/restart-fill.ts', import.meta.url));
  const startedMs = performance.now();
  run([...process.execArgv, fill, full, String(events), String(Date.now())]);
  await writeFile(filledMark, String(events));
  console.log(`filled with ${events} events in ${((performance.now() - startedMs) / 1000).toFixed(0)} s`);
}
// Posts the spend of the events, as a server that received them would have done.
await start(full);
const starts: Record<'empty' | 'full', Start[]> = { empty: [], full: [] };
for (let round = 0; round < STARTS; round += 1) {
  starts.empty.push(await start(empty));
  starts.full.push(await start(full));
}
if (!options.keep) await rm(folder, { recursive: true, force: true, maxRetries: 5 });

const reference = medianOf(starts.empty);
const measured = medianOf(starts.full);
const line = (name: string, { readyS, rssMiB }: Start) =>
  console.log(`${name.padEnd(22)} ready in ${readyS.toFixed(1)} s, at most ${rssMiB} MiB`);
line('no events:', reference);
line(`${events} events:`, measured);
for (const key of ['readyS', 'rssMiB'] as const) {
  if (measured[key] <= TARGET[key]) continue;
  console.error(`${key} is above its target of ${TARGET[key]}.`);
  process.exitCode = 1;
}
console.log(
  JSON.stringify({
    bench: 'restart',
    events,
    readyS: measured.readyS,
    rssMiB: measured.rssMiB,
    emptyReadyS: reference.readyS,
    emptyRssMiB: reference.rssMiB,
  }),
);

/** Starts the server on a folder, waits until it is ready and stops it. */
async function start(dataDir: string): Promise<Start> {
  const port = await freePort();
  const startedMs = performance.now();
  const child = spawn(process.execPath, [serve], {
    env: {
      PATH: process.env['PATH'],
      NODE_ENV: 'test',
      CAPTCHA: 'off',
      LOG_LEVEL: 'error',
      DATA_DIR: dataDir,
      PORT: String(port),
      UV_THREADPOOL_SIZE: '16',
      SHUTDOWN_GRACE_SECONDS: '0',
    },
    stdio: 'inherit',
  });
  const ended = once(child, 'exit');
  try {
    for (;;) {
      if (child.exitCode !== null || performance.now() - startedMs > READY_WITHIN_MS)
        throw new Error('The server did not become ready.');
      const ready = await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => null);
      await ready?.arrayBuffer();
      if (ready?.status === 200) break;
      await wait(25);
    }
    const readyS = Number(((performance.now() - startedMs) / 1000).toFixed(2));
    return { readyS, rssMiB: await highestMemoryMiB(child.pid!) };
  } finally {
    child.kill('SIGTERM');
    await ended;
  }
}

/** Peak memory of a process where the system reports it (Linux), else its current memory. */
async function highestMemoryMiB(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  const peak = /VmHWM:\s+(\d+) kB/.exec(status)?.[1];
  const kib = peak ?? spawnSync('ps', ['-o', 'rss=', '-p', String(pid)]).stdout.toString();
  return Math.round(Number(kib) / 1024);
}

function medianOf(list: readonly Start[]): Start {
  const middle = (key: keyof Start) =>
    list.map((one) => one[key]).sort((a, b) => a - b)[Math.floor(list.length / 2)]!;
  return { readyS: middle('readyS'), rssMiB: middle('rssMiB') };
}

function run(command: readonly string[]): void {
  const { status } = spawnSync(process.execPath, command, { stdio: 'inherit' });
  if (status !== 0) throw new Error(`${command.at(-1)} failed.`);
}
