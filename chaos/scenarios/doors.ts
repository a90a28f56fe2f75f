import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { WAREHOUSE_KINDS, type WarehouseKind } from '@bidwell/contract/warehouse/schema';
import { openClickHouse } from '@bidwell/server/platform/clickhouse/open';
import { makeRunningCampaign } from '@bidwell/testing/bidding';
import { builtProgram } from '@bidwell/testing/built-program';
import { startClickHouseServer } from '@bidwell/testing/engines/clickhouse-server';
import { startS3Server } from '@bidwell/testing/engines/s3-server';
import { startReviewCounterpart } from '@bidwell/testing/exchange-reviews/review-counterpart';
import { startPartnerCounterpart } from '@bidwell/testing/partners/partner-counterpart';
import { callerOf, registerCompany } from '../cluster-company.ts';
import { DEVICE_KEY, openCopyDoor } from '../doors/copy-door.ts';
import { openCostDoor } from '../doors/cost-door.ts';
import type { Door, DoorCompany, DoorSetup } from '../doors/door.ts';
import { type FaultyLine, type LineMood, countsText, openFaultyLine } from '../doors/faulty-line.ts';
import { openReviewDoor } from '../doors/review-door.ts';
import { type TestClock, createTestClock } from '../doors/test-clock.ts';
import { openWarehouseDoor } from '../doors/warehouse-door.ts';
import type { ChaosResult, ChaosScenario, RunningOptions } from '../scenario.ts';
import { OPERATOR_TOKEN, type ServerProcess, freePort, startServer } from '../server-process.ts';
import { withFolder } from '../temporary-folder.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** Of the server's clock, which runs a minute a second once the companies are made. */
const RATE = 60;
/** Of the server's clock. */
const OUTAGE_MS = HOUR_MS;
/**
 * How long a server runs between two kills, at least and at most. Creatives are looked for every 15 seconds of real time: so long do servers
 * run that some receivers answer.
 */
const LIFE_MS = { faulty: [20_000, 24_000], outage: [3000, 16_000] } as const;
/** How long all doors together may take once nothing is faulty any more; long, because other programs may use the processor. */
const PATIENCE_MS = 300_000;
/** Once nothing is faulty, the server is off for so long, and then runs for so long, until everything has left. */
const OFF_MS = 2 * HOUR_MS;
const LAST_LIFE_MS = 45_000;
/** Differences of a door that are printed. */
const FAILURES_MAX = 5;
/** The logins of companies, the time zones of their apps, and what is in their files. */
const COMPANIES = [
  ['doors.utc', 'UTC', WAREHOUSE_KINDS],
  ['doors.kolkata', 'Asia/Kolkata', ['bids', 'billings', 'app_events']],
] as const;

/** Kills, and an hour of 503 and 429, while costs, copies of postbacks, creatives and files of events leave. */
export const doorsScenario: ChaosScenario = {
  name: 'doors',
  about:
    'kill -9, an hour of 503 and 429, and lost responses while costs, copies, creatives and files of events leave',
  rounds: 3,
  run: (options) =>
    withFolder(options.signal, (folder, signal) => killAtDoors(folder, { ...options, signal })),
};

async function killAtDoors(folder: string, options: RunningOptions): Promise<ChaosResult> {
  const clock = createTestClock(Math.floor(Date.now() / HOUR_MS) * HOUR_MS + 50 * MINUTE_MS);
  const { random } = Math;
  const clickhouseServer = await startClickHouseServer(join(folder, 'clickhouse'));
  const clickhouse = await openClickHouse({ dataDir: folder, url: clickhouseServer.url });
  const s3 = await startS3Server();
  const exchanges = await startReviewCounterpart({ now: () => clock.now() });
  const partner = await startPartnerCounterpart({ now: () => clock.now(), others: exchanges });
  const partnerLine = await openFaultyLine(Number(new URL(partner.origin).port), doorOfRequest, random);
  const bucketLine = await openFaultyLine(s3.port, () => 'warehouse', random);
  const lines = [partnerLine, bucketLine];
  try {
    const dataDir = join(folder, 'data');
    await options.prepare?.(dataDir);
    const server = await killedServer(options, clock, {
      DATA_DIR: dataDir,
      CLICKHOUSE_URL: clickhouseServer.url,
      OPERATOR_TOKEN,
      INSTALL_POSTBACK_TEST_KEY: DEVICE_KEY,
      PARTNER_STAND_IN: `http://127.0.0.1:${partnerLine.port}`,
      ALERT_INTERNAL_HOSTS: `127.0.0.1:${bucketLine.port}`,
    });
    await server.start(1);
    const { url } = server;
    const operator = callerOf(`${url}/api/operator`, OPERATOR_TOKEN);
    const companies: (DoorCompany & { kinds: readonly WarehouseKind[] })[] = [];
    for (const [login, timeZone, kinds] of COMPANIES)
      companies.push({ ...(await registerCompany(url, login)), timeZone, kinds });
    const setup: DoorSetup = { url, clock, companies, operator, clickhouse, random };
    const apps = [];
    for (const company of companies)
      apps.push({
        company,
        kinds: company.kinds,
        ...(await makeRunningCampaign({ operator, settled: async () => {} }, company)),
      });
    const doors: Door[] = [
      await openCostDoor(setup, apps, partner),
      await openCopyDoor(setup, partner),
      await openReviewDoor(setup, apps, exchanges),
      await openWarehouseDoor(setup, apps, s3, { endpoint: `http://127.0.0.1:${bucketLine.port}`, folder }),
    ];
    return await underFaults({ doors, lines, server, clock, options });
  } finally {
    for (const line of lines) await line.close();
    await partner.close();
    await exchanges.close();
    await s3.stop();
    await clickhouse.close();
    await clickhouseServer.stop();
  }
}

