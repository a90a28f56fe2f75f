/**
 * Latency of reports over many events: 100 million (or `--events N`) over 300 days of 100 companies, one of which has 40 %
 * of them. For the largest company: the dashboard by day, ad set by creative type, bundles, and a tree of five levels, for
 * 7, 30 and 300 days, compared with the plain query over the events in the same process, whose results must be equal. Then
 * ten dashboards at once, and trackers over HTTP while the dashboards refresh.
 * `--keep FOLDER` keeps the filled folder there, and reuses it if it exists.
 */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { setTimeout as wait } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { bucketsIn, periodOf, rangeBefore } from '@bidwell/server/modules/reporting/buckets';
import { cohortReport } from '@bidwell/server/modules/reporting/cohorts/cohort-report';
import { readCohorts } from '@bidwell/server/modules/reporting/cohorts/people-store';
import { levelReport } from '@bidwell/server/modules/reporting/level-report';
import { type CountsQuery, countsSql } from '@bidwell/server/modules/reporting/query/query-model';
import { bundleReport, highlights } from '@bidwell/server/modules/reporting/service';
import { systemActor } from '@bidwell/server/platform/actor';
import { addCompanies, idOf } from '@bidwell/testing/large-companies';
import { postgresSnapshot } from '@bidwell/testing/engines/postgres-snapshot';
import type { ReportKey } from '@bidwell/contract/reports/metrics';
import { addDays } from '@bidwell/contract/lib/calendar';
import { v7 as uuidv7 } from 'uuid';
import { benchApp } from './load/bench-app.ts';
import { startLoad } from './load/child.ts';
import type { LoadOrder, LoadResult } from './load/ingest.ts';
import { largestCompany } from './load/many-events.ts';

const SECRET = 'a secret that only the bench of the reports has';
const COMPANIES = 100;
const DAYS = 300;
const RUNS = 20;
const RAW_RUNS = 3;
const DASHBOARDS = 10;
const REFRESHES = 8;
const CONNECTIONS = 64;
const INGEST_MS = 5000;
/** Polling interval of the console. */
const REFRESH_EVERY_MS = 5000;

const argument = (name: string) => {
  const index = process.argv.indexOf(`--${name}`);
  return index < 0 ? undefined : process.argv[index + 1];
};
const events = Number(argument('events') ?? 100_000_000);
const keep = argument('keep');
const dataDir = keep ?? (await mkdtemp(join(tmpdir(), 'bidwell-bench-')));
const endMs = Math.floor(Date.now() / 86_400_000) * 86_400_000;

if (!existsSync(join(dataDir, 'clickhouse'))) {
  const startedMs = performance.now();
  const fill = fileURLToPath(new URL('./load/reports-fill.ts', import.meta.url));
  const { status } = spawnSync(
    process.execPath,
    [...process.execArgv, fill, dataDir, ...[events, COMPANIES, DAYS, endMs].map(String)],
    { stdio: 'inherit' },
  );
  if (status !== 0) throw new Error('The table could not be filled.');
  console.log(`filled in ${((performance.now() - startedMs) / 1000).toFixed(0)} s`);
}

const app = await benchApp(
  { DATA_DIR: dataDir, SIGNING_SECRET: SECRET },
  { postgresInMemory: true, postgresSnapshot: await postedState() },
);
await app.listen();
const { ctx } = app;
const companyId = await largestCompany(ctx.clickhouse);
await ctx.db
  .insertInto('companies')
  .values({
    uuid: companyId,
    name: 'The largest',
    time_zone: 'UTC',
    postback_secret: 'none',
    suspended_at: null,
    created_at: new Date(),
  })
  .execute();
const actor = systemActor(companyId);
const lastDay = new Date(endMs - 86_400_000).toISOString().slice(0, 10);
const tree = { campaign: '', adset: '', app: '', country: '', exchange: '' } as const;

