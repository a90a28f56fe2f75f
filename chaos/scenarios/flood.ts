import { setTimeout as wait } from 'node:timers/promises';
import { audit, withStores } from '../audit.ts';
import { type ClusterCompany, makeClusterCompany } from '../cluster-company.ts';
import { ledgerProblems } from '../ledger.ts';
import { NoticeLoad, noticesOf } from '../notices.ts';
import type { ChaosResult, ChaosScenario, RunningOptions } from '../scenario.ts';
import { freePort, OPERATOR_TOKEN, startServer } from '../server-process.ts';
import { withFolder } from '../temporary-folder.ts';

/** Daily budgets of the campaigns: none. The leases of six, of $20 a second each at most, exceed what the bidder can bid. */
const BUDGETS = Array.from({ length: 6 }, () => null);
const BIDS_AT_ONCE = 8;
const PAUSE_MS = 150;
const LIST_EVERY_MS = 100;
const WARM_UP_MS = 2000;
const QUIET_MS = 6000;
/** How many times its value before the flood the p95 of another company's lists may be. */
const TIMES_QUIET = 3;
/**
 * What it may be in any case: a few ms before the flood say little on a machine that other programs use, and a list takes
 * several turns of the event loop, each of which takes 15 to 25 ms during an overload.
 */
const ALWAYS_ALLOWED_MS = 1000;

/** A server, and a company that has a running campaign and an exchange there. */
export interface FloodedServer {
  url: string;
  port: number;
  company: ClusterCompany;
  signal: AbortSignal;
  log: (line: string) => void;
}

/** The result of a flood. */
export type FloodOutcome = Pick<ChaosResult, 'failures' | 'notes'>;

/** A flood that begins when `run` is called. */
export interface Flood {
  run(): Promise<FloodOutcome>;
  /** Checks the server when it is over. */
  after?(): Promise<FloodOutcome>;
}

/**
 * A scenario that floods a server while notices arrive and a company lists its ad sets: nothing may be lost or charged twice, and
 * the p95 of the lists must stay below three times that before the flood.
 */
export function floodScenario(
  name: string,
  about: string,
  prepare: (server: FloodedServer) => Promise<Flood>,
  environment: Readonly<Record<string, string>> = {},
): ChaosScenario {
  return {
    name,
    about,
    rounds: 1,
    run: (options) =>
      withFolder(options.signal, async (dataDir, signal) => {
        await options.prepare?.(dataDir);
        const own = { DATA_DIR: dataDir, OPERATOR_TOKEN, ...environment };
        return flood(dataDir, own, prepare, { ...options, signal });
      }),
  };
}

async function flood(
  dataDir: string,
  environment: Readonly<Record<string, string>>,
  prepare: (server: FloodedServer) => Promise<Flood>,
  { rounds, program, log, signal }: RunningOptions,
): Promise<ChaosResult> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const process = await startServer(program, port, environment, signal);
  const company = await makeClusterCompany({ url, operatorToken: OPERATOR_TOKEN }, BUDGETS);
  const server = { url, port, company, signal, log };
  const { run, after } = await prepare(server);
  const notices = startNotices(server);
  const all: FloodOutcome[] = [];
  await lists(company, wait(WARM_UP_MS));
  const quiet = await lists(company, wait(QUIET_MS));
  for (let round = 1; round <= rounds; round += 1) {
    const running = run();
    const flooded = await lists(company, running);
    all.push(await running, compared(quiet, flooded));
    if (after) all.push(await after());
    log(`round ${round}: ${notices.load.acknowledged.size} notices acknowledged so far`);
  }
  all.push(await notices.stop());
  const ledger = await ledgerProblems(url, OPERATOR_TOKEN);
  const code = await process.end('SIGTERM');
  if (code !== 0) ledger.push(`the server ended with ${code}: ${process.output()}`);
  const bidding = company.campaigns.map(({ adsetUuid }) => adsetUuid);
  const found = await withStores({ dataDir }, (stores) => audit(stores, notices.load, bidding));
  return {
    ...found,
    failures: [...all.flatMap(({ failures }) => failures), ...ledger],
    notes: all.flatMap(({ notes }) => notes),
  };
}

/** Latencies of a company's lists while `work` runs, ms, and how many were not answered with 200. */
interface Lists {
  latenciesMs: number[];
  failed: number;
}

async function lists({ call }: ClusterCompany, work: Promise<unknown>): Promise<Lists> {
  let failed = 0;
  const latenciesMs = await latenciesDuring(work, LIST_EVERY_MS, async () => {
    const answer = await call('GET', '/adset').catch(() => null);
    if (answer?.status !== 200) failed += 1;
  });
  return { latenciesMs, failed };
}

function compared(quiet: Lists, flooded: Lists): FloodOutcome {
  const [before, during] = [quiet, flooded].map(({ latenciesMs }) => percentile(latenciesMs, 0.95)) as [
    number,
    number,
  ];
  const limitMs = Math.max(ALWAYS_ALLOWED_MS, TIMES_QUIET * before);
  const isSlow = !(during < limitMs);
  const figures = `another company's lists: p95 ${before.toFixed(0)} ms before, ${during.toFixed(0)} ms during the flood`;
  return {
    notes: [`${figures}, limit ${limitMs.toFixed(0)} ms`],
    failures: [
      ...(isSlow ? [figures] : []),
      ...(flooded.failed > 0 ? [`${flooded.failed} lists of another company failed`] : []),
    ],
  };
}

/** Sends notices of the company's bids until it is stopped, which resolves once all are acknowledged. */
function startNotices({ port, company }: FloodedServer) {
  const load = new NoticeLoad();
  const stopping = new AbortController();
  const refused: string[] = [];
  const sending = (async () => {
    while (!stopping.signal.aborted) {
      load.add(noticesOf(BIDS_AT_ONCE, [0], company.noticesOf));
      const { statuses, broken } = await load.send(port);
      for (const [status, times] of statuses)
        if (status !== 200) refused.push(`${times} notices were answered ${status}`);
      if (broken > 0) refused.push(`the connections of ${broken} notices broke`);
      await wait(PAUSE_MS);
    }
  })();
  return {
    load,
    async stop(): Promise<FloodOutcome> {
      stopping.abort();
      await sending;
      await load.sendAll(port);
      return { failures: refused, notes: [] };
    },
  };
}

/** Latencies in ms of calls that are made at a fixed rate, whatever the latency of earlier ones, while `work` runs. */
async function latenciesDuring(
  work: Promise<unknown>,
  everyMs: number,
  call: () => Promise<unknown>,
): Promise<number[]> {
  const latenciesMs: number[] = [];
  const calls: Promise<void>[] = [];
  const state = { isDone: false };
  const done = work.finally(() => (state.isDone = true));
  const startedMs = performance.now();
  for (let n = 0; !state.isDone; n += 1) {
    const dueMs = startedMs + n * everyMs;
    await Promise.race([done, wait(Math.max(0, dueMs - performance.now()))]);
    if (!state.isDone) calls.push(call().then(() => void latenciesMs.push(performance.now() - dueMs)));
  }
  await done;
  await Promise.all(calls);
  return latenciesMs;
}

/** The value that this share of the values does not exceed; NaN of no values. */
function percentile(values: readonly number[], share: number): number {
  return values.toSorted((a, b) => a - b)[Math.max(0, Math.ceil(values.length * share) - 1)] ?? NaN;
}
