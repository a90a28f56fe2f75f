/**
 * Isolation of companies, over HTTP: the latency of one company's sequential reports, alone and while another company
 * requests sixty reports at once; the same of the postbacks of its partner while another company requests sixty cohort reports; and
 * the latency of `/healthz` while the server produces the largest report allowed.
 * `--events N` sets the number of events of each company (default 3 million).
 */
import { mkdtemp, rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { postgresSnapshot } from '@bidwell/testing/engines/postgres-snapshot';
import { benchApp, benchCompany } from './load/bench-app.ts';

const index = process.argv.indexOf('--events');
const events = index < 0 ? 3_000_000 : Number(process.argv[index + 1]);
const RUNS = 30;
const GREEDY = 60;
const DAYS = 60;

const dataDir = await mkdtemp(join(tmpdir(), 'bidwell-bench-'));
const app = await benchApp(
  { DATA_DIR: dataDir },
  {
    postgresInMemory: true,
    postgresSnapshot: await postgresSnapshot(async () => {}),
  },
);
await app.listen();
const { port } = app.http.server.address() as AddressInfo;
const url = `http://127.0.0.1:${port}`;
const lastDay = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10);
const firstDay = new Date(Date.now() - DAYS * 86_400_000).toISOString().slice(0, 10);

interface Company {
  companyId: string;
  token: string;
}

/** People of a company who installed an app and paid in it, over the days of the bench. */
async function addPeople({ companyId }: Company, people: number): Promise<void> {
  const installedMs = `(toUnixTimestamp('${firstDay} 00:00:00', 'UTC') + number % (${DAYS - 1} * 86400)) * 1000`;
  const hexMs = `leftPad(lower(hex(toUInt64(${installedMs}))), 12, '0')`;
  const bid = `toUUID(concat(left(${hexMs}, 8), '-', right(${hexMs}, 4), '-7000-8000-', leftPad(lower(hex(number)), 12, '0')))`;
  const common = `toUUID('${companyId}'), concat('com.bundle', toString(number % 500)), ['US', 'DE', 'FR'][number % 3 + 1]`;
  await app.ctx.clickhouse.command(`
    insert into events (time, kind, bid_id, company_id, bundle, country)
    select fromUnixTimestamp64Milli(toInt64(${installedMs}), 'UTC'), 'install', ${bid}, ${common} from numbers(${people})`);
  for (let day = 0; day < 3; day += 1)
    await app.ctx.clickhouse.command(`
      insert into events (time, kind, bid_id, company_id, bundle, country, event_name, revenue_micros, revenue_known, revenue_amount, event_at, click_bid_id)
      select fromUnixTimestamp64Milli(toInt64(${installedMs} + ${day * 86_400_000}), 'UTC') as at, 'app_event', generateUUIDv4(number + ${day}), ${common},
        'purchase', 1000000, 1, '1', at, ${bid} from numbers(${people})`);
}

async function company(name: string): Promise<Company> {
  const registered = await benchCompany(app, `tenant.${name}`);
  await app.ctx.clickhouse.command(`
    insert into events (time, kind, company_id, campaign_id, adset_id, bundle, country, os, exchange, spend_micros)
    select toDateTime64('${firstDay} 00:00:00', 3, 'UTC') + number % (${DAYS - 1} * 86400),
      if(number % 50 = 0, 'click', 'impression'), toUUID('${registered.companyId}'),
      toUUID(concat('00000000-0000-0000-0000-0000000000', leftPad(toString(number % 20 + 10), 2, '0'))),
      toUUID(concat('00000000-0000-0000-0000-0000000000', leftPad(toString(number % 90 + 10), 2, '0'))),
      concat('com.bundle', toString(cityHash64(number) % 20000)),
      ['US', 'DE', 'FR', 'BR', 'IN'][cityHash64(number, 1) % 5 + 1], if(number % 3 = 0, 'ios', 'android'),
      concat('exchange', toString(number % 8)), 1000
    from numbers(${events})`);
  return registered;
}

async function postbackSecret({ companyId }: Company): Promise<{ secret: string }> {
  const { postback_secret: secret } = await app.ctx.db
    .selectFrom('companies')
    .select('postback_secret')
    .where('uuid', '=', companyId)
    .executeTakeFirstOrThrow();
  return { secret };
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const startedMs = performance.now();
  await work();
  return performance.now() - startedMs;
}

async function report({ token }: Company, body: object, signal?: AbortSignal): Promise<number> {
  const answer = await fetch(`${url}/api/internal/analytics/level`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ start_date: firstDay, end_date: lastDay, ...body }),
    ...(signal && { signal }),
  });
  await answer.arrayBuffer();
  return answer.status;
}

const percentile = (values: readonly number[], share: number) =>
  values.toSorted((a, b) => a - b)[Math.ceil(values.length * share) - 1]!;
const rounded = (value: number) => Number(value.toFixed(1));

const [greedy, other] = [await company('greedy'), await company('other')];
/** Reads the events themselves, since no aggregate has both bundle and country. */
const own = () => report(other, { levels: { country: '', bundle: '' }, top: 20 });
await own();

const alone: number[] = [];
for (let n = 0; n < RUNS; n += 1) alone.push(await timed(own));

