/**
 * What the delivery funnel costs a bidder with 10,000 ad sets: the CPU time of a bid request with a sample explained and
 * without, in turns in one process, because two processes differ by more than is measured; and whether the counts of a sample add up.
 *
 * npm run bench -- funnel [--companies N] [--same]
 *
 * `--same` leaves the sample out of both variants: the result is the error of the measurement.
 */
import { ID_STATES } from '@bidwell/contract/insight/device-ids';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { serialize } from 'node:v8';
import { explain } from '@bidwell/server/delivery/funnel/explain';
import { FunnelCounts } from '@bidwell/server/delivery/funnel/counts';
import { InstallPrices } from '@bidwell/server/delivery/learning/install-price';
import { Learning } from '@bidwell/server/delivery/learning/learning';
import { valuationOf } from '@bidwell/server/delivery/learning/valuation';
import type { AdsetRow, Candidate } from '@bidwell/server/delivery/model/candidate';
import { readBidRequest } from '@bidwell/server/delivery/openrtb/read/read-request';
import { loadAdsets, loadCompanies } from '@bidwell/server/delivery/snapshot/adset-store';
import { compileSnapshot } from '@bidwell/server/delivery/snapshot/compile';
import { runToCompletion } from '@bidwell/server/platform/concurrency/yielding';
import { leasedBudgets } from '@bidwell/testing/pacing/leased-budgets';
import { emptyDatabase } from '@bidwell/testing/engines/postgres-server';
import { benchApp } from './load/bench-app.ts';
import type { BidderOrder, BidderState } from './load/bidder-server.ts';
import type { LoadOrder, LoadResult } from './load/bidder.ts';
import { startLoad } from './load/child.ts';
import { addMarket, inventedRequests } from './load/market.ts';
import { compareVariants } from './load/variants.ts';

const idStates: ReadonlySet<string> = new Set(ID_STATES);

const { values: options } = parseArgs({
  options: { companies: { type: 'string' }, same: { type: 'boolean', default: false } },
});
const COMPANIES = Number(options.companies ?? 500);
const CONNECTIONS = 64;
const WARM_UP_REQUESTS = 16_000;
const ROUND_REQUESTS = 1000;
const BLOCKS = 50;
const STORED_EVERY_MICROS = 60_000_000;
const EXPLAINED = 50;

const folder = await mkdtemp(join(tmpdir(), 'bidwell-bench-'));
const rows = await marketRows();
const rowsFile = join(folder, 'adsets');
await writeFile(rowsFile, serialize(rows));
const load = await startLoad<LoadOrder, LoadResult>('./bidder.ts', [String(CONNECTIONS)]);
const bidder = await startLoad<BidderOrder, BidderState>('./bidder-server.ts', [rowsFile]);
try {
  const sums = explainedSums(rows);
  console.log(
    `explained  ${EXPLAINED} requests for ${rows.length} ad sets: ${sums.ms.toFixed(1)} ms each; counts ${sums.addsUp ? 'add up' : 'DO NOT add up'}`,
  );
  const { port, path } = await bidder.run({});
  const send = async (requests: number) => load.run({ port, path, stream: 'invented', requests });
  const cpuMicros = async () => (await bidder.run({})).cpuMicros;
  const variant = (funnel: boolean) => ({
    switchTo: async () => void (await bidder.run({ renew: true, funnel })),
    cpuMicros,
    load: () => send(ROUND_REQUESTS),
  });
  const variants = { with: variant(!options.same), without: variant(false) };
  /** CPU time in which the counts of a minute are stored, as a share of the minute. */
  const storePercent = async () => {
    await variants.with.switchTo();
    await send(WARM_UP_REQUESTS);
    const from = await cpuMicros();
    await bidder.run({ storeFunnel: true });
    return (100 * ((await cpuMicros()) - from)) / STORED_EVERY_MICROS;
  };
  for (const warmed of [variants.with, variants.without]) {
    await warmed.switchTo();
    await send(WARM_UP_REQUESTS);
  }
  const cpu = await compareVariants(variants, BLOCKS);
  const storing = options.same ? 0 : await storePercent();
  console.log(
    `CPU time   ${cpu.with.toFixed(0)} µs a request with the funnel, ${cpu.without.toFixed(0)} µs without, ` +
      `± ${(100 * cpu.error).toFixed(1)} %; storing the counts ${storing.toFixed(2)} %`,
  );
  const cpuPercent = Number(((cpu.ratio - 1) * 100 + storing).toFixed(1));
  console.log(
    JSON.stringify({
      bench: 'funnel',
      ratio: Number(cpu.ratio.toFixed(3)),
      cpuPercent,
      errorPercent: Number((100 * cpu.error).toFixed(1)),
      explainedMs: Number(sums.ms.toFixed(1)),
      addsUp: sums.addsUp,
    }),
  );
} finally {
  for (const { child } of [load, bidder]) child.kill();
  await rm(folder, { recursive: true, force: true });
}

/** The ad sets of the benches' market. */
async function marketRows(): Promise<AdsetRow[]> {
  const database = await emptyDatabase(process.env['DATABASE_URL']);
  const app = await benchApp({ DATA_DIR: join(folder, 'data'), DATABASE_URL: database?.url });
  try {
    await addMarket(app.ctx.db, COMPANIES);
    const companies = await loadCompanies(app.ctx.db);
    const ids = companies.map(({ uuid }) => uuid);
    return [...(await loadAdsets(app.ctx.db, ids)).values()].flat();
  } finally {
    await app.close();
    await database?.remove();
  }
}

/** Explains requests one by one; whether every request left the funnel of each ad set once, and the time of one. */
function explainedSums(adsets: readonly AdsetRow[]): { ms: number; addsUp: boolean } {
  const nowMs = Date.now();
  const snapshot = compileSnapshot(adsets);
  const { budgets } = leasedBudgets(snapshot.candidates, 1e15, nowMs);
  const valuationParts = {
    learning: new Learning(),
    installPrices: new InstallPrices(),
    paceOf: (candidate: Candidate) => budgets.paceOf(candidate),
    random: Math.random,
  };
  const counts = new FunnelCounts();
  const beganMs = performance.now();
  for (const body of inventedRequests(EXPLAINED)) {
    const request = readBidRequest(JSON.parse(body.toString('utf8')), 'bench')!;
    const context = {
      nowMs,
      random: Math.random,
      secure: true,
      valuation: valuationOf(request, nowMs, valuationParts),
      noBidReason: (candidate: Candidate, micros: number) => budgets.presentNoBidReason(candidate, micros),
      paceOf: valuationParts.paceOf,
    };
    const explained = runToCompletion(explain(request, snapshot, [], context));
    counts.add(snapshot.candidates, explained, {
      atMs: nowMs,
      weight: 1,
      idState: request.device.idState,
    });
  }
  const ms = (performance.now() - beganMs) / EXPLAINED;
  const byAdset = new Map<string, number>();
  for (const row of counts.take())
    if (!idStates.has(row.exit)) byAdset.set(row.adset_id, (byAdset.get(row.adset_id) ?? 0) + row.requests);
  const addsUp = byAdset.size === adsets.length && [...byAdset.values()].every((sum) => sum === EXPLAINED);
  return { ms, addsUp };
}