const rangeOf = (days: number) => ({ start_date: addDays(lastDay, 1 - days), end_date: lastDay });
const reports = {
  'highlight by day': (days: number) =>
    highlights(ctx, actor, { ...rangeOf(days), group: 'day', campaign_uuid: undefined }),
  'ad set × creative type': (days: number) =>
    levelReport(ctx, actor, { ...rangeOf(days), levels: { adset: '', creative_type: '' } }),
  bundle: (days: number) =>
    bundleReport(ctx, actor, { ...rangeOf(days), creative_ids: [], campaign_uuid: null }),
  'five levels': (days: number) => levelReport(ctx, actor, { ...rangeOf(days), levels: tree }),
};
const questionOf = (report: string, days: number): CountsQuery => {
  const range = { start: addDays(lastDay, 1 - days), end: lastDay, timeZone: 'UTC' };
  const question = { period: periodOf(range), filters: {} };
  if (report === 'bundle') return { ...question, by: ['bundle'], limit: 10_000 };
  if (report === 'five levels')
    return { ...question, by: ['campaign', 'adset', 'app', 'country', 'exchange'], limit: 10_001 };
  if (report === 'ad set × creative type') return { ...question, by: ['adset', 'creative_type'] };
  return { ...question, before: periodOf(rangeBefore(range)), by: [bucketsIn(range, 'day')!] };
};
const askEvents = (question: CountsQuery, fromEvents: boolean) => {
  const { sql, params } = countsSql(companyId, question, { fromEvents });
  return ctx.clickhouse.query(sql, params);
};

/**
 * A snapshot in which another company's spend was just posted to the ledger. As in a running server, the posting then has
 * to scan only the last days.
 */
async function postedState(): Promise<Blob> {
  return postgresSnapshot(async (db) => {
    await addCompanies(db, 0, 0, { apps: 1, campaigns: 1, adsets: 1, creatives: 20, targets: 1, history: 1 });
    const at = new Date();
    await db
      .insertInto('ledger_transactions')
      .values({
        uuid: uuidv7(),
        company_uuid: idOf('company', 0, 0),
        kind: 'spend',
        status: 'pending',
        amount_micros: 0,
        description: 'Bench',
        campaign_uuid: idOf('campaign', 0, 0),
        hour: new Date(Math.floor(at.getTime() / 3_600_000) * 3_600_000),
        created_at: at,
        updated_at: at,
      })
      .execute();
  });
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const startedMs = performance.now();
  await work();
  return performance.now() - startedMs;
}
async function repeated(times: number, work: () => Promise<unknown>): Promise<number[]> {
  const took: number[] = [];
  for (let n = 0; n < times; n += 1) took.push(await timed(work));
  return took;
}
const percentile = (values: readonly number[], share: number) =>
  values.toSorted((a, b) => a - b)[Math.ceil(values.length * share) - 1]!;
const median = (values: readonly number[]) => percentile(values, 0.5);
const rounded = (value: number) => Number(value.toFixed(1));

const p95Ms: Record<number, number> = {};
for (const days of [7, 30, DAYS]) {
  for (const [report, ask] of Object.entries(reports)) {
    await ctx.clickhouse.command('system drop mark cache');
    await ctx.clickhouse.command('system drop uncompressed cache');
    const coldMs = await timed(() => ask(days));
    const p95 = percentile(await repeated(RUNS, () => ask(days)), 0.95);
    p95Ms[days] = Math.max(p95Ms[days] ?? 0, p95);
    console.log(
      `${String(days).padStart(3)} days, ${report.padEnd(22)} cold ${coldMs.toFixed(0).padStart(5)} ms, warm p95 ${p95.toFixed(1).padStart(6)} ms`,
    );
  }
}

/** Cohorts of the last days, as the API answers them. */
const cohortsOf = (days: number, by: ReportKey | null) => () =>
  cohortReport(ctx, actor, {
    ...rangeOf(days),
    group: days > 30 ? 'week' : 'day',
    by,
    top: 10,
    forecast: false,
  });
let cohortP95Ms = 0;
for (const [days, by] of [
  [30, null],
  [30, 'campaign'],
  [180, 'country'],
] as const) {
  const ask = cohortsOf(days, by);
  await ask();
  const p95 = percentile(await repeated(RUNS, ask), 0.95);
  cohortP95Ms = Math.max(cohortP95Ms, p95);
  console.log(
    `${String(days).padStart(3)} days, cohorts by ${(by ?? 'nothing').padEnd(11)} warm p95 ${p95.toFixed(1)} ms`,
  );
}

const dashboard = () => Promise.all([reports['highlight by day'](30), reports['ad set × creative type'](30)]);
/** Latencies of ten dashboards of the largest company that refresh at the same time. */
const atOnce = () => Promise.all(Array.from({ length: DASHBOARDS }, () => timed(dashboard)));
await atOnce();
const refreshes: number[] = [];
for (let n = 0; n < REFRESHES; n += 1) refreshes.push(...(await atOnce()));
const dashboardsP95Ms = percentile(refreshes, 0.95);
console.log(`${DASHBOARDS} dashboards of 30 days at once: p95 ${dashboardsP95Ms.toFixed(0)} ms`);

