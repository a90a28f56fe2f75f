/**
 * The bidder with 10,000 running ad sets of 500 companies: bid requests over HTTP from a second process, compared with a
 * bare node:http server in this process that parses the same JSON and answers with the same number of bytes; the CPU time
 * of a request, for a stream that mostly gets bids and for one that mostly does not, compared with a bare server that
 * only reads the body, and with one that answers 204 unread, each in a process of its own; how many requests a second one core answers
 * in time; the CPU time of the main thread for bids that are signed for SKAdNetwork, compared with the same bids unsigned; the CPU time of a request where half of the ad sets have frequency caps, hours, regions and audiences of five
 * million ids, compared with the same ad sets without them; the auction alone, with 100 and 10,000 ad sets; and how long a snapshot
 * rebuild takes and blocks the event loop.
 *
 * npm run bench -- bidder [--companies N] [--input FOLDER of bid requests, .json or .ndjson]
 */
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { serialize } from 'node:v8';
import { v7 as uuidv7 } from 'uuid';
import { runAuction } from '@bidwell/server/delivery/auction/auction';
import { InstallPrices } from '@bidwell/server/delivery/learning/install-price';
import { valuationOf } from '@bidwell/server/delivery/learning/valuation';
import { Learning } from '@bidwell/server/delivery/learning/learning';
import { readBidRequest } from '@bidwell/server/delivery/openrtb/read/read-request';
import { compileSnapshot } from '@bidwell/server/delivery/snapshot/compile';
import { renewVersion } from '@bidwell/server/platform/postgres/transaction';
import { createSnapshotService } from '@bidwell/server/delivery/snapshot/service';
import { loadAdsets, loadCompanies } from '@bidwell/server/delivery/snapshot/adset-store';
import type { AdsetRow, Candidate } from '@bidwell/server/delivery/model/candidate';
import { noFaults } from '@bidwell/testing/no-faults';
import { leasedBudgets } from '@bidwell/testing/pacing/leased-budgets';
import { emptyDatabase } from '@bidwell/testing/engines/postgres-server';
import { benchApp } from './load/bench-app.ts';
import type { BareOrder, BareState } from './load/bare.ts';
import type { BidderOrder, BidderState } from './load/bidder-server.ts';
import type { LoadOrder, LoadResult, Stream } from './load/bidder.ts';
import { type Load, startLoad } from './load/child.ts';
import { type CpuComparison, compareCpu, medianOf } from './load/cpu.ts';
import { withControls } from './load/controls.ts';
import { addMarket, inventedRequests } from './load/market.ts';

const { values: options } = parseArgs({
  options: { companies: { type: 'string' }, input: { type: 'string' } },
});
const COMPANIES = Number(options.companies ?? 500);
const CONNECTIONS = 64;
const ROUNDS = 3;
const CHANGES = 5;
const ROUND_MS = 4000;
const WARM_UP_MS = 10_000;
/** Each round sends every request once. */
const CPU_ROUND_REQUESTS = 4000;
const CPU_WARM_UP_REQUESTS = 16_000;
const SSP = 'bench';
/** Of a billion requests that take a microsecond each, at $0.0408 for an hour of a core, which large clouds ask on demand. */
const DOLLARS_PER_MICRO = (1e9 / 1e6 / 3600) * 0.0408;

const dataDir = await mkdtemp(join(tmpdir(), 'bidwell-bench-'));
const database = await emptyDatabase(process.env['DATABASE_URL']);
const app = await benchApp({ DATA_DIR: dataDir, DATABASE_URL: database?.url });
await app.listen();
await addMarket(app.ctx.db, COMPANIES);
const exchange = await app.http.inject({
  method: 'PUT',
  url: `/api/operator/ssps/${SSP}`,
  headers: { authorization: `Bearer ${app.ctx.config.operatorToken}` },
  payload: { name: 'Bench', charge_on: 'billing', active: true },
});
const { path } = exchange.json<{ data: { path: string } }>().data;
await app.settled();

let bareAnswer = Buffer.alloc(1);
const bare = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    JSON.parse(Buffer.concat(chunks).toString('utf8'));
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': bareAnswer.length });
    response.end(bareAnswer);
  });
});
bare.listen(0, '127.0.0.1');
await once(bare, 'listening');

const load = await startLoad<LoadOrder, LoadResult>('./bidder.ts', [
  String(CONNECTIONS),
  ...(options.input ? [options.input] : []),
]);

async function measure(
  server: { address(): unknown },
  durationMs: number,
  perSecond?: number,
): Promise<LoadResult> {
  const { port } = server.address() as AddressInfo;
  return load.run({ port, path, durationMs, ...(perSecond && { perSecond }) });
}

