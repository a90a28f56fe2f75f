import type { Registry } from 'prom-client';
import type { Delivery } from '../../delivery/delivery.ts';
import { deleteExpiredClaims } from '../../delivery/event-log/claims-store.ts';
import { INSTALL_LATENESS_DAYS } from '@bidwell/contract/apps/event-settings';
import { deleteOldQuarantine } from '../../delivery/event-log/quarantine.ts';
import { deleteExchangeMinutes } from '../../delivery/exchanges/minute-store.ts';
import { deleteOldChanges } from '../../delivery/snapshot/changes-store.ts';
import type { Context } from '../../context.ts';
import { deleteExpiredSessions } from '../../modules/accounts/sessions/session-store.ts';
import { deleteExpiredViewerSessions } from '../../modules/accounts/sessions/viewer-session-store.ts';
import { startApprovedCampaigns } from '../../modules/campaigns/start-approved.ts';
import { adoptDeliveries } from '../../modules/alerts/channel-messages.ts';
import { queueAlertMails } from '../../modules/alerts/mail-alerts.ts';
import { planAlerts } from '../../modules/alerts/plan-alerts.ts';
import { checkAlertRules } from '../../modules/alert-rules/check-rules.ts';
import { checkLastHour } from '../../modules/anomalies/service.ts';
import { checkPostbacks } from '../../modules/anomalies/silent-postbacks.ts';
import { checkDomainRecords } from '../../modules/accounts/sso/domain-records.ts';
import { checkTrackingHosts } from '../../modules/anomalies/tracking-hosts.ts';
import { createHostChecker } from '../../platform/outbound/check-host.ts';
import { checkSpendPlans } from '../../modules/anomalies/spend-plan.ts';
import { fetchDomains } from '../../modules/apps/fetch-domains.ts';
import { deletePublisherPages } from '../../modules/apps/publisher-page-store.ts';
import { compareForecasts, deleteOldForecasts } from '../../modules/insight/forecast/compare.ts';
import { dailyLedgerCheck } from '../../modules/finance/check.ts';
import { issueDueInvoices } from '../../modules/invoices/issue.ts';
import { deleteExpiredMessages, readBacklog } from '../../modules/messaging/message-store.ts';
import { startForecastRecorder } from '../../modules/insight/forecast/recorder.ts';
import { planReports } from '../../modules/report-schedules/plan-reports.ts';
import { adoptReports } from '../../modules/report-schedules/report-messages.ts';
import { lastErasureAt } from '../../modules/operator/device-erasure-store.ts';
import { carryOutErasures } from '../../modules/operator/device-erasures.ts';
import { allocateNumbers } from '../../modules/operator/skadnetwork/allocate-numbers.ts';
import { deleteOutcomesBefore } from '../../delivery/skadnetwork/outcome-store.ts';
import { mailOperatorAlerts } from '../../modules/operator/operator-alerts.ts';
import { readSafety } from '../../modules/operator/safety.ts';
import { readWaiting } from '../../modules/operator/waiting.ts';
import { daysBefore } from '../../platform/days-before.ts';
import { removeUnusedFiles } from '../../platform/files/remove-unused-files.ts';
import { KEY_LIFE_MS } from '../../platform/idempotency/once.ts';
import { deleteExpiredKeys } from '../../platform/idempotency/store.ts';
import { soleLeadership, startLeadership } from '../../platform/jobs/leadership.ts';
import { type RepeatingJob, type Work, repeat } from '../../platform/jobs/repeat.ts';
import { registerGauge } from '../../platform/telemetry/metrics.ts';
import type { Databases } from './databases.ts';
import { backlogMetrics, safetyMetrics, waitingMetrics } from './led-metrics.ts';
import type { LiveContext } from './live.ts';
import { type Messengers, createMessengers, messageMetrics } from './messages.ts';
import { retentionJobs } from './retention-jobs.ts';

