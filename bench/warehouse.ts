/**
 * Export of an hour to a warehouse: `--rows N` events of one company (10 million), stored as Parquet files in a bucket, compared with
 * ClickHouse writing the same rows into one Parquet file by itself. Checks that the manifests name each row once.
 */
import { spawnSync } from 'node:child_process';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { WAREHOUSE_KINDS } from '@bidwell/contract/warehouse/schema';
import { createMessenger } from '@bidwell/server/modules/messaging/messenger';
import { createReportDestination } from '@bidwell/server/modules/reporting/schedules/destinations/destinations';
import { planWarehouseRuns, warehouseRuns } from '@bidwell/server/modules/reporting/warehouse/export-run';
import { listWarehouseRuns, saveWarehouseExport } from '@bidwell/server/modules/reporting/warehouse/service';
import { systemActor } from '@bidwell/server/platform/actor';
import { startS3Server } from '@bidwell/testing/engines/s3-server';
import { benchApp } from './load/bench-app.ts';
import { cpuMicros } from './load/cpu.ts';
import { largestCompany } from './load/many-events.ts';

const HOUR_MS = 3_600_000;
/** The largest of the generated companies has this share of all events. */
const LARGEST_SHARE = 0.4;
const index = process.argv.indexOf('--rows');
const rows = index < 0 ? 10_000_000 : Number(process.argv[index + 1]);

const dataDir = await mkdtemp(join(tmpdir(), 'bidwell-bench-'));
const endMs = Math.floor(Date.now() / HOUR_MS) * HOUR_MS;
const fill = fileURLToPath(new URL('./load/reports-fill.ts', import.meta.url));
const filled = spawnSync(
  process.execPath,
  [...process.execArgv, fill, dataDir, ...[rows / LARGEST_SHARE, 2, 1 / 24, endMs].map(String)],
  { stdio: 'inherit' },
);
if (filled.status !== 0) throw new Error('The table could not be filled.');

const s3 = await startS3Server();
const clock = { ms: Date.now() - HOUR_MS };
const app = await benchApp(
  { DATA_DIR: dataDir, ALERT_INTERNAL_HOSTS: `127.0.0.1:${s3.port}` },
  { postgresInMemory: true, now: () => new Date(clock.ms), alertsEveryMs: HOUR_MS },
);
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
    created_at: new Date(clock.ms),
  })
  .execute();
const actor = systemActor(companyId);
const { settings } = s3;
const { uuid } = await createReportDestination(ctx, actor, {
  type: 's3',
  name: 'Bucket',
  url: settings.endpoint,
  region: settings.region,
  bucket: settings.bucket,
  prefix: '',
  access_key_id: settings.accessKeyId,
  secret_access_key: settings.secretAccessKey,
});
await saveWarehouseExport(ctx, actor, {
  destination_uuid: uuid,
  kinds: [...WAREHOUSE_KINDS],
  is_enabled: true,
});
clock.ms = Date.now() + 2 * HOUR_MS;

const [counted] = await ctx.clickhouse.query<{ rows: number }>(
  `select count() as rows from events where company_id = {company:UUID}`,
  { company: companyId },
);
const expected = counted!.rows;

/** Seconds, CPU seconds and the peak of memory in MB of a piece of work in this process. */
async function measured(work: () => Promise<void>) {
  let peak = process.memoryUsage.rss();
  const before = peak;
  const timer = setInterval(() => (peak = Math.max(peak, process.memoryUsage.rss())), 50);
  const [startedMs, startedCpu] = [performance.now(), cpuMicros()];
  await work();
  clearInterval(timer);
  const seconds = (performance.now() - startedMs) / 1000;
  return { seconds, cpu: (cpuMicros() - startedCpu) / 1e6, beforeMb: before / 1e6, peakMb: peak / 1e6 };
}

const exported = await measured(async () => {
  await planWarehouseRuns(ctx);
  const messenger = createMessenger(ctx, [warehouseRuns(ctx)]);
  const isLeft = async () =>
    (await listWarehouseRuns(ctx, actor)).some(({ status }) => status !== 'stored' && status !== 'failed');
  while (await isLeft()) {
    await messenger.tick();
    await messenger.idle();
  }
});
const runs = await listWarehouseRuns(ctx, actor);
const stored = runs.reduce((sum, run) => sum + (run.rows ?? 0), 0);
if (stored !== expected) throw new Error(`The manifests name ${stored} of ${expected} rows.`);

const path = join(dataDir, 'reference.parquet');
const reference = await measured(async () =>
  ctx.clickhouse.command(
    `insert into function file('${path}', Parquet) select * from events where company_id = '${companyId}'`,
  ),
);
const { size } = await stat(path);
console.log(
  `${stored} rows in ${exported.seconds.toFixed(1)} s, ${exported.cpu.toFixed(1)} s of CPU time, at most ${exported.peakMb.toFixed(0)} MB (${exported.beforeMb.toFixed(0)} MB before)`,
);
console.log(
  `one file by ClickHouse: ${reference.seconds.toFixed(1)} s, ${reference.cpu.toFixed(1)} s of CPU time, ${(size / 1e6).toFixed(0)} MB`,
);
await app.close();
await s3.stop();
await rm(dataDir, { recursive: true, force: true });
console.log(
  JSON.stringify({
    bench: 'warehouse',
    ratio: exported.cpu / reference.cpu,
    rows: stored,
    seconds: exported.seconds,
    cpuSeconds: exported.cpu,
    peakMb: exported.peakMb,
  }),
);
process.exit();