interface CpuProcesses {
  bidderProcess: Load<BidderOrder, BidderState>;
  bareProcess: Load<BareOrder, BareState>;
}

/** Measures the CPU time of both streams, with the ad sets of a file. */
async function measureStreams(rowsFile: string) {
  const processes: CpuProcesses = {
    bidderProcess: await startLoad('./bidder-server.ts', [rowsFile]),
    bareProcess: await startLoad('./bare.ts'),
  };
  try {
    return {
      bid: await measureCpu('invented', processes),
      noBid: await measureCpu('unwanted', processes),
      bidToUnread: await measureCpu('invented', processes, true),
      noBidToUnread: await measureCpu('unwanted', processes, true),
      perCore: await perCore(() => processes.bidderProcess.run({ renew: true })),
      perCoreBare: await perCore(() => processes.bareProcess.run({ answerBytes: null })),
      skadn: await measureSigned(processes.bidderProcess),
    };
  } finally {
    for (const { child } of Object.values(processes)) child.kill();
  }
}

/**
 * Compares the CPU time of a stream's requests with the CPU time of a bare server which answers with as many bytes; with one that answers
 * 204 to requests that it does not read, if `isUnread`. Rounds have a fixed number of requests, so that a slow machine does not measure
 * code that is not compiled yet.
 */
async function measureCpu(
  stream: Stream,
  { bidderProcess, bareProcess }: CpuProcesses,
  isUnread = false,
): Promise<CpuComparison & { bids: number }> {
  const run = (server: { port: number }, requests: number) =>
    load.run({ port: server.port, path: serving.path, stream, requests });
  const serving = await bidderProcess.run({});
  const warmed = await run(serving, CPU_WARM_UP_REQUESTS);
  const bareServing = await bareProcess.run({
    answerBytes: isUnread ? null : Math.round(warmed.bytes / warmed.answers),
  });
  await run(bareServing, CPU_WARM_UP_REQUESTS);
  let bids = 0;
  const comparison = await compareCpu(
    {
      cpuMicros: async () => (await bidderProcess.run({})).cpuMicros,
      async load() {
        const result = await run(serving, CPU_ROUND_REQUESTS);
        bids = result.bids / result.answers;
        return result;
      },
    },
    {
      cpuMicros: async () => (await bareProcess.run({})).cpuMicros,
      async load() {
        await bidderProcess.run({ renew: true });
        return run(bareServing, CPU_ROUND_REQUESTS);
      },
    },
  );
  return { ...comparison, bids };
}

/** Longest 99th percentile of the latency at which a rate counts, ms. */
const P99_MS_MAX = 10;
const RATE_STEPS = 7;
const RATE_MS = 1500;
/** A rate counts if one of as many tries is within the limit: what else runs on the machine only makes latencies longer. */
const RATE_TRIES = 3;

/** The most requests a second, of which a tenth gets bids, that a process answers with a p99 within {@link P99_MS_MAX}, by bisection. */
async function perCore(serving: () => Promise<{ port: number; path?: string }>): Promise<number> {
  const holds = async (rate: number): Promise<boolean> => {
    for (let left = RATE_TRIES; left > 0; left -= 1) {
      const { port, path: served = path } = await serving();
      const order = { port, path: served, stream: 'unwanted', perSecond: rate, durationMs: RATE_MS } as const;
      const result = await load.run(order);
      if (result.p99Ms <= P99_MS_MAX && perSecond(result) > rate * 0.98) return true;
    }
    return false;
  };
  let [least, most] = [500, 60_000];
  for (let step = 0; step < RATE_STEPS; step += 1) {
    const rate = Math.round(Math.sqrt(least * most));
    if (await holds(rate)) least = rate;
    else most = rate;
  }
  return least;
}

/** Compares the CPU time of the main thread for requests of iOS devices whose bids are signed with that for the same without signatures. */
async function measureSigned(bidder: CpuProcesses['bidderProcess']) {
  const serving = await bidder.run({});
  const run = async (stream: Stream, requests = CPU_ROUND_REQUESTS) => {
    await bidder.run({ renew: true });
    return load.run({ port: serving.port, path: serving.path, stream, requests });
  };
  for (const stream of ['ios', 'skadn'] as const) await run(stream, CPU_WARM_UP_REQUESTS);
  const before = await bidder.run({});
  let bids = 0;
  const mainThread = (stream: Stream) => ({
    cpuMicros: async () => (await bidder.run({})).mainThreadMicros,
    async load() {
      const result = await run(stream);
      if (stream === 'skadn') bids = result.bids / result.answers;
      return result;
    },
  });
  const comparison = await compareCpu(mainThread('skadn'), mainThread('ios'));
  const after = await bidder.run({});
  const noBids = Object.entries(after.noBids)
    .map(([reason, count]) => [reason, count - (before.noBids[reason] ?? 0)] as const)
    .filter(([, count]) => count > 0);
  return { ...comparison, bids, unsigned: after.unsigned - before.unsigned, noBids };
}

