/**
 * The bidder beyond its capacity: an exchange in another process sends bid requests with a time limit of 120 ms by a Poisson
 * process, at shares of the rate that the server can take once it is warm, alone and while a company reads reports. The best of these rates
 * is the reference. Prints the bids in time and the latencies as the exchange sees them, how long the list of another company's campaigns
 * takes meanwhile, the CPU time of a shed request and of a no-bid, and the time until bids are in time again after four
 * times the load.
 *
 * npm run bench -- overload [--connections N] [--seconds N]
 */
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import type { OpenLoopResult } from '@bidwell/testing/load/open-loop';
import { type Load, startLoad } from './load/child.ts';
import type { OpenLoopOrder } from './load/open-loop.ts';
import type { OverloadOrder, OverloadState } from './load/overload-server.ts';

const { values: options } = parseArgs({
  options: { connections: { type: 'string', default: '500' }, seconds: { type: 'string', default: '6' } },
});
const DURATION_MS = Number(options.seconds) * 1000;
const WARM_UP_MS = 12_000;
const LOADS = [0.5, 0.8, 1, 2, 4];
/** The capacity is searched for from this rate on, in steps, until a smaller share of the bids is in time. */
const FIRST_RATE = 1000;
const RATE_STEP = 1.4;
const IN_TIME_SHARE = 0.85;
const SEARCH_MS = 3000;
const REPORTS_AT_ONCE = 4;
const LIST_EVERY_MS = 50;
/** How long the requests of an exchange that does not skip the bidder wait for a connection. */
const WAIT_MS = 120;

const server: Load<OverloadOrder, OverloadState> = await startLoad('./overload-server.ts');
const exchange: Load<OpenLoopOrder, OpenLoopResult> = await startLoad('./open-loop.ts', [
  options.connections,
]);
const { port, path, limitedPath, token } = await server.run({});

const run = (perSecond: number, durationMs = DURATION_MS, waitMs = 0) =>
  exchange.run({ port, path, perSecond, durationMs, waitMs });
const perSecond = (count: number, { elapsedMs }: OpenLoopResult) => (count * 1000) / elapsedMs;
const rounded = (value: number, digits = 2) => Number(value.toFixed(digits));

interface LoadResult extends OpenLoopResult {
  /** 95th percentile of the duration of a company's list of campaigns. */
  listP95Ms: number;
}

/** The rate of requests, a second, at which most bids are in time; more of them are not, from the next step on. */
async function findCapacity(): Promise<number> {
  let usual = 0;
  let best = 0;
  for (let rate = FIRST_RATE; ; rate *= RATE_STEP) {
    const seen = await run(rate, SEARCH_MS);
    const share = seen.bidsInTime / seen.arrived;
    usual ||= share;
    best = Math.max(best, (perSecond(seen.arrived, seen) * share) / usual);
    if (share < usual * IN_TIME_SHARE) return best;
  }
}

/** Bids in time a second at each load, in multiples of the capacity. */
async function measureLoads(capacity: number, name: string, waitMs = 0): Promise<Map<number, LoadResult>> {
  const results = new Map<number, LoadResult>();
  for (const load of LOADS) {
    const stopLists = startLists();
    const seen = await run(capacity * load, DURATION_MS, waitMs);
    const result = { ...seen, listP95Ms: await stopLists() };
    results.set(load, result);
    console.log(
      `${name} ${String(load).padEnd(4)} ${Math.round(perSecond(result.arrived, result))} arrived/s, ${Math.round(perSecond(result.sent, result))} sent/s; ` +
        `${Math.round(perSecond(result.bidsInTime, result))} bids/s in time, ${result.bidsLate} late, ${Math.round(perSecond(result.noBids, result))} no-bids/s; ` +
        `p50 ${result.p50Ms.toFixed(1)}, p95 ${result.p95Ms.toFixed(1)}, p99 ${result.p99Ms.toFixed(1)} ms; ` +
        `list p95 ${result.listP95Ms.toFixed(0)} ms`,
    );
  }
  return results;
}

/** Requests a company's campaigns again and again; the result stops that and resolves to the 95th percentile of the durations, ms. */
function startLists(): () => Promise<number> {
  const stop = new AbortController();
  const durationsMs: number[] = [];
  const loop = async (): Promise<void> => {
    while (!stop.signal.aborted) {
      const fromMs = performance.now();
      const response = await fetch(`http://127.0.0.1:${port}/api/internal/campaign`, {
        headers: { authorization: `Bearer ${token}` },
      });
      await response.arrayBuffer();
      if (!response.ok) throw new Error(`The list of campaigns was answered ${response.status}.`);
      durationsMs.push(performance.now() - fromMs);
      await pause(LIST_EVERY_MS);
    }
  };
  const running = loop();
  return async () => {
    stop.abort();
    await running;
    return durationsMs.sort((a, b) => a - b)[Math.floor(durationsMs.length * 0.95)]!;
  };
}

