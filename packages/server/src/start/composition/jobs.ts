import type { Registry } from 'prom-client';
import type { Context } from '../../context.ts';
import { type Delivery, deleteOldQuarantine, deliveryJobs } from '../../delivery/public.ts';
import { campaignJobs } from '../../modules/campaigns/public.ts';
import { catalogJobs } from '../../modules/catalog/public.ts';
import { changeJobs } from '../../modules/changes/public.ts';
import { identityJobs } from '../../modules/identity/public.ts';
import { insightJobs, startForecastRecorder } from '../../modules/insight/public.ts';
import { measurementJobs } from '../../modules/measurement/public.ts';
import { messagingJobs, readBacklog } from '../../modules/messaging/public.ts';
import { moderationJobs } from '../../modules/moderation/public.ts';
import { moneyJobs } from '../../modules/money/public.ts';
import { lastErasureAt, operationJobs, readSafety, readWaiting } from '../../modules/operations/public.ts';
import { reportingJobs } from '../../modules/reporting/public.ts';
import { daysBefore } from '../../platform/days-before.ts';
import { removeUnusedFiles } from '../../platform/files/unused-files.ts';
import { KEY_LIFE_MS, deleteExpiredKeys } from '../../platform/idempotency/idempotency.ts';
import {
  soleLeadership,
  startLeadership,
  type LedJob,
  RETENTION_EVERY_MS,
} from '../../platform/jobs/leadership.ts';
import { type RepeatingJob, repeat } from '../../platform/jobs/repeat.ts';
import { registerGauge } from '../../platform/telemetry/metrics.ts';
import type { Databases } from './databases.ts';
import { backlogMetrics, safetyMetrics, waitingMetrics } from './led-metrics.ts';
import type { LiveContext } from './live.ts';
import { type Messengers, createMessengers, messageMetrics } from './messages.ts';

/** The dependencies of the jobs. */
interface JobDeps {
  databases: Pick<Databases, 'postgres' | 'clickhouseReady'>;
  delivery: Delivery;
  postSpend: () => Promise<void>;
  registry: Registry;
  onMessageQueued: LiveContext['onMessageQueued'];
  alertsEveryMs?: number | undefined;
}

/** Starts the jobs of this process's roles. Only one of several processes with the role `jobs` runs them. */
export function startJobs(ctx: Context, deps: JobDeps): RepeatingJob[] {
  const { config, log } = ctx;
  const jobs: RepeatingJob[] = [];
  if (config.roles.has('bidder'))
    jobs.push(
      repeat(30_000, 'reload funds', log, () => deps.delivery.reloadFunds(), [deps.databases.postgres]),
    );
  if (config.roles.has('tracker'))
    jobs.push(
      repeat(RETENTION_EVERY_MS, 'delete old quarantined segments', log, () => deleteQuarantine(ctx), [
        deps.databases.postgres,
      ]),
    );
  // The processes that store files have the folder that they are in.
  if (config.roles.has('api'))
    jobs.push(
      repeat(RETENTION_EVERY_MS, 'remove unused files', log, (stopping) => removeUnusedFiles(ctx, stopping), [
        deps.databases.postgres,
      ]),
    );
  if (config.roles.has('api') || config.roles.has('jobs')) jobs.push(startMessages(ctx, deps));
  return jobs;
}

/** Deletes data older than the setting says, or older than the last erasure of a device, which it may name. */
async function deleteQuarantine({ config, db, now }: Context): Promise<void> {
  const expired = daysBefore(now(), config.keptDays.quarantine);
  const erasedAt = (await lastErasureAt(db)) ?? expired;
  const before = erasedAt > expired ? erasedAt : expired;
  await deleteOldQuarantine(config.dataDir, { before, bytesMax: config.eventLogMaxBytes });
}

/** Starts to store a forecast of each ad set that is saved in this process, where it forecasts. */
export function startRecordingForecasts(
  ctx: Context,
  { forecaster }: Pick<Delivery, 'forecaster'>,
  onChanged: LiveContext['onChanged'],
): RepeatingJob[] {
  if (!forecaster) return [];
  const recorder = startForecastRecorder({ ctx, forecaster });
  onChanged((change) => recorder.changed(change));
  return [recorder];
}

/** Within this time an alert is sent, and a scheduled report begun. */
const ALERTS_EVERY_MS = 1000;
/** Interval between counts of the items that wait for operators. */
const WAITING_EVERY_MS = 15_000;
/** Interval between readings of the warnings to operators. */
const SAFETY_EVERY_MS = 60_000;

