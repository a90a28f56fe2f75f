/**
 * CPU time of each part of a cluster, with one process of each role and with two: of a bid request, a notice, a counted
 * event, and of a second without traffic. The second cluster does the same work; what it needs in addition is the cost of
 * coordination.
 *
 * npm run bench -- cluster [--requests 12000] [--notices 6000] [--companies 50]
 */
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { type ClickHouse, connectClickHouse } from '@bidwell/server/platform/clickhouse/client';
import { openPostgres } from '@bidwell/server/platform/postgres/client';
import { NoticeLoad, noticesOf } from '../chaos/notices.ts';
import { SIGNING_SECRET } from '../chaos/server-process.ts';
import { type Cluster, startCluster } from '@bidwell/testing/cluster/cluster';
import type { LoadOrder, LoadResult } from './load/bidder.ts';
import { startLoad } from './load/child.ts';
import { addMarket } from './load/market.ts';
import { cpuMicrosOf, residentMibOf } from './load/processes.ts';

const { values: options } = parseArgs({
  options: {
    requests: { type: 'string', default: '12000' },
    notices: { type: 'string', default: '6000' },
    companies: { type: 'string', default: '50' },
  },
});
const REQUESTS = Number(options.requests);
const NOTICES = Number(options.notices);
const COMPANIES = Number(options.companies);
const SERVE = fileURLToPath(new URL('../packages/server/dist/serve.js', import.meta.url));
const CONNECTIONS = 16;
const IDLE_MS = 6000;
const WARM_UP_ROUNDS = 2;
const BIDDING_WITHIN_MS = 90_000;
const COUNTED_WITHIN_MS = 60_000;
const SSP = 'bench';

/** The roles and engines whose CPU time is measured. */
const PARTS = ['api', 'bidder', 'tracker', 'counter', 'jobs', 'postgres', 'nats', 'clickhouse'] as const;
type Part = (typeof PARTS)[number];
type ByPart = Record<Part, number>;

/** CPU time in microseconds: of a second without traffic, of a bid request, and of a notice with its event. */
interface Measured {
  idle: ByPart;
  request: ByPart;
  notice: ByPart;
  bidShare: number;
  /** Resident memory of all processes of a part after the load, in MiB. */
  memory: ByPart;
}

const one = await measureCluster(1);
const two = await measureCluster(2);
print();

async function measureCluster(processes: number): Promise<Measured> {
  const environment = {
    NODE_ENV: 'test',
    CAPTCHA: 'off',
    MODERATION: 'auto',
    LOG_LEVEL: 'error',
    SIGNING_SECRET,
  };
  const cluster = await startCluster({ program: SERVE, processes, environment });
  try {
    const { postgres, clickhouse } = cluster.engines;
    const db = await openPostgres({ url: postgres.environment(postgres.port)['DATABASE_URL'] });
    await addMarket(db, COMPANIES);
    await db.destroy();
    const events = await connectClickHouse({
      url: clickhouse.environment(clickhouse.port)['CLICKHOUSE_URL'],
      dataDir: cluster.folder,
    });
    try {
      return await measure(cluster, events);
    } finally {
      await events.close();
    }
  } finally {
    await cluster.stop();
  }
}

async function measure(cluster: Cluster, events: ClickHouse): Promise<Measured> {
  const path = await addExchange(cluster);
  const loads = await Promise.all(
    cluster.servers.bidder.map(async ({ port }) => ({
      port,
      load: await startLoad<LoadOrder, LoadResult>('./bidder.ts', [String(CONNECTIONS)]),
    })),
  );
  const bid = async (requests: number) => {
    const results = await Promise.all(
      loads.map(({ load, port }) => load.run({ port, path, requests: Math.round(requests / loads.length) })),
    );
    const sum = (key: 'answers' | 'bids') => results.reduce((total, result) => total + result[key], 0);
    return { done: sum('answers'), bids: sum('bids') };
  };
  try {
    await untilBidding(bid);
    for (let warmUp = 0; warmUp < WARM_UP_ROUNDS; warmUp += 1) {
      await bid(REQUESTS);
      await notify(cluster, events);
    }
    const idle = await perSecond(cluster);
    let bids = 0;
    const request = await perUnit(cluster, idle, async () => {
      const result = await bid(REQUESTS);
      bids = result.bids;
      return result.done;
    });
    const notice = await perUnit(cluster, idle, () => notify(cluster, events));
    return { idle, request, notice, bidShare: bids / REQUESTS, memory: sumOf(cluster, residentMibOf) };
  } finally {
    for (const { load } of loads) load.child.kill();
  }
}

