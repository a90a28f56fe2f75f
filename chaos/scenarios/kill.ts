import { postbacksOfCompany } from '../app-events.ts';
import { endAndAudit } from '../audit.ts';
import { registerCompany } from '../cluster-company.ts';
import { NoticeLoad, type Postbacks, noticesOf } from '../notices.ts';
import type { ChaosResult, ChaosScenario, RunningOptions } from '../scenario.ts';
import { freePort, startServer } from '../server-process.ts';
import { withFolder } from '../temporary-folder.ts';

const BIDS_A_ROUND = 1500;
/** One in this number of bids has an install and in-app events. */
const EVENTS_EVERY = 50;
/** Requests at once with more in-app events than by default. */
const SENDERS_OF_MANY_EVENTS = 96;
const HOUR_MS = 3_600_000;
/** Ages of bids: new, on both sides of the two hours of the deduplication window, and days old. */
const AGES_MS = [0, 0, 0, 0, 0, 1.9 * HOUR_MS, 2.1 * HOUR_MS, 3 * 24 * HOUR_MS];

/** Repeated `kill -9` under load: acknowledged notices and in-app events must be stored once and charged once. */
export const killScenario: ChaosScenario = {
  name: 'kill',
  about: 'kill -9 under load, again and again',
  rounds: 20,
  run: (options) =>
    withFolder(options.signal, (dataDir, signal) => killRepeatedly(dataDir, { ...options, signal })),
};

async function killRepeatedly(
  dataDir: string,
  { rounds, events: timesAsMany = 1, program, prepare, log, signal }: RunningOptions,
): Promise<ChaosResult> {
  await prepare?.(dataDir);
  const port = await freePort();
  const load = new NoticeLoad(timesAsMany > 1 ? SENDERS_OF_MANY_EVENTS : undefined);
  const failures: string[] = [];
  const recoveriesMs: number[] = [];
  let postbacks: Postbacks | undefined;
  for (let round = 1; round <= rounds; round += 1) {
    const startedMs = performance.now();
    const server = await startServer(program, port, { DATA_DIR: dataDir }, signal);
    // The first start recovers nothing.
    if (round > 1) recoveriesMs.push(performance.now() - startedMs);
    postbacks ??= await postbacksOfCompany(
      await registerCompany(`http://127.0.0.1:${port}`, 'chaos'),
      Math.ceil(EVENTS_EVERY / timesAsMany),
    );
    load.add(noticesOf(BIDS_A_ROUND, AGES_MS, {}, postbacks));
    load.repeat(300);
    const killAfter = 300 + Math.floor(Math.random() * 3000);
    let ended: Promise<number | string> | undefined;
    const { statuses } = await load.send(port, (answered) => {
      if (answered >= killAfter) ended ??= server.end('SIGKILL');
      return !ended;
    });
    await (ended ?? server.end('SIGKILL'));
    for (const [status, times] of statuses)
      if (status !== 200) failures.push(`round ${round}: ${times} notices were answered ${status}`);
    log(
      `round ${round}: ${load.acknowledged.size} and ${load.appEvents.size} in-app events acknowledged so far`,
    );
  }
  const server = await startServer(program, port, { DATA_DIR: dataDir }, signal);
  await load.sendAll(port);
  const found = await endAndAudit(server, dataDir, load, failures);
  const events = `${load.appEvents.size} in-app events`;
  return { ...found, notes: [`${rounds} kills`, events, ...timesOf(recoveriesMs)] };
}

/** The median and the longest time until a killed server was ready again. */
function timesOf(timesMs: readonly number[]): string[] {
  const sorted = timesMs.toSorted((a, b) => a - b);
  const at = (index: number) => ((sorted[index] ?? 0) / 1000).toFixed(1);
  if (sorted.length === 0) return [];
  return [
    `ready again after ${at(Math.floor(sorted.length / 2))} s (median), ${at(sorted.length - 1)} s at most`,
  ];
}