/** Starts to send mails that a person waits for, and in a process of the role `jobs` the jobs, which send all other messages. */
function startMessages(ctx: Context, deps: JobDeps): RepeatingJob {
  const { databases, registry, alertsEveryMs = ALERTS_EVERY_MS } = deps;
  const { postgres } = databases;
  const messengers = createMessengers(ctx);
  const { awaited } = messengers;
  messageMetrics(registry, messengers);
  const jobs = [
    // Further tries, and messages that other processes queued and did not send.
    repeat(alertsEveryMs, 'send mails that a person waits for', ctx.log, () => awaited.tick(), [postgres]),
    ...(ctx.config.roles.has('jobs') ? [startLedJobs(ctx, { ...deps, messengers })] : []),
  ];
  deps.onMessageQueued((lane) => {
    if (!awaited.lanes.has(lane)) return;
    awaited.tick().catch((err: unknown) => ctx.log.error({ err }, 'the messages that wait were not read'));
  });
  return {
    async stop() {
      await Promise.all([awaited.stop(), ...jobs.map((job) => job.stop())]);
    },
  };
}

/** Starts the jobs that a single process runs. */
function startLedJobs(
  ctx: Context,
  {
    databases,
    delivery,
    postSpend,
    registry,
    messengers,
    onMessageQueued,
    alertsEveryMs = ALERTS_EVERY_MS,
  }: JobDeps & { messengers: Messengers },
): RepeatingJob {
  const { config, db, log, now } = ctx;
  const leadership = config.databaseUrl ? startLeadership({ db, name: 'jobs', log }) : soleLeadership;
  registerGauge(
    registry,
    'bidwell_jobs_leader',
    'Whether this process runs the jobs: 1 in one process, 0 in the others',
    () => (leadership.isLeader() ? 1 : 0),
  );
  const waiting = waitingMetrics(registry, leadership);
  const backlog = backlogMetrics(registry, leadership);
  const { postgres, clickhouseReady } = databases;
  const safety = safetyMetrics(registry, leadership);
  const job = ({ name, everyMs, work, readsEvents }: LedJob): RepeatingJob =>
    repeat(
      everyMs,
      name,
      log,
      leadership.onlyHere(work),
      readsEvents ? [postgres, clickhouseReady] : [postgres],
    );
  const { led, reports } = messengers;
  onMessageQueued((lane) => {
    if (!led.lanes.has(lane) || !leadership.isLeader()) return;
    led.tick().catch((err: unknown) => log.error({ err }, 'the messages that wait were not read'));
  });
  const own: LedJob[] = [
    { name: 'send alerts and invoices', everyMs: alertsEveryMs, work: () => led.tick() },
    {
      name: 'send scheduled reports',
      everyMs: alertsEveryMs,
      work: () => reports.tick(),
      readsEvents: true,
    },
    { name: 'post spend to the ledger', everyMs: 2000, work: postSpend, readsEvents: true },
    {
      name: 'count what waits to leave',
      everyMs: WAITING_EVERY_MS,
      work: async () => backlog.set(await readBacklog(db, now())),
    },
    {
      name: 'count what waits for operators',
      everyMs: WAITING_EVERY_MS,
      work: async () => waiting.set(await readWaiting(ctx)),
    },
    {
      name: 'read what operators are warned of',
      everyMs: SAFETY_EVERY_MS,
      work: async () => safety.set(await readSafety(ctx)),
    },
    {
      name: 'delete expired idempotency keys',
      everyMs: 3_600_000,
      work: () => deleteExpiredKeys(db, new Date(now().getTime() - KEY_LIFE_MS)),
    },
  ];
  const jobs = [...own, ...jobsOfDomains(ctx, delivery, alertsEveryMs)].map(job);
  return {
    async stop() {
      await Promise.all([led.stop(), reports.stop(), ...jobs.map((one) => one.stop())]);
      await leadership.stop();
    },
  };
}

/** The jobs of all domains, which a single process runs. Alerts are written within `alertsEveryMs` milliseconds. */
export const jobsOfDomains = (
  ctx: Context,
  delivery: Delivery,
  alertsEveryMs = ALERTS_EVERY_MS,
): LedJob[] => [
  ...changeJobs(ctx),
  ...messagingJobs(ctx, alertsEveryMs),
  ...identityJobs(ctx),
  ...catalogJobs(ctx),
  ...reportingJobs(ctx, alertsEveryMs),
  ...moneyJobs(ctx),
  ...campaignJobs(ctx),
  ...measurementJobs(ctx, alertsEveryMs),
  ...moderationJobs(ctx, alertsEveryMs),
  ...insightJobs(ctx),
  ...operationJobs(ctx, delivery),
  ...deliveryJobs(ctx, delivery),
];
