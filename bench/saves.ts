/**
 * Isolation from large writes, over HTTP on the embedded databases: the latency of bids and of another company's list of ad
 * sets, alone and while a company saves an ad set with 9,000 bundles 24 times at once. The bids alone are the reference.
 * SERVER_OPTIONS: options of Node for the server, such as a profiler.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { makeRunningCampaign } from '@bidwell/testing/bidding';
import { callerOf, makeClusterCompany, registerCompany } from '../chaos/cluster-company.ts';
import { freePort, startServer } from '../chaos/server-process.ts';
import { bidRequest } from '@bidwell/testing/exchange';

const BUNDLES = 9000;
const SAVES = 24;
const ROUNDS = 3;
const BID_EVERY_MS = 20;
const LIST_EVERY_MS = 100;
const ALONE_MS = 4000;

const dataDir = await mkdtemp(join(tmpdir(), 'bidwell-bench-'));
const operatorToken = 'an-operator-token-that-only-the-bench-has';
const port = await freePort();
const url = `http://127.0.0.1:${port}`;
const stop = new AbortController();
const program = fileURLToPath(new URL('../packages/server/src/start/serve.ts', import.meta.url));
const server = await startServer(
  program,
  port,
  {
    DATA_DIR: dataDir,
    OPERATOR_TOKEN: operatorToken,
    NODE_OPTIONS: process.env['SERVER_OPTIONS'] ?? '',
  },
  stop.signal,
);

const other = await makeClusterCompany({ url, operatorToken }, [null]);
const greedy = await greedyCompany();
const bundlesOf = (round: number) =>
  Object.fromEntries(
    Array.from({ length: BUNDLES }, (_, n) => [
      `com.publisher.games.title${round}x${n}`,
      1 + (n % 100) / 100,
    ]),
  );

/** Sends requests at a fixed rate, whatever the latency of earlier ones, until `done`; latencies in milliseconds. */
async function sendEvery(everyMs: number, done: () => boolean, send: () => Promise<void>): Promise<number[]> {
  const latencies: number[] = [];
  const sent: Promise<void>[] = [];
  const startedMs = performance.now();
  for (let n = 0; !done(); n += 1) {
    const dueMs = startedMs + n * everyMs;
    await wait(Math.max(0, dueMs - performance.now()));
    sent.push(send().then(() => void latencies.push(performance.now() - dueMs)));
  }
  await Promise.all(sent);
  return latencies;
}

const bid = async () => {
  const answer = await fetch(`${url}/openrtb/${other.ssp.slug}/${other.ssp.secret}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(bidRequest()),
  });
  await answer.arrayBuffer();
};
const list = async () => {
  const { status } = await other.call('GET', '/adset');
  if (status !== 200) throw new Error(`The list was answered ${status}.`);
};

async function measured(work: () => Promise<unknown>): Promise<{ bids: number[]; lists: number[] }> {
  let isDone = false;
  const working = work().finally(() => (isDone = true));
  const [bids, lists] = await Promise.all([
    sendEvery(BID_EVERY_MS, () => isDone, bid),
    sendEvery(LIST_EVERY_MS, () => isDone, list),
  ]);
  await working;
  return { bids, lists };
}

const saved: number[] = [];
const statuses = new Map<number, number>();
async function saveAll(round: number): Promise<void> {
  await Promise.all(
    Array.from({ length: SAVES }, async (_, n) => {
      const sentMs = performance.now();
      const { status } = await greedy.call('PUT', `/adset/${greedy.adsetUuid}`, {
        bundle_bids: bundlesOf(round * SAVES + n),
      });
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
      if (status === 200) saved.push(performance.now() - sentMs);
    }),
  );
}

async function greedyCompany() {
  const company = await registerCompany(url, 'greedy');
  const operator = callerOf(`${url}/api/operator`, operatorToken);
  const campaign = await makeRunningCampaign({ operator, settled: async () => {} }, company);
  return { call: company.call, ...campaign };
}

const percentile = (values: readonly number[], share: number) =>
  values.toSorted((a, b) => a - b)[Math.max(0, Math.ceil(values.length * share) - 1)] ?? NaN;
const rounded = (value: number) => Number(value.toFixed(1));
const figures = (values: readonly number[]) =>
  `p50 ${percentile(values, 0.5).toFixed(1)} ms, p95 ${percentile(values, 0.95).toFixed(1)} ms, most ${Math.max(...values).toFixed(0)} ms`;

await measured(() => wait(2000));
const alone = await measured(() => wait(ALONE_MS));
console.log(`alone:  bids ${figures(alone.bids)}; lists ${figures(alone.lists)}`);
const during: typeof alone = { bids: [], lists: [] };
for (let round = 0; round < ROUNDS; round += 1) {
  const { bids, lists } = await measured(() => saveAll(round));
  during.bids.push(...bids);
  during.lists.push(...lists);
  await wait(1000);
}
console.log(`saving: bids ${figures(during.bids)}; lists ${figures(during.lists)}`);
console.log(`saves:  ${figures(saved)}; statuses ${JSON.stringify(Object.fromEntries(statuses))}`);
await server.end('SIGTERM');
await rm(dataDir, { recursive: true, force: true, maxRetries: 5 });
console.log(
  JSON.stringify({
    bench: 'saves',
    bidP50Ms: rounded(percentile(during.bids, 0.5)),
    bidP95Ms: rounded(percentile(during.bids, 0.95)),
    bidMaxMs: rounded(Math.max(...during.bids)),
    listP95Ms: rounded(percentile(during.lists, 0.95)),
    saveP95Ms: rounded(percentile(saved, 0.95)),
    aloneBidP50Ms: rounded(percentile(alone.bids, 0.5)),
    aloneBidP95Ms: rounded(percentile(alone.bids, 0.95)),
    aloneListP95Ms: rounded(percentile(alone.lists, 0.95)),
  }),
);
