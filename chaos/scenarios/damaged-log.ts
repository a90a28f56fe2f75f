import { readFile, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { audit, withStores } from '../audit.ts';
import { NoticeLoad, noticesOf } from '../notices.ts';
import type { ChaosResult, ChaosScenario, RunningOptions } from '../scenario.ts';
import { freePort, startServer } from '../server-process.ts';
import { withFolder } from '../temporary-folder.ts';

const BIDS_A_ROUND = 400;

/** Flips a byte in each segment that a killed server left: the next start must succeed and lose at most one record each. */
export const damagedLogScenario: ChaosScenario = {
  name: 'damaged-log',
  about: 'a byte of the event log is flipped between kill -9 and the next start',
  rounds: 5,
  run: (options) =>
    withFolder(options.signal, (dataDir, signal) => damageRepeatedly(dataDir, { ...options, signal })),
};

async function damageRepeatedly(
  dataDir: string,
  { rounds, program, prepare, log, signal }: RunningOptions,
): Promise<ChaosResult> {
  const folder = join(dataDir, 'event-log');
  await prepare?.(dataDir);
  const load = new NoticeLoad();
  const failures: string[] = [];
  const port = await freePort();
  let flipped = 0;
  for (let round = 1; round <= rounds; round += 1) {
    const server = await startServer(program, port, { DATA_DIR: dataDir }, signal);
    load.add(noticesOf(BIDS_A_ROUND));
    let ended: Promise<number | string> | undefined;
    await load.send(port, (answered) => {
      if (answered >= BIDS_A_ROUND) ended ??= server.end('SIGKILL');
      return !ended;
    });
    await (ended ?? server.end('SIGKILL'));
    for (const name of (await readdir(folder)).filter((entry) => entry.endsWith('.wal'))) {
      const bytes = await readFile(join(folder, name));
      if (bytes.length < 100) continue;
      // In the first record; the records after it must be recovered.
      bytes[60]! ^= 0xff;
      await writeFile(join(folder, name), bytes);
      flipped += 1;
    }
    log(`round ${round}: ${flipped} segments damaged so far`);
  }
  const server = await startServer(program, port, { DATA_DIR: dataDir }, signal);
  await load.sendAll(port);
  const code = await server.end('SIGTERM');
  if (code !== 0) failures.push(`the last server ended with ${code}: ${server.output()}`);
  const aside = await readdir(join(folder, 'quarantine')).catch(() => []);
  if (aside.length !== flipped) failures.push(`${flipped} segments were damaged, ${aside.length} put aside`);
  const found = await withStores({ dataDir }, (stores) => audit(stores, load));
  if (found.lost > flipped) failures.push(`${found.lost} events are missing of ${flipped} damaged records`);
  return {
    ...found,
    // Except for the records that the damage itself destroyed: one per segment.
    lost: Math.max(0, found.lost - flipped),
    failures,
    notes: [`${flipped} records were destroyed, ${found.lost} events are missing`],
  };
}