/** Pairs of processes that are compared for the cost of controls. */
const CONTROL_PAIRS = 5;
/** The code of a bidder is compiled after as many, so that no round measures that. */
const CONTROL_WARM_UP_REQUESTS = 48_000;
const CONTROL_ROUNDS = 11;

/** Compares the CPU time of requests where half of the ad sets have controls with that of the same without. */
async function measureControls(rows: readonly AdsetRow[], rowsFile: string) {
  const controlledFile = join(dataDir, 'controlled');
  await writeFile(controlledFile, serialize(withControls(rows)));
  const pairs: Awaited<ReturnType<typeof comparePair>>[] = [];
  for (let pair = 0; pair < CONTROL_PAIRS; pair += 1) pairs.push(await comparePair(controlledFile, rowsFile));
  return { ...pairs.at(-1)!, ...medianOf(pairs), ratios: pairs.map(({ ratio }) => ratio) };
}

async function comparePair(controlledFile: string, rowsFile: string) {
  const controlled = await startLoad<BidderOrder, BidderState>('./bidder-server.ts', [controlledFile, 'controls']); // prettier-ignore
  const plain = await startLoad<BidderOrder, BidderState>('./bidder-server.ts', [rowsFile]);
  const bids = { controlled: 0, plain: 0 };
  const run = async (name: keyof typeof bids, requests: number) => {
    const server = name === 'controlled' ? controlled : plain;
    const { port, path: served } = await server.run({ renew: true });
    const result = await load.run({ port, path: served, stream: 'placed', requests });
    bids[name] = result.bids / result.answers;
    return result;
  };
  const measured = (name: keyof typeof bids) => ({
    cpuMicros: async () => (await (name === 'controlled' ? controlled : plain).run({})).cpuMicros,
    load: () => run(name, CPU_ROUND_REQUESTS),
  });
  try {
    for (let sent = 0; sent < CONTROL_WARM_UP_REQUESTS; sent += CPU_ROUND_REQUESTS)
      for (const name of ['controlled', 'plain'] as const) await run(name, CPU_ROUND_REQUESTS);
    const comparison = await compareCpu(measured('controlled'), measured('plain'), CONTROL_ROUNDS);
    const { rssBytes, noBids } = await controlled.run({});
    return { ...comparison, bids, noBids, addedMiB: (rssBytes - (await plain.run({})).rssBytes) / 2 ** 20 };
  } finally {
    controlled.child.kill();
    plain.child.kill();
  }
}

const perSecond = ({ answers, elapsedMs }: LoadResult): number => (answers * 1000) / elapsedMs;
const median = (values: number[]): number => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;
const rounded = (value: number, digits = 2): number => Number(value.toFixed(digits));

