import { setTimeout as wait } from 'node:timers/promises';
import { toDollars, toMicros } from '@bidwell/contract/lib/money';
import type { ClickHouse } from '@bidwell/server/platform/clickhouse/client';
import type { Cluster } from '@bidwell/testing/cluster/cluster';
import { type Stores, audit } from './audit.ts';
import type { ClusterCompany } from './cluster-company.ts';
import { clusterFaults } from './cluster-faults.ts';
import { appEventsCounted, probe, recovered } from './cluster-health.ts';
import { type ClusterLoad, type ExchangeCounts, startClusterLoad } from './cluster-load.ts';
import { ledgerProblems } from './ledger.ts';
import type { ChaosOptions, ChaosResult, ChaosScenario } from './scenario.ts';
import { withCluster } from './with-cluster.ts';

/** How long a fault lasts, and how long the cluster works between two. */
const FAULT_MS = 2000;
const PAUSE_MS = 500;
/** A cluster must have recovered in this time. */
const RECOVERY_MS = 15_000;
/** A process that is asked to stop must have ended in this time. */
const STOP_MS = 10_000;
/** Total budget of the second campaign, which the load exhausts. */
const BUDGET_DOLLARS = 0.2;

/** Each process and each engine of a cluster is killed or cut off in turn, under load. */
export const clusterScenario: ChaosScenario = {
  name: 'cluster',
  about: 'kill -9 or cut off each process and each engine of a cluster in turn, under load',
  rounds: 30,
  run: (options) => underLoad(options, async (run) => injectFaults(run, options)),
};

/** All processes of a cluster are restarted one after another, under load. */
export const rollingUpdateScenario: ChaosScenario = {
  name: 'rolling-update',
  about: 'stop and start each process of a cluster, one after another, under load',
  rounds: 1,
  run: (options) => underLoad(options, async (run) => restartAll(run, options)),
};

/** A cluster under load. */
interface Run {
  cluster: Cluster;
  clickhouse: ClickHouse;
  company: ClusterCompany;
  load: ClusterLoad;
}

/** The events during the load. */
interface Observed {
  failures: string[];
  notes: string[];
}

type Options = Pick<ChaosOptions, 'rounds' | 'log'>;

async function injectFaults(
  { cluster, clickhouse, company, load }: Run,
  { rounds, log }: Options,
): Promise<Observed> {
  const faults = clusterFaults(cluster);
  const failures: string[] = [];
  let longestMs = 0;
  for (let round = 0; round < rounds; round += 1) {
    const fault = faults[round % faults.length]!;
    const before = load.counts().failed;
    let sinceMs = performance.now();
    await fault.begin();
    const sent = probe(company.noticesOf);
    await wait(FAULT_MS);
    if (!fault.isCovered) {
      await fault.end();
      sinceMs = performance.now();
    }
    const tookMs = await recovered(cluster, clickhouse, sent, sinceMs);
    load.notices.adopt(sent.load);
    if (fault.isCovered) await fault.end();
    longestMs = Math.max(longestMs, tookMs);
    if (tookMs > RECOVERY_MS)
      failures.push(`${fault.name}: recovered after ${seconds(tookMs)} (limit ${seconds(RECOVERY_MS)})`);
    const failed = load.counts().failed - before;
    log(`round ${round + 1}: ${fault.name}: recovered in ${seconds(tookMs)}, ${failed} requests failed`);
    await wait(PAUSE_MS);
  }
  return { failures, notes: [`${rounds} faults, longest recovery ${seconds(longestMs)}`] };
}