async function addExchange({ url, operatorToken }: Cluster): Promise<string> {
  const response = await fetch(`${url}/api/operator/ssps/${SSP}`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${operatorToken}`, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'Bench' }),
  });
  const { data } = (await response.json()) as { data: { path: string } };
  return data.path;
}

/** Resolves once at least half of the requests get bids: the snapshot is complete, and leases are there. */
async function untilBidding(
  bid: (requests: number) => Promise<{ done: number; bids: number }>,
): Promise<void> {
  const endMs = performance.now() + BIDDING_WITHIN_MS;
  for (;;) {
    const { done, bids } = await bid(400);
    if (bids > done / 2) return;
    if (performance.now() > endMs) throw new Error(`Only ${bids} of ${done} requests got bids.`);
    await pause(500);
  }
}

/** Sends notices to all trackers, and resolves to their number once the counters have stored their events. */
async function notify({ servers }: Cluster, events: ClickHouse): Promise<number> {
  const before = await storedEvents(events);
  const trackers = servers.tracker;
  const loads = trackers.map(() => new NoticeLoad());
  const notices = noticesOf(Math.round(NOTICES / 3));
  for (const [index, load] of loads.entries())
    load.queue(notices.filter((_, at) => at % trackers.length === index));
  await Promise.all(loads.map((load, index) => load.sendAll(trackers[index]!.port)));
  const endMs = performance.now() + COUNTED_WITHIN_MS;
  while ((await storedEvents(events)) < before + notices.length) {
    if (performance.now() > endMs) throw new Error('The events were not counted in time.');
    await pause(250);
  }
  return notices.length;
}

async function storedEvents(events: ClickHouse): Promise<number> {
  const [row] = await events.query<{ stored: number }>('select count() as stored from events');
  return row!.stored;
}

/** The sum of a figure over the processes of each part. */
function sumOf({ servers, engines }: Cluster, valueOf: (pid: number) => number): ByPart {
  const sum = (pids: (number | undefined)[]) => pids.reduce<number>((total, pid) => total + valueOf(pid!), 0);
  return Object.fromEntries(
    PARTS.map((part) => [
      part,
      part in engines
        ? sum([engines[part as keyof typeof engines].process.pid])
        : sum(servers[part as keyof typeof servers].map((server) => server.process.pid)),
    ]),
  ) as ByPart;
}

/** CPU time of a second without traffic. */
async function perSecond(cluster: Cluster): Promise<ByPart> {
  const from = sumOf(cluster, cpuMicrosOf);
  const fromMs = performance.now();
  await pause(IDLE_MS);
  const to = sumOf(cluster, cpuMicrosOf);
  const seconds = (performance.now() - fromMs) / 1000;
  return each((part) => (to[part] - from[part]) / seconds);
}

/** CPU time of a unit of `work`, without what the parts use in that time anyway. */
async function perUnit(cluster: Cluster, idle: ByPart, work: () => Promise<number>): Promise<ByPart> {
  const from = sumOf(cluster, cpuMicrosOf);
  const fromMs = performance.now();
  const units = await work();
  const to = sumOf(cluster, cpuMicrosOf);
  const seconds = (performance.now() - fromMs) / 1000;
  return each((part) => Math.max(0, (to[part] - from[part] - idle[part] * seconds) / units));
}

function each(valueOf: (part: Part) => number): ByPart {
  return Object.fromEntries(PARTS.map((part) => [part, valueOf(part)])) as ByPart;
}

function print(): void {
  console.table(
    Object.fromEntries(
      PARTS.map((part) => [
        part,
        {
          'ms a second without traffic, 1': round(one.idle[part] / 1000, 1),
          '2 of each': round(two.idle[part] / 1000, 1),
          'µs a bid request, 1': round(one.request[part]),
          '2 of each ': round(two.request[part]),
          'µs a notice, 1': round(one.notice[part]),
          ' 2 of each': round(two.notice[part]),
          'MiB, 2 of each': round(two.memory[part]),
        },
      ]),
    ),
  );
  const total = (times: ByPart) => PARTS.reduce((sum, part) => sum + times[part], 0);
  const ratioOf = (key: 'request' | 'notice') => round(total(two[key]) / total(one[key]), 2);
  console.log(`Of the bid requests ${Math.round(two.bidShare * 100)} % got bids.`);
  console.log(
    JSON.stringify({
      bench: 'cluster',
      ratio: ratioOf('request'),
      noticeRatio: ratioOf('notice'),
      bidderMicros: [round(one.request.bidder), round(two.request.bidder)],
      trackerMicros: [round(one.notice.tracker), round(two.notice.tracker)],
      counterMicros: [round(one.notice.counter), round(two.notice.counter)],
      postgresMicros: [round(one.notice.postgres), round(two.notice.postgres)],
      natsMicros: [round(one.notice.nats), round(two.notice.nats)],
      clickhouseMicros: [round(one.notice.clickhouse), round(two.notice.clickhouse)],
    }),
  );
}

function round(value: number, digits = 0): number {
  return Number(value.toFixed(digits));
}