const load = await startLoad<LoadOrder, LoadResult>('./ingest.ts', [SECRET, String(CONNECTIONS)]);
const measured = new AbortController();
const refreshing = (async () => {
  while (!measured.signal.aborted) {
    const startedMs = performance.now();
    await atOnce();
    const restMs = Math.max(REFRESH_EVERY_MS - (performance.now() - startedMs), 0);
    await wait(restMs, undefined, { signal: measured.signal }).catch(() => {});
  }
})();
const { port } = app.http.server.address() as AddressInfo;
const ingested = await load.run({ port, durationMs: INGEST_MS });
measured.abort();
load.child.kill();
const ingestPerS = ingested.answers / (ingested.elapsedMs / 1000);
const trackerP99Ms = percentile(ingested.latenciesMs, 0.99);
const rssMiB = process.memoryUsage().rss / 2 ** 20;
await refreshing;
await app.settled();
const [stored] = await ctx.clickhouse.query<{ count: number }>(
  `select count() as count from events where batch != toUUID('00000000-0000-0000-0000-000000000000')`,
);
console.log(
  `trackers while they refresh: ${ingestPerS.toFixed(0)} events/s, p99 ${trackerP99Ms.toFixed(0)} ms; acknowledged ${ingested.answers}, stored ${stored!.count}`,
);
console.log(`resident memory ${rssMiB.toFixed(0)} MiB`);

const speedups: Record<number, number> = {};
let unequal = 0;
for (const days of [7, 30, DAYS]) {
  for (const report of Object.keys(reports)) {
    const question = questionOf(report, days);
    const raw = median(await repeated(RAW_RUNS, () => askEvents(question, true)));
    const aggregated = median(await repeated(RAW_RUNS * 3, () => askEvents(question, false)));
    const isEqual = isDeepStrictEqual(await askEvents(question, true), await askEvents(question, false));
    if (!isEqual) unequal += 1;
    speedups[days] = Math.min(speedups[days] ?? Infinity, raw / aggregated);
    console.log(
      `${String(days).padStart(3)} days, ${report.padEnd(22)} from aggregates ${aggregated.toFixed(1).padStart(6)} ms, from the events ${raw.toFixed(0).padStart(6)} ms: ${(raw / aggregated).toFixed(1)} ×${isEqual ? '' : ', NOT EQUAL'}`,
    );
  }
}
/** The people of 180 days, from their projection or from the events. */
const readPeople = (fromEvents: boolean) => {
  const range = { start: addDays(lastDay, -179), end: lastDay, timeZone: 'UTC' };
  const people = { period: periodOf(range), cohorts: bucketsIn(range, 'week')!, filters: {}, nowMs: endMs };
  return readCohorts(ctx.clickhouse, companyId, people, {
    top: 0,
    withSpend: false,
    settings: {},
    fromEvents,
  });
};
const peopleMs = median(await repeated(RAW_RUNS * 3, () => readPeople(false)));
const peopleRawMs = median(await repeated(RAW_RUNS, () => readPeople(true)));
const byCohort = async (fromEvents: boolean) =>
  new Map(
    (await readPeople(fromEvents)).map(({ cohort, installs, days }) => [cohort, [installs, days[3]!.payers]]),
  );
const arePeopleEqual = isDeepStrictEqual(await byCohort(false), await byCohort(true));
if (!arePeopleEqual) unequal += 1;
console.log(
  `180 days, cohorts from the projection ${peopleMs.toFixed(1)} ms, from the events ${peopleRawMs.toFixed(0)} ms: ${(peopleRawMs / peopleMs).toFixed(1)} ×${arePeopleEqual ? '' : ', NOT EQUAL'}`,
);
await app.close();
if (!keep) await rm(dataDir, { recursive: true, force: true });
if (unequal > 0 || (!keep && stored!.count !== ingested.answers)) {
  console.error('An answer differs from the events, or an acknowledged event is missing or there twice.');
  process.exitCode = 1;
}
console.log(
  JSON.stringify({
    bench: 'reports',
    ratio: rounded(speedups[DAYS]!),
    events,
    p95Ms30d: rounded(p95Ms[30]!),
    p95Ms300d: rounded(p95Ms[DAYS]!),
    speedup: rounded(speedups[DAYS]!),
    cohortP95Ms: rounded(cohortP95Ms),
    cohortSpeedup: rounded(peopleRawMs / peopleMs),
    dashboardsP95Ms: rounded(dashboardsP95Ms),
    ingestPerS: Math.round(ingestPerS),
    trackerP99Ms: rounded(trackerP99Ms),
    rssMiB: Math.round(rssMiB),
  }),
);
