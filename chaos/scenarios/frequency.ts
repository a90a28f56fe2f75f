import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { ClickHouse } from '@bidwell/server/platform/clickhouse/client';
import { freePorts } from '@bidwell/testing/cluster/ports';
import { type RoleProcess, roleProcess } from '@bidwell/testing/cluster/server-processes';
import { within } from '../bid-outcome.ts';
import { probe, recovered } from '../cluster-health.ts';
import { ledgerProblems } from '../ledger.ts';
import { PersonLoad } from '../person-load.ts';
import type { ChaosOptions, ChaosResult, ChaosScenario } from '../scenario.ts';
import { type ClusterRun, withCluster } from '../with-cluster.ts';

/** The most impressions of a person in a day, so in a run. */
const CAP = 2;
const PEOPLE = 100;
/** Mean time between two requests of a person. */
const EVERY_MS = 1000;
/** Share of the impressions that may be beyond the cap while bidders can tell each other of bids. */
const BEYOND_SHARE_MAX = 0.03;
const STEADY_MS = 15_000;
const FROZEN_MS = 8000;
const CUT_MS = 5000;
const KILLED_MS = 3000;
/** How long the people of a fault come again after it. */
const AFTER_MS = 8000;
const BIDS_WITHIN_MS = 60_000;

/**
 * People come again to three bidders that tell each other of bids by NATS. One is frozen, one is killed, and NATS is cut: no one may see an ad
 * more often than the cap and what docs/audiences-and-caps.md allows beyond it, no bid may be late, and no acknowledged impression lost.
 */
export const frequencyScenario: ChaosScenario = {
  name: 'frequency',
  about: 'people come again to several bidders; one is frozen, one is killed, and NATS is cut',
  rounds: 1,
  run: (options) => withCluster(options, [null], async (run) => capped(run, options)),
};

/** A fault, or none, and what may happen meanwhile. */
interface Phase {
  name: string;
  run: () => Promise<unknown>;
  /** How often a person may see the ad, from what the metrics of `bidders` allow beyond the cap. */
  shownMax: (beyond: number) => number;
  bidders: readonly RoleProcess[];
  /** Whether all bidders that bid know of each other's bids. */
  isTold: boolean;
}

async function capped(
  { cluster, company, stores }: ClusterRun,
  { rounds, log, program }: Pick<ChaosOptions, 'rounds' | 'log' | 'program'>,
): Promise<ChaosResult> {
  const [port] = await freePorts(1);
  const folder = join(cluster.folder, 'data');
  const third = roleProcess('bidder', 3, port!, { program, folder, environment: cluster.environment });
  await third.process.start();
  try {
    return await underFaults(
      [...cluster.servers.bidder, third],
      { cluster, company, stores },
      { rounds, log },
    );
  } finally {
    await third.process.stop();
  }
}