/** Retention of event claims: one day longer than the latest install of a bid is accepted. */
const CLAIM_LIFE_MS = (INSTALL_LATENESS_DAYS + 1) * 86_400_000;

/** Retention of pages of publishers' apps, which reports fetch again when they need them. */
const PUBLISHER_PAGES_LIFE_MS = 90 * 86_400_000;

/** Retention of what was counted of exchanges by minute. */
const EXCHANGE_MINUTES_LIFE_MS = 7 * 86_400_000;

/** Retention of counts of requests by whether a bid on them could be signed. */
const SKADNETWORK_COUNT_DAYS = 30;

/** What the jobs call. */
interface JobDeps {
  databases: Pick<Databases, 'postgres' | 'clickhouseReady'>;
  delivery: Delivery;
  postSpend: () => Promise<void>;
  registry: Registry;
  onMessageQueued: LiveContext['onMessageQueued'];
  alertsEveryMs?: number | undefined;
}

/** Starts the jobs of this process's roles. Of several processes with the role `jobs`, one runs them. */
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

/** Deletes what is older than the setting says, or than the last erasure of a device, which may be named in it. */
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

/** How often it is looked for what is to be deleted: an hour's rows are few, and a backlog is deleted within days. */
const RETENTION_EVERY_MS = 600_000;

/** Within this time an approved campaign starts by itself. */
const START_EVERY_MS = 5000;
/** Within this time it is begun to remove what is stored of a device. */
const ERASE_EVERY_MS = 2000;
/** Within this time an alert is sent, and a scheduled report begun. */
const ALERTS_EVERY_MS = 1000;
/** The jobs queue what a server of an earlier release left waiting, as during an upgrade, once in so many rounds. */
const ADOPT_EVERY = 60;
/** How often it is counted what waits for operators. */
const WAITING_EVERY_MS = 15_000;
/** How often it is read what operators are warned of. */
const SAFETY_EVERY_MS = 60_000;

