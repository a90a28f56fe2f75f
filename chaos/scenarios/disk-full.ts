import { spawnSync } from 'node:child_process';
import { appendFile, mkdir, rm, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { endAndAudit } from '../audit.ts';
import { stopWatchAt } from '../bid-outcome.ts';
import { NoticeLoad, noticesOf } from '../notices.ts';
import type { ChaosResult, ChaosScenario, RunningOptions } from '../scenario.ts';
import { freePort, OPERATOR_TOKEN, startServer } from '../server-process.ts';
import { withFolder } from '../temporary-folder.ts';

const MIB = 1024 ** 2;
const DISK_MIB = 24;
/** Size limit of the event log. Bidding stops while less than a quarter of it is free on the disk. */
const LOG_MAX_MIB = 12;
/** Free space that is less than that quarter, but enough for the notices of a round. */
const LITTLE_MIB = 2;
const BIDS_A_ROUND = 400;
const NOTICES_EARLY = 300;
const STOPS_WITHIN_MS = 30_000;
const RECOVERS_WITHIN_MS = 60_000;

/** Fills the event log's disk completely under load, then frees it again. */
export const diskFullScenario: ChaosScenario = {
  name: 'disk-full',
  about: 'the disk of the event log is full, and has room again',
  rounds: 3,
  run: (options) =>
    withFolder(options.signal, async (dataDir, signal) => {
      const folder = join(dataDir, 'event-log');
      await mkdir(folder);
      const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${DISK_MIB}m`, 'tmpfs', folder]);
      if (mounted.status !== 0) return 'a small disk can only be mounted by root';
      try {
        return await fillRepeatedly(dataDir, folder, { ...options, signal });
      } finally {
        spawnSync('umount', [folder]);
      }
    }),
};

async function fillRepeatedly(
  dataDir: string,
  folder: string,
  { rounds, program, prepare, log, signal }: RunningOptions,
): Promise<ChaosResult> {
  await prepare?.(dataDir);
  const load = new NoticeLoad();
  const failures: string[] = [];
  const port = await freePort();
  const environment = {
    DATA_DIR: dataDir,
    EVENT_LOG_MAX_BYTES: String(LOG_MAX_MIB * MIB),
    OPERATOR_TOKEN,
  };
  const server = await startServer(program, port, environment, signal);
  const bidsStop = await stopWatchAt(port, OPERATOR_TOKEN);
  const filler = join(folder, 'filler');
  for (let round = 1; round <= rounds; round += 1) {
    const expect = (isSo: boolean, otherwise: string) => {
      if (!isSo) failures.push(`round ${round}: ${otherwise}`);
    };
    load.add(noticesOf(BIDS_A_ROUND));
    await load.send(port, (answered) => answered < BIDS_A_ROUND);
    expect(await bidsStop(false, STOPS_WITHIN_MS), 'there were no bids before the disk filled');
    await fill(folder, filler, LITTLE_MIB * MIB);
    expect(await bidsStop(true, STOPS_WITHIN_MS), 'bidding went on while the disk filled');
    const early = await load.send(port, (answered) => answered < NOTICES_EARLY);
    expect(!early.statuses.has(503), 'notices were refused while there was room for them');
    await fill(folder, filler, 0);
    const { statuses, broken } = await load.send(port);
    expect(statuses.has(503), 'a full disk refused no notice');
    expect(broken === 0, `${broken} connections broke`);
    expect(await bidsStop(true, 0), 'bidding went on while the disk was full');
    await rm(filler);
    await load.sendAll(port, RECOVERS_WITHIN_MS);
    expect(await bidsStop(false, RECOVERS_WITHIN_MS), 'bidding did not go on with room on the disk');
    log(`round ${round}: ${[...statuses].map(([status, times]) => `${times} × ${status}`).join(', ')}`);
  }
  const found = await endAndAudit(server, dataDir, load, failures);
  return { ...found, notes: [`${rounds} times full, ${DISK_MIB} MiB`] };
}

/** Fills the disk's free space except for `leaveBytes`. */
async function fill(folder: string, filler: string, leaveBytes: number): Promise<void> {
  const { bavail, bsize } = await statfs(folder);
  const bytes = Math.max(0, bavail * bsize - leaveBytes);
  await appendFile(filler, Buffer.alloc(bytes)).catch(() => {});
  await wait(0);
}
