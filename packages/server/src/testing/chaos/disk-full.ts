import { spawnSync } from 'node:child_process';
import { mkdir, rm, statfs, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { audit, withStores } from './audit.ts';
import { NoticeLoad, noticesOf } from './notices.ts';
import type { ChaosOptions, ChaosResult, ChaosScenario } from './scenario.ts';
import { freePort, startServer } from './server-process.ts';
import { withFolder } from './temporary-folder.ts';

const DISK_MIB = 24;
const BIDS_A_ROUND = 400;
const RECOVERS_WITHIN_MS = 15_000;

/** The event log's disk is filled to the last byte under load, and emptied again. */
export const diskFullScenario: ChaosScenario = {
  name: 'disk-full',
  about: 'the disk of the event log is full, and has room again',
  rounds: 3,
  run: (options) =>
    withFolder(async (dataDir) => {
      const folder = join(dataDir, 'event-log');
      await mkdir(folder);
      const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${DISK_MIB}m`, 'tmpfs', folder]);
      if (mounted.status !== 0) return 'a small disk can only be mounted by root';
      try {
        return await fillAgainAndAgain(dataDir, folder, options);
      } finally {
        spawnSync('umount', [folder]);
      }
    }),
};

async function fillAgainAndAgain(
  dataDir: string,
  folder: string,
  { rounds, program, log }: ChaosOptions,
): Promise<ChaosResult> {
  const load = new NoticeLoad();
  const failures: string[] = [];
  const port = await freePort();
  const server = await startServer(program, port, { DATA_DIR: dataDir });
  const filler = join(folder, 'filler');
  for (let round = 1; round <= rounds; round += 1) {
    load.add(noticesOf(BIDS_A_ROUND));
    await load.send(port, (answered) => answered < BIDS_A_ROUND);
    await fill(folder, filler);
    const { statuses, broken } = await load.send(port);
    if (!statuses.has(503)) failures.push(`round ${round}: a full disk refused no notice`);
    if (broken > 0) failures.push(`round ${round}: ${broken} connections broke`);
    if (!(await faultOf(port))) failures.push(`round ${round}: bidding went on while the disk was full`);
    await rm(filler);
    await load.sendAll(port, RECOVERS_WITHIN_MS);
    log(`round ${round}: ${[...statuses].map(([status, times]) => `${times} × ${status}`).join(', ')}`);
  }
  const code = await server.end('SIGTERM');
  if (code !== 0) failures.push(`the server ended with ${code}: ${server.output()}`);
  const found = await withStores({ dataDir }, (stores) => audit(stores, load.acknowledged));
  return { ...found, failures, notes: [`${rounds} times full, ${DISK_MIB} MiB`] };
}

/** Takes all the room that is left. */
async function fill(folder: string, filler: string): Promise<void> {
  const { bavail, bsize } = await statfs(folder);
  await writeFile(filler, Buffer.alloc(bavail * bsize), { flush: false }).catch(() => {});
  await wait(0);
}

/** Whether the server says that its event log cannot take the notices of new bids. */
async function faultOf(port: number): Promise<boolean> {
  const metrics = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
  return /^bidwell_event_log_fault 1$/m.test(metrics);
}
