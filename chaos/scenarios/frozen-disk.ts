import { spawnSync } from 'node:child_process';
import { mkdir, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { addToSum } from '@bidwell/server/platform/group-by';
import { bidRequest } from '@bidwell/testing/exchange';
import { postbacksOfCompany } from '../app-events.ts';
import { audit, withStores } from '../audit.ts';
import { bidOutcome, within } from '../bid-outcome.ts';
import { makeClusterCompany } from '../cluster-company.ts';
import { ledgerProblems } from '../ledger.ts';
import { becomesEmpty } from '../log-folder.ts';
import { NoticeLoad, noticesOf } from '../notices.ts';
import type { ChaosResult, ChaosScenario, RunningOptions } from '../scenario.ts';
import { freePort, OPERATOR_TOKEN, startServer } from '../server-process.ts';
import { withFolder } from '../temporary-folder.ts';

const DISK_BYTES = 2 * 1024 ** 3;
const BIDS_A_ROUND = 300;
const BIDS_WHILE_FROZEN = 50;
/** One in this number of bids has an install and in-app events. */
const EVENTS_EVERY = 25;
const FROZEN_MS = 15_000;
const PROBE_EVERY_MS = 200;
const ANSWERED_WITHIN_MS = 3000;
const RECOVERS_WITHIN_MS = 60_000;

/** The disk of an embedded server does not answer for a while: probes and bid requests must be answered. */
export const frozenDiskScenario: ChaosScenario = {
  name: 'frozen-disk',
  about: 'the disk of the data folder does not answer for a while, under load',
  rounds: 2,
  run: (options) =>
    withFolder(options.signal, async (folder, signal) => {
      const disk = await mountDisk(folder);
      if (!disk) return 'only root can mount and freeze a disk, with losetup, mkfs.ext4 and fsfreeze';
      try {
        return await freezeRepeatedly(disk, { ...options, signal });
      } finally {
        disk.remove();
      }
    }),
};

/** A disk in a file. */
interface Disk {
  path: string;
  freeze(): void;
  melt(): void;
  remove(): void;
}

const run = (command: string, ...args: string[]): boolean => spawnSync(command, args).status === 0;

/** Mounts a new disk; null if that is not possible. It does not stay frozen when this process ends. */
async function mountDisk(folder: string): Promise<Disk | null> {
  const [image, path] = [join(folder, 'disk.img'), join(folder, 'disk')];
  await writeFile(image, '');
  await truncate(image, DISK_BYTES);
  await mkdir(path);
  if (!run('mkfs.ext4', '-q', image) || !run('mount', '-o', 'loop', image, path)) return null;
  const melt = () => void run('fsfreeze', '--unfreeze', path);
  const remove = () => {
    melt();
    if (!run('umount', path)) run('umount', '--lazy', path);
    process.off('exit', remove);
  };
  process.once('exit', remove);
  if (!run('fsfreeze', '--freeze', path)) {
    remove();
    return null;
  }
  melt();
  const freeze = () => {
    if (!run('fsfreeze', '--freeze', path)) throw new Error('The disk could not be frozen.');
  };
  return { path, freeze, melt, remove };
}

async function freezeRepeatedly(
  disk: Disk,
  { rounds, program, prepare, log, signal }: RunningOptions,
): Promise<ChaosResult> {
  const dataDir = join(disk.path, 'data');
  await mkdir(dataDir);
  await prepare?.(dataDir);
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const server = await startServer(program, port, { DATA_DIR: dataDir, OPERATOR_TOKEN }, signal);
  const company = await makeClusterCompany({ url, operatorToken: OPERATOR_TOKEN }, [null]);
  const bids = `${url}/openrtb/${company.ssp.slug}/${company.ssp.secret}`;
  const outcome = () => bidOutcome(bids, JSON.stringify(bidRequest({ ext: { nbr: 1 } })));
  const allIsWell = () => within(RECOVERS_WITHIN_MS, async () => (await outcome()) === 'bid');
  const postbacks = await postbacksOfCompany(
    { companyId: company.noticesOf.companyId!, call: company.call },
    EVENTS_EVERY,
  );
  const load = new NoticeLoad();
  const failures: string[] = [];
  for (let round = 1; round <= rounds; round += 1) {
    if (!(await allIsWell())) failures.push(`round ${round}: there were no bids before the disk froze`);
    load.add(noticesOf(BIDS_A_ROUND, [0], company.noticesOf, postbacks));
    await load.send(port);
    load.add(noticesOf(BIDS_WHILE_FROZEN, [0], company.noticesOf, postbacks));
    disk.freeze();
    const sending = load.send(port);
    const seen = await probeFor(FROZEN_MS, url, outcome).finally(() => disk.melt());
    const { statuses, broken } = await sending;
    failures.push(...seen.failures.map((what) => `round ${round}: ${what}`));
    if (broken > 0) failures.push(`round ${round}: the connections of ${broken} notices broke`);
    log(`round ${round}: ${seen.figures}; notices: ${textOf(statuses)}`);
    await load.sendAll(port, RECOVERS_WITHIN_MS);
  }
  if (!(await allIsWell())) failures.push('bidding did not go on when the disk answered');
  failures.push(...(await ledgerProblems(url, OPERATOR_TOKEN)));
  await becomesEmpty(join(dataDir, 'postback-log'));
  const code = await server.end('SIGTERM');
  if (code !== 0) failures.push(`the server ended with ${code}: ${server.output()}`);
  const bidding = company.campaigns.map(({ adsetUuid }) => adsetUuid);
  const found = await withStores({ dataDir }, (stores) => audit(stores, load, bidding));
  return {
    ...found,
    failures,
    notes: [`${rounds} times frozen for ${FROZEN_MS / 1000} s`, `${load.appEvents.size} in-app events`],
  };
}

/** Asks for /healthz and for bids all the time. */
async function probeFor(
  durationMs: number,
  url: string,
  outcome: () => Promise<string>,
): Promise<{ figures: string; failures: string[] }> {
  const health = async () => String((await fetch(`${url}/healthz`)).status);
  const answers = { '/healthz': new Map<string, number>(), bids: new Map<string, number>() };
  const endMs = performance.now() + durationMs;
  let slowestMs = 0;
  while (performance.now() < endMs) {
    const askedMs = performance.now();
    const [alive, bid] = await Promise.all([inTime(health()), inTime(outcome())]);
    slowestMs = Math.max(slowestMs, performance.now() - askedMs);
    addToSum(answers['/healthz'], alive, 1);
    addToSum(answers.bids, bid, 1);
    await wait(PROBE_EVERY_MS);
  }
  const failures = Object.entries(answers).flatMap(([what, counts]) =>
    [...counts]
      .filter(([answer]) => /^(no answer|status |5)/.test(answer))
      .map(([answer, times]) => `${what}: ${times} × ${answer}`),
  );
  const figures = `/healthz: ${textOf(answers['/healthz'])}; bid requests: ${textOf(answers.bids)}; slowest ${slowestMs.toFixed(0)} ms`;
  return { figures, failures };
}

const inTime = (answer: Promise<string>): Promise<string> =>
  Promise.race([answer.catch(() => 'no answer'), wait(ANSWERED_WITHIN_MS, 'no answer')]);

const textOf = (counts: ReadonlyMap<string | number, number>): string =>
  [...counts].map(([answer, times]) => `${times} × ${answer}`).join(', ');