/** Starts to send mails that somebody waits for, and in a process of the role `jobs` the jobs, which send all other messages. */
function startMessages(ctx: Context, deps: JobDeps): RepeatingJob {
  const { databases, registry, alertsEveryMs = ALERTS_EVERY_MS } = deps;
  const { postgres } = databases;
  const messengers = createMessengers(ctx);
  const { awaited } = messengers;
  messageMetrics(registry, messengers);
  const jobs = [
    // Further tries, and what other processes queued and did not send.
    repeat(alertsEveryMs, 'send mails that somebody waits for', ctx.log, () => awaited.tick(), [postgres]),
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

/** Starts the jobs of which one process runs all. */
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
  const job = (everyMs: number, name: string, work: Work): RepeatingJob =>
    repeat(everyMs, name, log, leadership.onlyHere(work), [postgres]);
  /** A job that also reads events. */
  const eventJob = (everyMs: number, name: string, work: Work): RepeatingJob =>
    repeat(everyMs, name, log, leadership.onlyHere(work), [postgres, clickhouseReady]);
  const adoptEveryMs = ADOPT_EVERY * alertsEveryMs;
  const { led, reports } = messengers;
  onMessageQueued((lane) => {
    if (!led.lanes.has(lane) || !leadership.isLeader()) return;
    led.tick().catch((err: unknown) => log.error({ err }, 'the messages that wait were not read'));
  });
  const checkHost = createHostChecker();
  const jobs = [
    job(alertsEveryMs, 'write alerts', () => planAlerts(ctx)),
    job(alertsEveryMs, 'queue mails of alerts', () => queueAlertMails(ctx)),
    job(alertsEveryMs, 'plan scheduled reports', () => planReports(ctx)),
    job(adoptEveryMs, 'queue alerts that an earlier release left waiting', () => adoptDeliveries(ctx)),
    job(adoptEveryMs, 'queue reports that an earlier release left waiting', () => adoptReports(ctx)),
    job(alertsEveryMs, 'send alerts and invoices', () => led.tick()),
    eventJob(alertsEveryMs, 'send scheduled reports', () => reports.tick()),
    eventJob(2000, 'post spend to the ledger', postSpend),
    eventJob(3_600_000, 'book spend that was lost', () => delivery.reconcileBookedSpend()),
    eventJob(600_000, 'correct spend that was booked too often', () => delivery.correctBookedSpend()),
    job(3_600_000, 'delete expired event claims', () =>
      deleteExpiredClaims(db, now().getTime() - CLAIM_LIFE_MS),
    ),
    job(600_000, 'delete old change announcements', () => deleteOldChanges(db)),
    job(3_600_000, 'delete old counts of exchanges', () =>
      deleteExchangeMinutes(db, new Date(now().getTime() - EXCHANGE_MINUTES_LIFE_MS)),
    ),
    job(3_600_000, 'delete old pages of publishers', () =>
      deletePublisherPages(db, new Date(now().getTime() - PUBLISHER_PAGES_LIFE_MS)),
    ),
    job(WAITING_EVERY_MS, 'count what waits to leave', async () => backlog.set(await readBacklog(db, now()))),
    job(WAITING_EVERY_MS, 'count what waits for operators', async () => waiting.set(await readWaiting(ctx))),
    job(SAFETY_EVERY_MS, 'read what operators are warned of', async () => safety.set(await readSafety(ctx))),
    job(600_000, 'mail what operators are warned of', () => mailOperatorAlerts(ctx)),
    job(60_000, 'delete messages whose time is over', () => deleteExpiredMessages(db, now())),
    eventJob(3_600_000, 'check the ledger once a day', dailyLedgerCheck(ctx)),
    job(3_600_000, 'issue invoices', () => issueDueInvoices(ctx)),
    job(START_EVERY_MS, 'start approved campaigns', () => startApprovedCampaigns(ctx)),
    job(START_EVERY_MS, 'give numbers of SKAdNetwork to ad sets', () => allocateNumbers(ctx)),
    job(3_600_000, 'delete old counts of SKAdNetwork', () =>
      deleteOutcomesBefore(db, daysBefore(now(), SKADNETWORK_COUNT_DAYS).toISOString().slice(0, 10)),
    ),
    job(60_000, 'fetch advertiser domains', () => fetchDomains(ctx)),
    eventJob(ERASE_EVERY_MS, 'erase devices', () => carryOutErasures(ctx, delivery)),
    eventJob(60_000, 'detect anomalies', () => checkLastHour(ctx)),
    eventJob(60_000, 'check rules of alerts', () => checkAlertRules(ctx)),
    eventJob(600_000, 'look for silent postbacks', () => checkPostbacks(ctx)),
    job(600_000, 'check hosts of tracking links', (stopping) => checkTrackingHosts(ctx, checkHost, stopping)),
    job(3_600_000, 'look for DNS records of mail domains', (stopping) => checkDomainRecords(ctx, stopping)),
    eventJob(600_000, 'compare spend with budgets', () => checkSpendPlans(ctx)),
    eventJob(600_000, 'compare forecasts with what came', () => compareForecasts(ctx)),
    job(3_600_000, 'delete old forecasts', () => deleteOldForecasts(ctx)),
    job(3_600_000, 'delete expired sessions', () => deleteExpiredSessions(db, now())),
    job(3_600_000, 'delete expired viewer sessions', () => deleteExpiredViewerSessions(db, now())),
    job(3_600_000, 'delete expired idempotency keys', () =>
      deleteExpiredKeys(db, new Date(now().getTime() - KEY_LIFE_MS)),
    ),
    ...retentionJobs.map(({ name, work }) => job(RETENTION_EVERY_MS, name, () => work(ctx))),
  ];
  return {
    async stop() {
      await Promise.all([led.stop(), reports.stop(), ...jobs.map((one) => one.stop())]);
      await leadership.stop();
    },
  };
}
