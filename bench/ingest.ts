/**
 * Events per second that the trackers acknowledge, compared with the same routes answering without storing. Both servers
 * run in this process, and the load in a child process over keep-alive connections; the measurements alternate. Then the
 * CPU time of an event until it can be queried, and until it is acknowledged, compared with a request to a bare
 * server in a process of its own.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Counter, Registry } from 'prom-client';
import { type Ingest, openIngest } from '@bidwell/server/delivery/event-log/ingest';
import { PLAIN_PRICES } from '@bidwell/server/delivery/model/price-rules';
import { registerTrackers } from '@bidwell/server/delivery/trackers/routes';
import { createSigner } from '@bidwell/server/delivery/trackers/signer';
import { createInvalidTrafficDetector } from '@bidwell/server/delivery/trackers/invalid-traffic';
import { createHttp } from '@bidwell/server/platform/http/server';
import { Tally } from '@bidwell/server/platform/telemetry/metrics';
import { benchApp } from './load/bench-app.ts';
import type { BareOrder, BareState } from './load/bare.ts';
import { startLoad } from './load/child.ts';
import { compareCpu, cpuMicros } from './load/cpu.ts';
import type { LoadOrder, LoadResult } from './load/ingest.ts';

const SECRET = 'a secret that only the bench of the trackers has';
const CONNECTIONS = 64;
const ROUND_MS = 2500;
const WARM_UP_MS = 500;
const ROUNDS = 2;
const CPU_ROUND_REQUESTS = 10_000;

const dataDir = await mkdtemp(join(tmpdir(), 'bidwell-bench-'));
const app = await benchApp({ DATA_DIR: dataDir, SIGNING_SECRET: SECRET }, { postgresInMemory: true });
await app.listen();

const answering: Ingest = {
  record: async () => 'stored',
  flushed: async () => {},
  countedMs: async () => Date.now(),
  canWrite: async () => true,
  fault: () => null,
  state: () => ({ waitingBytes: 0, damagedSegments: 0 }),
  recovered: Promise.resolve(),
  close: async () => {},
};
const reference = await serveTrackers(answering);
const logOnly = await openIngest({
  sink: { load: async () => {}, checkpoint: async () => async () => true, flushed: async () => {} },
  dataDir: join(dataDir, 'log-only'),
  log: app.ctx.log,
  now: app.ctx.now,
});
const accepting = await serveTrackers(logOnly);

/** Serves the trackers alone, with another event log. */
async function serveTrackers(ingest: Ingest) {
  const http = await createHttp(app.ctx.config, app.ctx.log);
  registerTrackers(http, {
    db: app.ctx.db,
    ingest,
    signer: createSigner(SECRET, 'http://localhost'),
    detectInvalidTraffic: createInvalidTrafficDetector(),
    log: app.ctx.log,
    now: app.ctx.now,
    priceRules: () => PLAIN_PRICES,
    runningDestination: () => null,
    counter: new Tally(new Registry(), 'requests', 'Requests', ['kind', 'outcome']),
    unpriced: new Counter({
      name: 'unpriced',
      help: 'Notices without a price',
      labelNames: ['ssp', 'reason'],
      registers: [new Registry()],
    }),
  });
  await http.listen({ port: 0, host: '127.0.0.1' });
  return http;
}

const load = await startLoad<LoadOrder, LoadResult>('./ingest.ts', [SECRET, String(CONNECTIONS)]);

async function measure(http: { server: { address(): unknown } }, durationMs: number): Promise<LoadResult> {
  const { port } = http.server.address() as AddressInfo;
  return load.run({ port, durationMs });
}

const storing: LoadResult[] = [];
const bare: LoadResult[] = [];
const warmed = await measure(app.http, WARM_UP_MS);
await measure(reference, WARM_UP_MS);
for (let round = 0; round < ROUNDS; round += 1) {
  bare.push(await measure(reference, ROUND_MS));
  storing.push(await measure(app.http, ROUND_MS));
}

const bareProcess = await startLoad<BareOrder, BareState>('./bare.ts');
const { port: barePort } = await bareProcess.run({ answerBytes: 0 });
await load.run({ port: barePort, durationMs: WARM_UP_MS });
const sendTo = ({ server }: { server: { address(): unknown } }) =>
  load.run({ port: (server.address() as AddressInfo).port, requests: CPU_ROUND_REQUESTS });
const bareServer = {
  cpuMicros: async () => (await bareProcess.run({})).cpuMicros,
  load: () => load.run({ port: barePort, requests: CPU_ROUND_REQUESTS }),
};
const cpu = await compareCpu(
  {
    cpuMicros,
    async load() {
      const result = await sendTo(app.http);
      storing.push(result);
      await app.settled();
      return result;
    },
  },
  bareServer,
);
const acceptedCpu = await compareCpu({ cpuMicros, load: () => sendTo(accepting) }, bareServer);
bareProcess.child.kill();

await app.settled();
const [row] = await app.ctx.clickhouse.query<{ stored: number }>('select count() as stored from events');
const acknowledged = [warmed, ...storing].reduce((sum, { answers }) => sum + answers, 0);
load.child.kill();
await reference.close();
await accepting.close();
await logOnly.close();
await app.close();
await rm(dataDir, { recursive: true, force: true });

const perS = (results: LoadResult[]) =>
  results.reduce((sum, { answers }) => sum + answers, 0) /
  (results.reduce((sum, { elapsedMs }) => sum + elapsedMs, 0) / 1000);
const p99Of = (results: LoadResult[]) => {
  const latencies = results.flatMap(({ latenciesMs }) => latenciesMs).sort((a, b) => a - b);
  return latencies[Math.floor(latencies.length * 0.99)] ?? 0;
};
const eventsPerS = Math.round(perS(storing));
const referencePerS = Math.round(perS(bare));
const p99Ms = Number(p99Of(storing).toFixed(1));
console.log(`${CONNECTIONS} keep-alive connections, ${ROUNDS} rounds of ${ROUND_MS} ms each, in turns`);
console.log(`stored:       ${eventsPerS} events/s acknowledged, p99 ${p99Ms} ms`);
console.log(`not stored:   ${referencePerS} answers/s, p99 ${p99Of(bare).toFixed(1)} ms`);
console.log(`acknowledged: ${acknowledged}, in the table afterwards: ${row!.stored}`);
if (row!.stored !== acknowledged) {
  console.error('An acknowledged event is missing, or one is there twice.');
  process.exitCode = 1;
}
console.log(
  `CPU time:     ${cpu.own.toFixed(0)} µs an event, bare ${cpu.bare.toFixed(0)} µs a request, ratio ${cpu.ratio.toFixed(2)}`,
);
console.log(`acknowledged: ${acceptedCpu.own.toFixed(0)} µs an event, ratio ${acceptedCpu.ratio.toFixed(2)}`);
const ratio = Number((eventsPerS / referencePerS).toFixed(3));
console.log(
  JSON.stringify({
    bench: 'ingest',
    ratio,
    cpuRatio: Number(cpu.ratio.toFixed(2)),
    cpuRatioAccepted: Number(acceptedCpu.ratio.toFixed(2)),
    eventsPerS,
    p99Ms,
  }),
);