async function underFaults(
  bidders: readonly RoleProcess[],
  { cluster, company, stores }: ClusterRun,
  { rounds, log }: Pick<ChaosOptions, 'rounds' | 'log'>,
): Promise<ChaosResult> {
  const { adsetUuid } = company.campaigns[0]!;
  const frequency_caps = [{ impressions: CAP, minutes: 1440 }];
  const { status } = await company.call('PUT', `/adset/${adsetUuid}`, { frequency_caps });
  if (status !== 200) throw new Error(`The cap was not saved: ${status}`);
  const path = `/openrtb/${company.ssp.slug}/${company.ssp.secret}`;
  const load = new PersonLoad({
    urls: bidders.map(({ url }) => url + path),
    people: PEOPLE,
    everyMs: EVERY_MS,
  });
  const failures: string[] = [];
  const notes: string[] = [];
  const isBidding = await within(BIDS_WITHIN_MS, async () => load.acknowledged.size > PEOPLE);
  if (!isBidding) failures.push('there were no bids');
  const [first, second, third] = bidders as [RoleProcess, RoleProcess, RoleProcess];
  const nats = cluster.relays.nats!;

  const observe = async ({ name, run, shownMax, bidders: observed, isTold }: Phase): Promise<void> => {
    load.replaceAll();
    const before = load.counts();
    await run();
    const overshoot = await highestOvershoot(observed, cluster.operatorToken);
    const { late, bids, requests } = load.counts();
    const people = load.seen();
    const limit = shownMax(overshoot);
    const most = people.reduce((highest, { shown }) => Math.max(highest, shown), 0);
    const shown = people.reduce((total, person) => total + person.shown, 0);
    const beyond = people.reduce((total, person) => total + Math.max(0, person.shown - CAP), 0);
    const line = `${name}: ${people.length} people, ${requests - before.requests} requests, ${bids - before.bids} bids, ${late - before.late} late; ${beyond} of ${shown} impressions beyond the cap of ${CAP}, at most ${most} of one person (limit ${limit})`;
    log(line);
    notes.push(line);
    if (most > limit) failures.push(`${name}: a person saw the ad ${most} times (limit ${limit})`);
    if (isTold && beyond > shown * BEYOND_SHARE_MAX)
      failures.push(`${name}: more than ${BEYOND_SHARE_MAX * 100} % of the impressions were beyond the cap`);
    if (late > before.late) failures.push(`${name}: ${late - before.late} bids were late`);
    if (people.every((person) => person.shown < CAP)) failures.push(`${name}: no one reached the cap`);
  };
  for (let round = 1; round <= rounds; round += 1) {
    await observe({
      name: 'no fault',
      run: () => wait(STEADY_MS),
      shownMax: (beyond) => CAP + beyond,
      bidders,
      isTold: true,
    });
    await observe({
      name: `${first.process.name} frozen for ${FROZEN_MS / 1000} s`,
      shownMax: (beyond) => CAP + beyond,
      // Messages waited for the frozen one, which does not bid until it has read them.
      bidders: [second, third],
      isTold: true,
      async run() {
        await wait(2000);
        process.kill(first.process.pid!, 'SIGSTOP');
        await wait(FROZEN_MS);
        process.kill(first.process.pid!, 'SIGCONT');
        await wait(AFTER_MS);
      },
    });
    await observe({
      name: `${second.process.name} killed`,
      // The bids that were under way are not known to it until their notices come.
      shownMax: (beyond) => 2 * CAP + beyond,
      // The first one's last minute has the messages that waited for it.
      bidders: [third],
      isTold: false,
      async run() {
        await wait(2000);
        await second.process.kill();
        await wait(KILLED_MS);
        await second.process.start();
        await wait(AFTER_MS);
      },
    });
    await observe({
      name: `NATS cut for ${CUT_MS / 1000} s`,
      // Each bidder counts alone.
      shownMax: () => bidders.length * CAP,
      bidders,
      isTold: false,
      async run() {
        nats.cut(true);
        await wait(CUT_MS);
        nats.mend();
        await wait(AFTER_MS);
      },
    });
  }
  await load.stop();
  const last = probe(company.noticesOf);
  await recovered(cluster, stores.clickhouse, last, performance.now());
  failures.push(...(await ledgerProblems(cluster.url, cluster.operatorToken)));
  const { failed } = load.counts();
  notes.push(`${failed} requests without a response`);
  return { ...(await counted(stores.clickhouse, adsetUuid, load.acknowledged)), failures, notes };
}

/** Compares the acknowledged impressions with the stored ones. */
async function counted(clickhouse: ClickHouse, adset: string, acknowledged: ReadonlySet<string>) {
  const rows = await clickhouse.query<{ bid_id: string; times: number }>(
    "select bid_id, count() as times from events where adset_id = {adset:UUID} and kind = 'billing' group by bid_id",
    { adset },
  );
  const stored = new Set(rows.map(({ bid_id: id }) => id));
  return {
    acknowledged: acknowledged.size,
    lost: [...acknowledged].filter((id) => !stored.has(id)).length,
    doubled: rows.filter(({ times }) => times > 1).length,
  };
}

/** The highest `bidwell_frequency_overshoot_max` of `bidders` in the last minute. */
async function highestOvershoot(bidders: readonly RoleProcess[], token: string): Promise<number> {
  const values = await Promise.all(bidders.map(({ url }) => overshootOf(url, token)));
  return Math.max(...values);
}

async function overshootOf(url: string, token: string): Promise<number> {
  const headers = { authorization: `Bearer ${token}` };
  const text = await (await fetch(`${url}/metrics`, { headers })).text();
  return Number(/^bidwell_frequency_overshoot_max(?:\{.*\})? (\S+)$/m.exec(text)?.[1] ?? Number.NaN);
}