/** Keeps requesting the largest reports until it is stopped; resolves to the number of responses. */
function startReports(): () => Promise<number> {
  const stop = new AbortController();
  let answered = 0;
  const dates = { start_date: dayBefore(50), end_date: dayBefore(1) };
  const loop = async (): Promise<void> => {
    while (!stop.signal.aborted) {
      const response = await fetch(`http://127.0.0.1:${port}/api/internal/analytics/level`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify({ ...dates, levels: { campaign: '', adset: '', bundle: '' } }),
      });
      await response.arrayBuffer();
      if (response.ok) answered += 1;
    }
  };
  const loops = Array.from({ length: REPORTS_AT_ONCE }, loop);
  return async () => {
    stop.abort();
    await Promise.all(loops);
    return answered;
  };
}

function dayBefore(days: number): string {
  return new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10);
}

/** CPU time in microseconds of a no-bid that is served, and of a request above the limit of its exchange, which is shed. */
async function measureShedding(rate: number): Promise<{ shed: number; noBid: number }> {
  const measured = async (at: string) => {
    const idleFrom = await server.run({});
    await pause(DURATION_MS / 4);
    const from = await server.run({});
    const order = { port, path: at, perSecond: rate, durationMs: DURATION_MS, stream: 'unwanted' as const };
    const { sent } = await exchange.run(order);
    const to = await server.run({});
    return (to.cpuMicros - from.cpuMicros - 4 * (from.cpuMicros - idleFrom.cpuMicros)) / sent;
  };
  return { noBid: await measured(path), shed: await measured(limitedPath) };
}

/** Seconds after a burst at four times the load until nine of ten bids of half the load are in time. */
async function recoverySeconds(capacity: number): Promise<number> {
  await run(capacity * 4, 3000);
  const { inTimeBy100Ms } = await run(capacity / 2, 5000);
  const usual = inTimeBy100Ms.slice(-20).reduce((sum, count) => sum + count, 0) / 20;
  const last = inTimeBy100Ms.findLastIndex((count) => count < usual * 0.8);
  return Math.max(0, Math.min(last + 1, inTimeBy100Ms.length - 20)) / 10;
}

try {
  await run(FIRST_RATE, WARM_UP_MS / 2);
  await run(5 * FIRST_RATE, WARM_UP_MS / 2);
  const capacity = await findCapacity();
  console.log(`capacity   ${Math.round(capacity)} requests/s over ${options.connections} connections`);
  const alone = await measureLoads(capacity, 'alone  ');
  const waiting = await measureLoads(capacity, 'waiting', WAIT_MS);
  const stopReports = startReports();
  const withReports = await measureLoads(capacity, 'reports');
  console.log(`${await stopReports()} reports were answered meanwhile`);
  const { shed, noBid } = await measureShedding(capacity);
  console.log(`CPU time   ${shed.toFixed(1)} µs a shed request, ${noBid.toFixed(1)} µs a no-bid`);
  const recoveryS = await recoverySeconds(capacity);
  const goodput = (results: Map<number, LoadResult>, load: number) => {
    const best = Math.max(...[...results.values()].map((one) => perSecond(one.bidsInTime, one)));
    const one = results.get(load)!;
    return perSecond(one.bidsInTime, one) / best;
  };
  const atTwice = alone.get(2)!;
  console.log(
    JSON.stringify({
      bench: 'overload',
      ratio: rounded(goodput(alone, 2)),
      goodputAt2x: rounded(goodput(alone, 2)),
      goodputAt4x: rounded(goodput(alone, 4)),
      goodputWaitingAt2x: rounded(goodput(waiting, 2)),
      goodputBesideReportsAt2x: rounded(goodput(withReports, 2)),
      p99Ms80: rounded(alone.get(0.8)!.p99Ms, 1),
      p99Ms80BesideReports: rounded(withReports.get(0.8)!.p99Ms, 1),
      lateBidsAt2x: rounded(atTwice.bidsLate / Math.max(1, atTwice.bidsLate + atTwice.bidsInTime), 4),
      shedCpuRatio: rounded(shed / noBid),
      listP95MsAt4x: rounded(alone.get(4)!.listP95Ms, 0),
      recoveryS,
      capacityPerS: Math.round(capacity),
    }),
  );
  await server.run({ stop: true });
} finally {
  exchange.child.kill();
  server.child.kill();
}
