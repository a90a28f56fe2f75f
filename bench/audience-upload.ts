/**
 * Isolation of companies while one of them fills an audience: the latency of bids and of another company's list of audiences, quiet and
 * while a list of ten million ids is uploaded and imported. The load is in processes of its own, and the reference is the quiet server.
 * `--ids N` sets the number of ids.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { Audience } from '@bidwell/contract/audiences/schema';
import { benchApp, benchCompany } from './load/bench-app.ts';
import type { BystanderOrder, Latencies, UploadOrder } from './load/audience-upload.ts';
import { startLoad } from './load/child.ts';
import { addMarket } from './load/market.ts';

const { values: options } = parseArgs({ options: { ids: { type: 'string' } } });
const IDS = Number(options.ids ?? 10_000_000);
const COMPANIES = 50;
const LISTED = 20;
const WARM_UP_MS = 10_000;
const QUIET_MS = 20_000;
/** Latencies are asked for in parts of this length, until the import is over. */
const PART_MS = 2000;
const SSP = 'bench';

const dataDir = await mkdtemp(join(tmpdir(), 'bidwell-bench-'));
const app = await benchApp({ DATA_DIR: dataDir });
await app.listen();
const { port } = app.http.server.address() as AddressInfo;
const url = `http://127.0.0.1:${port}`;
await addMarket(app.ctx.db, COMPANIES);
const exchange = await app.http.inject({
  method: 'PUT',
  url: `/api/operator/ssps/${SSP}`,
  headers: { authorization: `Bearer ${app.ctx.config.operatorToken}` },
  payload: { name: 'Bench', charge_on: 'billing', active: true },
});
const { path: bidPath } = exchange.json<{ data: { path: string } }>().data;
await app.settled();

const [uploading, other] = [await benchCompany(app, 'uploading'), await benchCompany(app, 'other')];

async function call<Data>(token: string, method: 'GET' | 'POST', path: string, payload?: object) {
  const answer = await app.http.inject({
    method,
    url: `/api/internal${path}`,
    headers: { authorization: `Bearer ${token}` },
    ...(payload && { payload }),
  });
  return answer.json<{ data: Data }>().data;
}

for (let n = 0; n < LISTED; n += 1) await call(other.token, 'POST', '/audience', { name: `List ${n}` });
const { uuid } = await call<Audience>(uploading.token, 'POST', '/audience', { name: 'Everyone' });

const bystander = await startLoad<BystanderOrder, Latencies>('./audience-upload.ts');
const uploader = await startLoad<UploadOrder, null>('./audience-upload.ts');
const watch = (durationMs: number) =>
  bystander.run({ watch: { url, token: other.token, bidPath, durationMs } });

const percentile = (values: readonly number[], share: number) =>
  values.toSorted((a, b) => a - b)[Math.ceil(values.length * share) - 1]!;
const rounded = (value: number) => Number(value.toFixed(2));

/** Watches until `work` is over. */
async function watchWhile(work: Promise<unknown>): Promise<Latencies & { seconds: number }> {
  const state = { isOver: false };
  const startedMs = performance.now();
  void work.finally(() => (state.isOver = true)).catch(() => {});
  const all: Latencies = { bidMs: [], listMs: [] };
  while (!state.isOver) {
    const part = await watch(PART_MS);
    all.bidMs.push(...part.bidMs);
    all.listMs.push(...part.listMs);
  }
  await work;
  return { ...all, seconds: (performance.now() - startedMs) / 1000 };
}

async function imported(): Promise<void> {
  for (;;) {
    const {
      state,
      size,
      last_import: last,
    } = await call<Audience>(uploading.token, 'GET', `/audience/${uuid}`);
    if (state === 'failed') throw new Error(String(last?.error));
    if (state === 'ready' && size > 0) return;
    await new Promise((resume) => setTimeout(resume, 500));
  }
}

await watch(WARM_UP_MS);
const quiet = await watch(QUIET_MS);
const upload = await watchWhile(
  uploader.run({ upload: { url, token: uploading.token, audience: uuid, ids: IDS } }),
);
const whileImported = await watchWhile(imported());
bystander.child.kill();
uploader.child.kill();
await app.close();
await rm(dataDir, { recursive: true, force: true });

/** The 95th percentile under load, and how many times the quiet median it is. */
function compared(kind: keyof Latencies) {
  const quietP50Ms = percentile(quiet[kind], 0.5);
  const of = ({ [kind]: values }: Latencies) => {
    const p95Ms = percentile(values, 0.95);
    return {
      p50Ms: rounded(percentile(values, 0.5)),
      p95Ms: rounded(p95Ms),
      ratio: rounded(p95Ms / quietP50Ms),
    };
  };
  return {
    quietP50Ms: rounded(quietP50Ms),
    quietP95Ms: rounded(percentile(quiet[kind], 0.95)),
    upload: of(upload),
    import: of(whileImported),
  };
}

const [bids, lists] = [compared('bidMs'), compared('listMs')];
for (const [name, { quietP50Ms, quietP95Ms, upload: sent, import: read }] of Object.entries({ bids, lists }))
  console.log(
    `${name.padEnd(6)} quiet p50 ${quietP50Ms} ms, p95 ${quietP95Ms} ms; during the upload p95 ${sent.p95Ms} ms (${sent.ratio} times the quiet median), ` +
      `during the import ${read.p95Ms} ms (${read.ratio} times)`,
  );
console.log(
  `${IDS} ids: uploaded in ${upload.seconds.toFixed(0)} s, imported in ${whileImported.seconds.toFixed(0)} s`,
);
console.log(
  JSON.stringify({
    bench: 'audience-upload',
    ratio: Math.max(bids.upload.ratio, bids.import.ratio, lists.upload.ratio, lists.import.ratio),
    ids: IDS,
    uploadSeconds: rounded(upload.seconds),
    importSeconds: rounded(whileImported.seconds),
    bids,
    lists,
  }),
);
