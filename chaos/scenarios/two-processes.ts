import { endAndAudit } from '../audit.ts';
import { NoticeLoad, noticesOf } from '../notices.ts';
import type { ChaosResult, ChaosScenario, RunningOptions } from '../scenario.ts';
import { freePort, spawnServer, startServer } from '../server-process.ts';
import { withFolder } from '../temporary-folder.ts';

const BIDS_A_ROUND = 300;

/** A second server on the same folder must refuse to start, without effect on the first. */
export const twoProcessesScenario: ChaosScenario = {
  name: 'two-processes',
  about: 'a second process over the same DATA_DIR, while the first one takes events',
  rounds: 5,
  run: (options) =>
    withFolder(options.signal, (dataDir, signal) => startTwice(dataDir, { ...options, signal })),
};

async function startTwice(
  dataDir: string,
  { rounds, program, prepare, log, signal }: RunningOptions,
): Promise<ChaosResult> {
  await prepare?.(dataDir);
  const load = new NoticeLoad();
  const failures: string[] = [];
  const port = await freePort();
  const first = await startServer(program, port, { DATA_DIR: dataDir }, signal);
  for (let round = 1; round <= rounds; round += 1) {
    load.add(noticesOf(BIDS_A_ROUND));
    const second = spawnServer(program, await freePort(), { DATA_DIR: dataDir }, signal);
    const [code] = await Promise.all([second.ended, load.sendAll(port)]);
    const said = second.output().trim();
    if (code !== 1 || !/^Another Bidwell process already uses the data folder \S+\.$/.test(said))
      failures.push(`round ${round}: the second process ended with ${code} and said: ${said}`);
    log(`round ${round}: refused with "${said}"`);
  }
  const found = await endAndAudit(first, dataDir, load, failures);
  return { ...found, notes: [`${rounds} second processes`] };
}