async function restartAll(
  { cluster, clickhouse, company, load }: Run,
  { rounds, log }: Options,
): Promise<Observed> {
  const failures: string[] = [];
  let longestMs = 0;
  for (let round = 1; round <= rounds; round += 1)
    for (const { process } of Object.values(cluster.servers).flat()) {
      const before = load.counts().failed;
      const { code, ms } = await process.stop();
      longestMs = Math.max(longestMs, ms);
      if (code !== 0) failures.push(`${process.name} ended with ${code}: ${process.output()}`);
      if (ms > STOP_MS) failures.push(`${process.name} took ${seconds(ms)} to stop`);
      await process.start();
      log(`${process.name}: stopped in ${seconds(ms)}, ${load.counts().failed - before} requests failed`);
    }
  const sent = probe(company.noticesOf);
  await recovered(cluster, clickhouse, sent, performance.now());
  load.notices.adopt(sent.load);
  const { failed } = load.counts();
  if (failed > 0) failures.push(`${failed} requests failed`);
  return { failures, notes: [`longest stop ${seconds(longestMs)}`] };
}

/** Starts a cluster and its load, calls `work`, and compares what was acknowledged with what is stored and charged. */
async function underLoad(
  options: Pick<ChaosOptions, 'signal' | 'program' | 'events'>,
  work: (run: Run) => Promise<Observed>,
): Promise<ChaosResult | string> {
  return withCluster(options, [null, BUDGET_DOLLARS], async ({ cluster, company, stores }) => {
    const { clickhouse } = stores;
    const load = await startClusterLoad(cluster, company, {
      serve: options.program,
      events: options.events,
    });
    const observed = await work({ cluster, clickhouse, company, load }).catch(failed);
    const exchange = await load.stop();
    const last = probe(company.noticesOf);
    await recovered(cluster, clickhouse, last, performance.now());
    load.notices.adopt(last.load);
    await appEventsCounted(clickhouse, load.notices);
    return result(stores, { cluster, company, load, exchange, observed });
  });
}

const failed = (error: Error): Observed => ({ failures: [error.message], notes: [] });

async function result(
  stores: Stores,
  parts: {
    cluster: Cluster;
    company: ClusterCompany;
    load: ClusterLoad;
    exchange: ExchangeCounts;
    observed: Observed;
  },
): Promise<ChaosResult> {
  const { cluster, company, load, exchange, observed } = parts;
  const adsets = company.campaigns.map(({ adsetUuid }) => adsetUuid);
  const problems = await ledgerProblems(cluster.url, cluster.operatorToken);
  const spent = await spendOf(stores, adsets);
  const chargedMicros = spent.reduce((sum, micros) => sum + micros, 0);
  const overspentMicros = Math.max(0, spent[1]! - toMicros(BUDGET_DOLLARS));
  const found = await audit(stores, load.notices, adsets);
  const { requests, failed: failedRequests } = load.counts();
  return {
    ...found,
    failures: [
      ...observed.failures,
      ...problems,
      ...(chargedMicros < exchange.spendMicros
        ? ['less was charged than the exchange was acknowledged']
        : []),
    ],
    notes: [
      ...observed.notes,
      `${failedRequests} of ${requests} notices, postbacks and calls of the API failed`,
      `${load.notices.appEvents.size} in-app events`,
      `the exchange sent ${exchange.requests} requests: ${exchange.bids} bids, ${exchange.late} late, ${exchange.badAnswers} failed, ${exchange.noticeFailures} notices failed`,
      `the exchange counted $${dollars(exchange.spendMicros)}, charged $${dollars(chargedMicros)}`,
      `spent $${dollars(spent[1]!)} of a budget of $${BUDGET_DOLLARS}, $${dollars(overspentMicros)} too much`,
    ],
  };
}

/** Booked spend of ad sets, in micros, in their order. */
async function spendOf({ db }: Stores, adsets: readonly string[]): Promise<number[]> {
  const rows = await db.selectFrom('adset_spend').select(['adset_uuid', 'ever_micros']).execute();
  return adsets.map((uuid) => rows.find((row) => row.adset_uuid === uuid)?.ever_micros ?? 0);
}

const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;
const dollars = (micros: number): string => toDollars(micros).toFixed(6);
