import type { RoleProcess } from '@bidwell/testing/cluster/server-processes';
import { bidRequest } from '@bidwell/testing/exchange';
import { audit } from '../audit.ts';
import { bidOutcome, within } from '../bid-outcome.ts';
import { probe, recovered } from '../cluster-health.ts';
import { ledgerProblems } from '../ledger.ts';
import { NoticeLoad, noticesOf } from '../notices.ts';
import type { ChaosOptions, ChaosResult, ChaosScenario } from '../scenario.ts';
import { type ClusterRun, withCluster } from '../with-cluster.ts';

const BIDS_A_ROUND = 300;
/** A tracker that was killed counts as present for thirty seconds. */
const STOPS_WITHIN_MS = 60_000;
const STAYS_MS = 3000;
const BIDS_WITHIN_MS = 60_000;
const NO_TRACKER = /^(no_tracker|event_log)$/;

/** All trackers of a cluster end, killed and stopped in turn: its bidders must not bid until one is back. */
export const noTrackersScenario: ChaosScenario = {
  name: 'no-trackers',
  about: 'all trackers of a cluster are gone, while its bidders run and one of them restarts',
  rounds: 2,
  run: (options) => withCluster(options, [null], async (run) => removeRepeatedly(run, options)),
};

async function removeRepeatedly(
  { cluster, company, stores }: ClusterRun,
  { rounds, log }: Pick<ChaosOptions, 'rounds' | 'log'>,
): Promise<ChaosResult> {
  const { bidder: bidders, tracker: trackers } = cluster.servers;
  const port = Number(new URL(cluster.url).port);
  const path = `/openrtb/${company.ssp.slug}/${company.ssp.secret}`;
  const load = new NoticeLoad();
  const failures: string[] = [];
  const outcomes = () => Promise.all(bidders.map(({ url }) => outcomeAt(url + path)));
  const allBid = () => within(BIDS_WITHIN_MS, async () => (await outcomes()).every((one) => one === 'bid'));
  const noneBids = async () => (await outcomes()).every((one) => NO_TRACKER.test(one));
  for (let round = 1; round <= rounds; round += 1) {
    const expect = (isSo: boolean, otherwise: string) => {
      if (!isSo) failures.push(`round ${round}: ${otherwise}`);
    };
    expect(await allBid(), 'there were no bids while the trackers ran');
    load.add(noticesOf(BIDS_A_ROUND, [0], company.noticesOf));
    await load.send(port);
    const isKill = round % 2 === 1;
    await endAll(trackers, isKill ? 'kill' : 'stop');
    const goneMs = performance.now();
    expect(await within(STOPS_WITHIN_MS, noneBids), 'bidding went on without a tracker');
    const stoppedS = (performance.now() - goneMs) / 1000;
    await bidders[0]!.process.kill();
    await bidders[0]!.process.start();
    load.add(noticesOf(BIDS_A_ROUND, [0], company.noticesOf));
    await load.send(port);
    const bidsAgain = await within(STAYS_MS, async () => !(await noneBids()));
    expect(!bidsAgain, `without a tracker, the bidders answered ${(await outcomes()).join(' and ')}`);
    await trackers[0]!.process.start();
    const backMs = performance.now();
    expect(await allBid(), 'bidding did not go on with a tracker');
    log(
      `round ${round}: bidding stopped ${stoppedS.toFixed(1)} s after the trackers were ${isKill ? 'killed' : 'stopped'}, went on ${((performance.now() - backMs) / 1000).toFixed(1)} s after one was back`,
    );
    await Promise.all(trackers.slice(1).map(({ process }) => process.start()));
    await load.sendAll(port);
  }
  const last = probe(company.noticesOf);
  await recovered(cluster, stores.clickhouse, last, performance.now());
  load.adopt(last.load);
  failures.push(...(await ledgerProblems(cluster.url, cluster.operatorToken)));
  const bidding = company.campaigns.map(({ adsetUuid }) => adsetUuid);
  const found = await audit(stores, load, bidding);
  return { ...found, failures, notes: [`${rounds} times without trackers`] };
}

const outcomeAt = (url: string): Promise<string> =>
  bidOutcome(url, JSON.stringify(bidRequest({ ext: { nbr: 1 } })));

const endAll = (processes: readonly RoleProcess[], how: 'kill' | 'stop') =>
  Promise.all(processes.map(({ process }) => process[how]()));