/** The door of a request to a measurement partner or an exchange, whose host begins the path. */
function doorOfRequest({ url = '' }: { url?: string }): string {
  const [, host = ''] = url.split('/');
  if (host === 'hq1.appsflyer.com') return 'costs';
  return /google|adnxs/.test(host) ? 'reviews' : 'copies';
}

/** A server that is killed and started again with the same data. */
interface KilledServer {
  url: string;
  kills(): number;
  /** Starts it, with a clock that runs `rate` times as fast as time. */
  start(rate: number): Promise<void>;
  kill(): Promise<void>;
  /** Ends it as an update does; resolves to its exit code. */
  end(): Promise<number | string>;
  output(): string;
}

async function killedServer(
  { signal }: RunningOptions,
  clock: TestClock,
  environment: Readonly<Record<string, string>>,
): Promise<KilledServer> {
  const program = await builtProgram('serve-with-clock');
  const port = await freePort();
  let server: ServerProcess | undefined;
  let kills = 0;
  return {
    url: `http://127.0.0.1:${port}`,
    kills: () => kills,
    async start(rate) {
      clock.run(rate);
      server = await startServer(program, port, { ...environment, ...clock.environment() }, signal);
    },
    async kill() {
      await server!.end('SIGKILL');
      clock.stop();
      kills += 1;
    },
    end: async () => server!.end('SIGTERM'),
    output: () => server!.output(),
  };
}

interface Faulty {
  doors: readonly Door[];
  lines: readonly FaultyLine[];
  server: KilledServer;
  clock: TestClock;
  options: RunningOptions;
}

/** Runs the faults one after the other, and compares the stores once everything has left. */
async function underFaults(faulty: Faulty): Promise<ChaosResult> {
  const { doors, lines, server, clock, options } = faulty;
  const startedMs = performance.now();
  const log = (line: string) =>
    options.log(
      `${Math.round((performance.now() - startedMs) / 1000)} s, ${clock.now().toISOString()}: ${line}`,
    );
  const setMood = (mood: LineMood) => {
    for (const line of lines) line.mood = mood;
  };
  /** Kills the server, lets the clock pass over some time, adds to what leaves, and runs the server until the next kill. */
  const live = async (mood: 'faulty' | 'outage', passing: (nowMs: number) => number = () => 0) => {
    await server.kill();
    setMood(mood);
    clock.stop(passing(clock.now().getTime()));
    for (const door of doors) await door.addStored?.();
    await server.start(RATE);
    for (const door of doors) await door.addRunning?.();
    const [least, most] = LIFE_MS[mood];
    await wait(least + Math.random() * (most - least));
  };

  await live('faulty');
  log('the outage begins');
  const endMs = clock.now().getTime() + OUTAGE_MS;
  while (clock.now().getTime() < endMs) await live('outage');
  log('the outage ends');
  // Rows are stored around the full hour.
  for (let round = 0; round < options.rounds; round += 1)
    await live('faulty', (now) => HOUR_MS - (now % HOUR_MS) + 1000);
  setMood('whole');
  const unfinished = await finish(faulty, log);
  const failures = unfinished.slice(0, FAILURES_MAX);
  const result = { acknowledged: 0, lost: 0, doubled: 0 };
  const notes = [`${server.kills()} kills`];
  for (const [index, door] of doors.entries()) {
    const { entries, lost, doubled, notes: own = [] } = await door.compare();
    result.acknowledged += entries;
    result.lost += lost.length;
    result.doubled += doubled.length;
    failures.push(...[...lost, ...doubled].slice(0, FAILURES_MAX).map((what) => `${door.name}: ${what}`));
    const counts = lines[index === doors.length - 1 ? 1 : 0]!.countsOf(door.name);
    notes.push(`${door.name}: ${[`${entries} entries`, ...own].join(', ')}; ${countsText(counts)}`);
  }
  const code = await server.end();
  if (code !== 0) failures.push(`the server ended with ${code}: ${server.output()}`);
  return { ...result, failures, notes };
}

/** Runs the server until everything has left; in between it is off. Resolves to what has not left in the end. */
async function finish({ doors, server, clock }: Faulty, log: (line: string) => void): Promise<string[]> {
  const endMs = performance.now() + PATIENCE_MS;
  let left: string[] = [];
  while (performance.now() < endMs) {
    await server.kill();
    clock.stop(OFF_MS);
    await server.start(RATE);
    const lifeEndMs = performance.now() + LAST_LIFE_MS;
    while (performance.now() < lifeEndMs) {
      left = [];
      for (const door of doors)
        left.push(...(await door.unfinished()).map((what) => `${door.name}: ${what}`));
      if (left.length === 0) return [];
      await wait(1500);
    }
    log(`${left.length} are left, such as ${left[0]}`);
  }
  return left;
}
