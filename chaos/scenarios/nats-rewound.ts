import { cp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { audit } from '../audit.ts';
import { within } from '../bid-outcome.ts';
import { ledgerProblems } from '../ledger.ts';
import { NoticeLoad, noticesOf } from '../notices.ts';
import type { ChaosOptions, ChaosResult, ChaosScenario } from '../scenario.ts';
import { type ClusterRun, withCluster } from '../with-cluster.ts';

const BIDS_A_STEP = 300;
const COUNTED_WITHIN_MS = 90_000;
/** What a counter logs of each partition. */
const NOTICED = /lost messages of this partition, which is counted anew/;

/**
 * NATS loses its last messages, which are all counted: they must not be charged again, and the messages that get their numbers
 * must not be lost.
 */
export const natsRewoundScenario: ChaosScenario = {
  name: 'nats-rewound',
  about: 'NATS of a cluster returns to an earlier copy of its folder, without its last messages',
  rounds: 3,
  run: (options) => withCluster(options, [null], async (run) => rewindRepeatedly(run, options)),
};

async function rewindRepeatedly(
  { cluster, company, stores }: ClusterRun,
  { rounds, log }: Pick<ChaosOptions, 'rounds' | 'log'>,
): Promise<ChaosResult> {
  const port = Number(new URL(cluster.url).port);
  const nats = cluster.engines.nats.process;
  const folder = join(cluster.folder, 'nats');
  const copy = join(cluster.folder, 'nats-before');
  const load = new NoticeLoad();
  const failures: string[] = [];
  const bidding = company.campaigns.map(({ adsetUuid }) => adsetUuid);
  const counted = () => audit(stores, load, bidding);
  /** Sends notices and waits until all of them, with all earlier ones, are counted. Resolves to the time that took, ms. */
  const countMore = async (): Promise<number> => {
    const sinceMs = performance.now();
    load.add(noticesOf(BIDS_A_STEP, [0], company.noticesOf));
    await load.sendAll(port);
    const areCounted = await within(COUNTED_WITHIN_MS, async () => (await counted()).lost === 0);
    if (!areCounted) failures.push(`${(await counted()).lost} notices were not counted`);
    return performance.now() - sinceMs;
  };
  for (let round = 1; round <= rounds; round += 1) {
    await countMore();
    await nats.stop();
    await rm(copy, { recursive: true, force: true });
    await cp(folder, copy, { recursive: true });
    await nats.start();
    await countMore();
    await nats.stop();
    await rm(folder, { recursive: true });
    await cp(copy, folder, { recursive: true });
    await nats.start();
    const tookMs = await countMore();
    log(`round ${round}: counted again ${(tookMs / 1000).toFixed(1)} s after NATS was back`);
  }
  const isNoticed = cluster.servers.counter.some(({ process }) => NOTICED.test(process.output()));
  if (!isNoticed) failures.push('no counter noticed that messages were lost');
  failures.push(...(await ledgerProblems(cluster.url, cluster.operatorToken)));
  return { ...(await counted()), failures, notes: [`${rounds} times without the last messages`] };
}
