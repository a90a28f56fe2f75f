import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { startClickHouseServer } from '@bidwell/testing/engines/clickhouse-server';
import { type TcpRelay, openTcpRelay } from '@bidwell/testing/engines/tcp-relay';
import { addressOf, emptyDatabase, throughRelay } from '@bidwell/testing/engines/postgres-server';
import { audit, withStores } from './audit.ts';
import { becomesEmpty } from './log-folder.ts';
import { NoticeLoad, noticesOf } from './notices.ts';
import type { ChaosResult, ChaosScenario, RunningOptions } from './scenario.ts';
import { type ServerProcess, freePort, startServer } from './server-process.ts';
import { withFolder } from './temporary-folder.ts';

const BIDS_A_ROUND = 300;
const OUTAGE_MS = 1000;
/** How long a store may take for its next step once it can be reached; long, because other programs may use the processor. */
const PATIENCE_MS = 180_000;

/** Connections to PostgreSQL are cut, refused and silent in turn, under load. */
export const postgresCutScenario: ChaosScenario = {
  name: 'postgres-cut',
  about: 'PostgreSQL is cut, refused and silent in turn, under load',
  rounds: 20,
  run: (options) =>
    withFolder(options.signal, (dataDir, signal) => cutPostgres(dataDir, { ...options, signal })),
};

/** ClickHouse is unreachable for one second per round, from the server's start. */
export const clickhouseOutageScenario: ChaosScenario = {
  name: 'clickhouse-outage',
  about: 'ClickHouse is unavailable at the start and for one second per round, under load',
  rounds: 60,
  run: (options) =>
    withFolder(options.signal, (folder, signal) => withoutClickHouse(folder, { ...options, signal })),
};

async function cutPostgres(dataDir: string, options: RunningOptions): Promise<ChaosResult | string> {
  const database = await emptyDatabase(process.env['DATABASE_URL']);
  if (!database) return 'there is no PostgreSQL: set DATABASE_URL';
  const line = await openTcpRelay(() => addressOf(database));
  try {
    await options.prepare?.(dataDir);
    const url = throughRelay(database, line.port, { query_timeout: '1500', connect_timeout: '0.5' });
    const found = await underLoad(options, { DATA_DIR: dataDir, DATABASE_URL: url }, (round) => {
      if (round % 2 === 0) line.cut(true);
      else line.silence();
      return line;
    });
    const stores = { dataDir, databaseUrl: database.url };
    return { ...found.result, ...(await withStores(stores, (open) => audit(open, found.load))) };
  } finally {
    line.close();
    await database.remove();
  }
}

async function withoutClickHouse(folder: string, options: RunningOptions): Promise<ChaosResult> {
  const dataDir = join(folder, 'data');
  const fakeClickhouse = await startClickHouseServer(join(folder, 'clickhouse'));
  const line = await openTcpRelay(() => fakeClickhouse.port);
  try {
    line.cut(true);
    await options.prepare?.(dataDir);
    const environment = { DATA_DIR: dataDir, CLICKHOUSE_URL: `http://127.0.0.1:${line.port}` };
    const found = await underLoad(options, environment, () => null, line);
    const stores = { dataDir, clickhouseUrl: fakeClickhouse.url };
    return { ...found.result, ...(await withStores(stores, (open) => audit(open, found.load))) };
  } finally {
    line.close();
    await fakeClickhouse.stop();
  }
}

/** Sends notices while `cut` cuts a connection each round; the server must survive and store everything. */
async function underLoad(
  { rounds, program, log, signal }: RunningOptions,
  environment: Record<string, string>,
  cut: (round: number) => TcpRelay | null,
  lastToMend?: TcpRelay,
): Promise<{ result: ChaosResult; load: NoticeLoad }> {
  const port = await freePort();
  const server = await startServer(program, port, environment, signal);
  const load = new NoticeLoad();
  const failures: string[] = [];
  for (let round = 1; round <= rounds && failures.length === 0; round += 1) {
    load.add(noticesOf(BIDS_A_ROUND));
    const sending = load.send(port);
    const line = cut(round);
    await Promise.all([sending, wait(OUTAGE_MS)]);
    line?.mend();
    const { statuses } = await sending;
    for (const [status, times] of statuses)
      if (status !== 200) failures.push(`round ${round}: ${times} notices were answered ${status}`);
    if (hasEnded(server)) failures.push(`round ${round}: the server ended: ${server.output()}`);
    log(`round ${round}: ${load.acknowledged.size} acknowledged so far`);
  }
  lastToMend?.mend();
  await load.sendAll(port);
  await becomesWhole(port);
  await becomesEmpty(join(environment['DATA_DIR']!, 'event-log'));
  const code = await server.end('SIGTERM');
  if (code !== 0) failures.push(`the server ended with ${code}: ${server.output()}`);
  return {
    load,
    result: { acknowledged: 0, lost: 0, doubled: 0, failures, notes: [`${rounds} rounds`] },
  };
}

function hasEnded({ child }: ServerProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null;
}

/** Waits until /readyz reports nothing as degraded. */
async function becomesWhole(port: number): Promise<void> {
  const endMs = performance.now() + PATIENCE_MS;
  let degraded = 'no response';
  while (performance.now() < endMs) {
    const answer = await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => null);
    const { data } = ((await answer?.json()) ?? {}) as { data?: { degraded: string[] } };
    if (answer?.status === 200 && data?.degraded.length === 0) return;
    degraded = data?.degraded.join(' ') ?? degraded;
    await wait(100);
  }
  throw new Error(`The server stayed degraded for ${PATIENCE_MS / 1000} s: ${degraded}`);
}