try {
  const warmed = await measure(app.http.server, WARM_UP_MS);
  bareAnswer = Buffer.alloc(Math.max(1, Math.round(warmed.bytes / warmed.answers)), 0x20);
  await measure(bare, WARM_UP_MS);
  const rounds: { ours: LoadResult; reference: LoadResult }[] = [];
  for (let round = 0; round < ROUNDS; round += 1)
    rounds.push({
      ours: await measure(app.http.server, ROUND_MS),
      reference: await measure(bare, ROUND_MS),
    });
  const ours = median(rounds.map((round) => perSecond(round.ours)));
  const reference = median(rounds.map((round) => perSecond(round.reference)));
  const ratio = median(rounds.map((round) => perSecond(round.ours) / perSecond(round.reference)));
  const half = await measure(app.http.server, ROUND_MS, ours / 2);
  const bareHalf = await measure(bare, ROUND_MS, reference / 2);
  const high = await measure(app.http.server, ROUND_MS, ours * 0.9);
  const others = rounds.reduce((sum, round) => sum + round.ours.others, 0);
  const rssMiB = process.memoryUsage().rss / 2 ** 20;
  const bidShare = rounds[0]!.ours.bids / rounds[0]!.ours.answers;
  console.log(
    `bidder     ${Math.round(ours)} requests/s, ${(100 * bidShare).toFixed(0)} % with bids, ${bareAnswer.length} bytes an answer, ${others} others`,
  );
  console.log(`bare       ${Math.round(reference)} requests/s`);
  console.log(
    `at a half  p50 ${half.p50Ms.toFixed(2)} ms, p99 ${half.p99Ms.toFixed(2)} ms of ${Math.round(perSecond(half))} requests/s; bare, of ${Math.round(perSecond(bareHalf))}: ${bareHalf.p50Ms.toFixed(2)} ms, ${bareHalf.p99Ms.toFixed(2)} ms`,
  );
  console.log(
    `at 90 %    p99 ${high.p99Ms.toFixed(2)} ms, ${(100 * high.lateShare).toFixed(2)} % over 100 ms`,
  );

  const companies = await loadCompanies(app.ctx.db);
  const adsets = await loadAdsets(
    app.ctx.db,
    companies.map(({ uuid }) => uuid),
  );
  const rows = [...adsets.values()].flat();
  const many = auctionUs(rows);
  const few = auctionUs(rows.slice(0, 100));
  console.log(
    `auction    ${rows.length} ad sets: median ${many.median.toFixed(1)} µs, p99 ${many.p99.toFixed(1)} µs, a request from its text ${many.request.toFixed(1)} µs; 100 ad sets: ${few.median.toFixed(1)} µs, ${few.request.toFixed(1)} µs`,
  );

  const rowsFile = join(dataDir, 'adsets');
  await writeFile(rowsFile, serialize(rows));
  const {
    bid,
    noBid,
    bidToUnread,
    noBidToUnread,
    perCore: ratePerCore,
    perCoreBare,
    skadn,
  } = await measureStreams(rowsFile);
  const controls = await measureControls(rows, rowsFile);
  for (const [compared, streams] of [
    ['a bare server that reads it', [bid, noBid]],
    ['one that answers 204 unread', [bidToUnread, noBidToUnread]],
  ] as const)
    for (const { bids, own, bare: bareMicros, ratio: cpuRatio } of streams)
      console.log(
        `CPU time   ${own.toFixed(1)} µs a request, of which ${(100 * bids).toFixed(0)} % get bids, $${(own * DOLLARS_PER_MICRO).toFixed(2)} a billion; ` +
          `${compared} ${bareMicros.toFixed(1)} µs; ratio ${cpuRatio.toFixed(2)}`,
      );
  console.log(
    `one core   ${ratePerCore} requests/s with a p99 within ${P99_MS_MAX} ms, of which ${(100 * noBid.bids).toFixed(0)} % get bids; of the bare server that answers 204 unread ${perCoreBare}`,
  );

  console.log(
    `signed     ${skadn.own.toFixed(1)} µs of the main thread for a request of an iOS device with SKAdNetwork, ${skadn.bare.toFixed(1)} µs without; ${(100 * skadn.bids).toFixed(0)} % get bids, ${skadn.unsigned} bids were not signed in time; without bids, of both streams: ${skadn.noBids.map(([reason, count]) => `${count} ${reason}`).join(', ') || 'none'}`,
  );

  console.log(
    `controls   ${controls.own.toFixed(1)} µs a request where half of the ad sets have caps, hours, regions and audiences, ${(100 * controls.bids.controlled).toFixed(0)} % with bids; ${controls.bare.toFixed(1)} µs and ${(100 * controls.bids.plain).toFixed(0)} % without; more in each pair of processes: ${controls.ratios.map((pairRatio) => (100 * (pairRatio - 1)).toFixed(1)).join(', ')} %; ${controls.addedMiB.toFixed(0)} MiB more memory; without bids: ${Object.entries(
      controls.noBids,
    )
      .map(([reason, count]) => `${count} ${reason}`)
      .join(', ')}`,
  );

  const { firstMs, rebuildMs, maxEventLoopDelayMs, idleMs } = await measureRebuild();
  console.log(
    `rebuild    ${rebuildMs.toFixed(0)} ms after a change, nothing waited longer than ${maxEventLoopDelayMs.toFixed(1)} ms for it (${idleMs.toFixed(1)} ms in as long a time without one); ${firstMs.toFixed(0)} ms at a start`,
  );
  console.log(
    JSON.stringify({
      bench: 'bidder',
      ratio: rounded(ratio),
      cpuRatioBid: rounded(bid.ratio),
      cpuRatioNoBid: rounded(noBid.ratio),
      bidRatioToBare: rounded(bidToUnread.ratio),
      noBidRatioToBare: rounded(noBidToUnread.ratio),
      bidMicros: rounded(bidToUnread.own, 1),
      noBidMicros: rounded(noBidToUnread.own, 1),
      dollarsPerBillion: rounded(noBidToUnread.own * DOLLARS_PER_MICRO),
      perCore: ratePerCore,
      perCoreBare,
      skadnCostRatio: rounded(skadn.ratio),
      cpuControlsPercent: rounded(100 * (controls.ratio - 1), 1),
      controlsMiB: Math.round(controls.addedMiB),
      requestsPerS: Math.round(ours),
      p99Ms: rounded(half.p99Ms),
      bareP99Ms: rounded(bareHalf.p99Ms),
      latePercentAt90: rounded(100 * high.lateShare),
      auctionUsMedian: rounded(many.median, 1),
      auctionUsP99: rounded(many.p99, 1),
      growth100to10k: rounded(many.request / few.request),
      rssMiB: Math.round(rssMiB),
      rebuildMs: Math.round(rebuildMs),
      firstMs: Math.round(firstMs),
      maxEventLoopDelayMs: rounded(maxEventLoopDelayMs, 1),
      idleMs: rounded(idleMs, 1),
    }),
  );
} finally {
  load.child.kill();
  bare.close();
  await app.close();
  await database?.remove();
  await rm(dataDir, { recursive: true, force: true });
}

