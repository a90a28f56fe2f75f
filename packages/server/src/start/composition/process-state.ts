import type { ProcessState } from '@bidwell/contract/operator/health';
import type { StatsFs } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { hostname } from 'node:os';
import type { Registry } from 'prom-client';
import serverPackage from '../../../package.json' with { type: 'json' };
import type { Context } from '../../context.ts';
import type { Readiness } from '../../platform/http/health.ts';
import { repeat } from '../../platform/jobs/repeat.ts';
import { removeProcessState, saveProcessState } from '../../platform/postgres/stores/process-states-store.ts';
import { invariantViolations } from '../../platform/invariant.ts';
import type { Step } from '../../platform/startup.ts';
import { registerCounter, registerGauge } from '../../platform/telemetry/metrics.ts';
import { recentWarnings } from '../../platform/telemetry/logger.ts';
import type { Databases } from './databases.ts';
import type { Lifetime } from './lifetime.ts';

const REPORT_MS = 10_000;

/** Reports the state of this process every ten seconds, for the operator console. */
export function reportProcess(
  { config, log, closing }: Lifetime,
  {
    ctx,
    postgres,
    events,
    readiness,
    registry,
  }: {
    ctx: Context;
    postgres: Step;
    events: Databases['events'];
    readiness: () => Promise<Readiness>;
    registry: Registry;
  },
): void {
  const name = `${hostname()}:${config.port}`;
  const startedAt = new Date();
  let freeRatio = NaN;
  registerGauge(
    registry,
    'bidwell_data_disk_free_ratio',
    'Free part of the disk of DATA_DIR, which embedded databases and the event log are on',
    () => freeRatio,
  );
  registerCounter(
    registry,
    'bidwell_invariant_violations_total',
    'Assertions of money and counting that failed: each is a fault of the program, and none should ever be',
    invariantViolations,
  );
  const report = async (): Promise<void> => {
    const disk = await statfs(config.dataDir).catch(() => null);
    freeRatio = disk ? disk.bavail / disk.blocks : NaN;
    if (!postgres.isDone()) return;
    await saveProcessState(ctx.db, {
      process: name,
      roles: [...config.roles],
      version: serverPackage.version,
      started_at: startedAt,
      state: stateOf(disk, events, await readiness()),
    });
  };
  const job = repeat(REPORT_MS, 'report the state of this process', log, report);
  void report().catch((err: unknown) => log.warn({ err }, 'the state of this process could not be reported'));
  closing('process state', job, async () => {
    await job.stop();
    if (postgres.isDone()) await removeProcessState(ctx.db, name).catch(() => {});
  });
}

function stateOf(
  disk: StatsFs | null,
  { ingest, counter }: Databases['events'],
  { roles, degraded }: Readiness,
): ProcessState {
  const counting = counter?.state() ?? null;
  return {
    faults: Object.fromEntries(
      Object.entries(roles).filter((entry): entry is [string, string] => entry[1] !== true),
    ),
    degraded,
    memory_bytes: process.memoryUsage.rss(),
    disk_free_bytes: disk && disk.bavail * disk.bsize,
    disk_bytes: disk && disk.blocks * disk.bsize,
    log_waiting_bytes: ingest.state().waitingBytes,
    lag_seconds: counting && Math.max(0, ...counting.owned.map(({ lagMs }) => lagMs)) / 1000,
    stream_bytes: counting?.streamBytes ?? null,
    warnings: [...recentWarnings()],
  };
}
