import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmdirSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { addToSum } from '@bidwell/server/platform/group-by';
import { endAndAudit } from '../audit.ts';
import { stopWatchAt, within } from '../bid-outcome.ts';
import { NoticeLoad, noticesOf } from '../notices.ts';
import type { ChaosResult, ChaosScenario, RunningOptions } from '../scenario.ts';
import { freePort, OPERATOR_TOKEN, spawnServer, startServer } from '../server-process.ts';
import { withFolder } from '../temporary-folder.ts';

const BIDS_A_ROUND = 400;
const STOPS_WITHIN_MS = 30_000;
const RECOVERS_WITHIN_MS = 60_000;

/** Makes the disk of the event log read-only under load, then the disk of the whole data folder, with a start meanwhile. */
export const readOnlyScenario: ChaosScenario = {
  name: 'read-only',
  about: 'the disk becomes read-only, and can be written again',
  rounds: 3,
  run: (options) =>
    withFolder(options.signal, async (dataDir, signal) => {
      await mkdir(join(dataDir, 'event-log'));
      const disk = readOnlyAt(dataDir);
      if (!disk) return 'a read-only disk can only be mounted by root';
      disk.end();
      return lockRepeatedly(dataDir, { ...options, signal });
    }),
};

/**
 * Mounts a folder over itself read-only: files can be read, and nothing can be created, opened for writing or deleted. Only
 * files that are open already can still be written. Null where that is not allowed.
 */
function readOnlyAt(folder: string): { end(): void } | null {
  const run = (command: string, ...args: string[]) => spawnSync(command, args).status === 0;
  // Made read-only elsewhere first: a mount with a file that is open for writing cannot be made read-only.
  const aside = mkdtempSync(join(tmpdir(), 'bidwell-read-only-'));
  const isMounted =
    run('mount', '--bind', folder, aside) &&
    run('mount', '-o', 'remount,bind,ro', aside) &&
    run('mount', '--bind', aside, folder);
  run('umount', aside);
  rmdirSync(aside);
  if (!isMounted) return null;
  return {
    end() {
      // A process may have a file open in it at this moment.
      if (!run('umount', folder)) run('umount', '--lazy', folder);
    },
  };
}

async function whileReadOnly<T>(folder: string, work: () => Promise<T>): Promise<T> {
  const disk = readOnlyAt(folder);
  if (!disk) throw new Error(`${folder} could not be mounted read-only.`);
  try {
    return await work();
  } finally {
    disk.end();
  }
}

async function lockRepeatedly(
  dataDir: string,
  { rounds, program, prepare, log, signal }: RunningOptions,
): Promise<ChaosResult> {
  await prepare?.(dataDir);
  const load = new NoticeLoad();
  const failures: string[] = [];
  const port = await freePort();
  const environment = { DATA_DIR: dataDir, OPERATOR_TOKEN };
  let server = await startServer(program, port, environment, signal);
  const bidsStop = await stopWatchAt(port, OPERATOR_TOKEN);
  for (let round = 1; round <= rounds; round += 1) {
    const expect = (isSo: boolean, otherwise: string) => {
      if (!isSo) failures.push(`round ${round}: ${otherwise}`);
    };
    load.add(noticesOf(BIDS_A_ROUND));
    await load.send(port, (answered) => answered < BIDS_A_ROUND);
    expect(await bidsStop(false, STOPS_WITHIN_MS), 'there were no bids before the disk was read-only');
    await whileReadOnly(join(dataDir, 'event-log'), async () => {
      const statuses = new Map<number, number>();
      // The log's open file can still be written, so no notice is refused before the log needs the next one.
      const isRefused = await within(STOPS_WITHIN_MS, async () => {
        if (load.waiting === 0) load.add(noticesOf(BIDS_A_ROUND));
        const answers = await load.send(port);
        for (const [status, times] of answers.statuses) addToSum(statuses, status, times);
        expect(answers.broken === 0, `${answers.broken} connections broke`);
        return answers.statuses.has(503);
      });
      expect(isRefused, 'a read-only disk refused no notice');
      expect(await bidsStop(true, STOPS_WITHIN_MS), 'bidding went on while the disk was read-only');
      log(`round ${round}: ${[...statuses].map(([status, times]) => `${times} × ${status}`).join(', ')}`);
    });
    await load.sendAll(port, RECOVERS_WITHIN_MS);
    expect(await bidsStop(false, RECOVERS_WITHIN_MS), 'bidding did not go on when the disk could be written');

    // The databases fail too, and may end the process: only what was acknowledged counts.
    load.add(noticesOf(BIDS_A_ROUND));
    await whileReadOnly(dataDir, async () => {
      await load.send(port, (answered) => answered < 2 * BIDS_A_ROUND);
      await server.end('SIGKILL');
      const refused = spawnServer(program, port, environment, signal);
      const code = await refused.ended;
      expect(code === 1, `a start on a read-only disk ended with ${code}`);
      expect(/read-only disk/.test(refused.output()), `a start did not name the reason: ${refused.output()}`);
    });
    server = await startServer(program, port, environment, signal);
    await load.sendAll(port);
  }
  const found = await endAndAudit(server, dataDir, load, failures);
  return {
    ...found,
    notes: [`${rounds} times the event log, ${rounds} times all of the data folder`],
  };
}