/** Time of the auction alone, and of a request from its text to its bids without HTTP, in microseconds. */
function auctionUs(rows: readonly AdsetRow[]): { median: number; p99: number; request: number } {
  const nowMs = Date.now();
  const snapshot = compileSnapshot(rows);
  const { budgets } = leasedBudgets(snapshot.candidates, 1e15, nowMs);
  const valuationParts = {
    learning: new Learning(),
    installPrices: new InstallPrices(),
    paceOf: (candidate: Candidate) => budgets.paceOf(candidate),
    random: Math.random,
  };
  const texts = inventedRequests(4000).map((body) => body.toString('utf8'));
  const auctions: number[] = [];
  const requests: number[] = [];
  for (let round = 0; round < 5; round += 1) {
    for (const text of texts) {
      const begunMs = performance.now();
      const request = readBidRequest(JSON.parse(text), SSP)!;
      const readMs = performance.now();
      runAuction(request, snapshot, {
        nowMs,
        random: Math.random,
        newBidId: uuidv7,
        noBidReason: (candidate, micros, country) => budgets.noBidReason(candidate, micros, nowMs, country),
        exhausted: budgets.exhaustedAmong(snapshot.candidates),
        valuation: valuationOf(request, nowMs, valuationParts),
        chargeOn: 'billing',
        secure: true,
      });
      const doneMs = performance.now();
      if (round === 0) continue;
      auctions.push((doneMs - readMs) * 1000);
      requests.push((doneMs - begunMs) * 1000);
    }
  }
  auctions.sort((a, b) => a - b);
  return {
    median: median(auctions),
    p99: auctions[Math.floor(auctions.length * 0.99)]!,
    request: median(requests),
  };
}

/**
 * Median times of a full load, as at a start, and of rebuilds after changes, in milliseconds. `maxEventLoopDelayMs` is the longest
 * delay of the event loop during rebuilds, `idleMs` the longest during idle periods, for comparison.
 */
async function measureRebuild() {
  const { db, log } = app.ctx;
  const firsts: number[] = [];
  const rebuilds: number[] = [];
  let maxEventLoopDelayMs = 0;
  let idleMs = 0;
  for (let round = 0; round < ROUNDS; round += 1) {
    const begunMs = performance.now();
    const snapshot = createSnapshotService(db, log, noFaults, { decrypt: (text) => text });
    await snapshot.load();
    firsts.push(performance.now() - begunMs);
    for (let change = 0; change < CHANGES; change += 1) {
      await renewVersion(db, snapshot.current().candidates[change]!.companyId);
      const changedMs = performance.now();
      maxEventLoopDelayMs = Math.max(maxEventLoopDelayMs, await longestWaitMs(() => snapshot.refreshed()));
      const tookMs = performance.now() - changedMs;
      rebuilds.push(tookMs);
      idleMs = Math.max(idleMs, await longestWaitMs(() => pause(tookMs)));
    }
    await snapshot.close();
  }
  return { firstMs: median(firsts), rebuildMs: median(rebuilds), maxEventLoopDelayMs, idleMs };
}

/** Longest delay of the event loop during `work`, in milliseconds. */
async function longestWaitMs(work: () => Promise<unknown>): Promise<number> {
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  await work();
  delay.disable();
  return delay.max / 1e6;
}