const answered: number[] = [];
const measured = new AbortController();
const sixty = Array.from({ length: GREEDY }, async (_, n) => {
  const filters = { exchange: `exchange${n % 8}`, country: ['US', 'DE', 'FR', 'BR', 'IN'][n % 5]! };
  const levels = { bundle: '', adset: '', campaign: '', os: '', day: '', country: '' };
  const question = { levels, filters, compare: true, top: n + 1 };
  answered.push(await report(greedy, question, measured.signal).catch(() => 0));
});
const meanwhile: number[] = [];
while (meanwhile.length < RUNS) meanwhile.push(await timed(own));
const statuses = new Set(answered);
const left = GREEDY - answered.length;
// The other requests are aborted, which removes them from the queue.
measured.abort();
await Promise.all(sixty);

/** A postback of the other company's partner, of an unknown click: it is written to the log, decided without a look-up, and stored. */
const { secret } = await postbackSecret(other);
let sent = 0;
const postback = async (headers: Record<string, string> = {}) => {
  sent += 1;
  const query = `click_id=none-${sent}&event_name=purchase&revenue=1`;
  const answer = await fetch(`${url}/postback/appsflyer/${secret}?${query}`, { headers });
  if (!answer.ok) throw new Error(`A postback was answered ${answer.status}.`);
  await answer.arrayBuffer();
};
const timedOften = async (isOver: () => boolean): Promise<number[]> => {
  const times: number[] = [];
  while (times.length < RUNS || (!isOver() && times.length < 40 * RUNS))
    times.push(await timed(() => postback()));
  return times;
};
await addPeople(greedy, events / 20);
const postbacksAlone = await timedOften(() => true);
const cohortsDone = { count: 0, isOver: false };
const cohorts = Array.from({ length: GREEDY }, async (_, n) => {
  const answer = await fetch(`${url}/api/internal/analytics/cohorts`, {
    method: 'POST',
    headers: { authorization: `Bearer ${greedy.token}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      start_date: firstDay,
      end_date: lastDay,
      group: 'day',
      by: 'bundle',
      top: (n % 20) + 1,
      filters: { country: ['US', 'DE', 'FR'][n % 3] },
    }),
  });
  await answer.arrayBuffer();
  if (answer.ok) cohortsDone.count += 1;
});
void Promise.all(cohorts).then(() => (cohortsDone.isOver = true));
const loopMs: number[] = [];
/** Those that wait for their outcome, which needs ClickHouse. */
const decidedMs: number[] = [];
const waitForOutcomes = (async () => {
  while (!cohortsDone.isOver) decidedMs.push(await timed(() => postback({ prefer: 'wait=3' })));
})();
const watch = (async () => {
  while (!cohortsDone.isOver)
    loopMs.push(await timed(async () => (await fetch(`${url}/healthz`)).arrayBuffer()));
})();
const postbacksMeanwhile = await timedOften(() => cohortsDone.isOver);
await Promise.all(cohorts);
await Promise.all([watch, waitForOutcomes]);

/** Three levels, two of them with ten thousand rows, with comparison; one more such level would be rejected. */
const largest = report(other, { levels: { os: '', bundle: '', country: '' }, compare: true });
const state = { isDone: false };
const largestMs = timed(() => largest.finally(() => (state.isDone = true)));
const health: number[] = [];
while (!state.isDone) health.push(await timed(async () => (await fetch(`${url}/healthz`)).arrayBuffer()));

if ((await largest) !== 200) throw new Error(`The largest report was answered ${await largest}.`);

console.log(
  `postbacks alone: p50 ${percentile(postbacksAlone, 0.5).toFixed(0)} ms, p95 ${percentile(postbacksAlone, 0.95).toFixed(0)} ms; while another asks for ` +
    `${GREEDY} cohort reports (${cohortsDone.count} answered): p50 ${percentile(postbacksMeanwhile, 0.5).toFixed(0)} ms, p95 ` +
    `${percentile(postbacksMeanwhile, 0.95).toFixed(0)} ms, with the outcome p50 ${percentile(decidedMs, 0.5).toFixed(0)} ms, p95 ${percentile(decidedMs, 0.95).toFixed(0)} ms; /healthz meanwhile p95 ${percentile(loopMs, 0.95).toFixed(0)} ms, at most ${Math.max(...loopMs).toFixed(0)} ms`,
);
const [aloneP95Ms, meanwhileP95Ms] = [percentile(alone, 0.95), percentile(meanwhile, 0.95)];
console.log(
  `alone: p95 ${aloneP95Ms.toFixed(0)} ms; while another asks ${GREEDY}: ${meanwhileP95Ms.toFixed(0)} ms`,
);
console.log(
  `of the sixty ${GREEDY - left} were answered (${[...statuses].join(', ')}), ${left} still waited`,
);
console.log(
  `the largest report: after ${(await largestMs).toFixed(0)} ms; /healthz meanwhile at most ${Math.max(...health).toFixed(0)} ms`,
);
if (left === 0) console.log('The sixty were done before the other company was measured: use more events.');
await app.close();
await rm(dataDir, { recursive: true, force: true });
console.log(
  JSON.stringify({
    bench: 'tenants',
    ratio: rounded(meanwhileP95Ms / aloneP95Ms),
    events,
    aloneP95Ms: rounded(aloneP95Ms),
    meanwhileP95Ms: rounded(meanwhileP95Ms),
    postbackAloneP95Ms: rounded(percentile(postbacksAlone, 0.95)),
    postbackMeanwhileP95Ms: rounded(percentile(postbacksMeanwhile, 0.95)),
    outcomeMeanwhileP95Ms: rounded(percentile(decidedMs, 0.95)),
    healthzCohortsP95Ms: rounded(percentile(loopMs, 0.95)),
    healthzMaxMs: rounded(Math.max(...health)),
    largestMs: rounded(await largestMs),
  }),
);
