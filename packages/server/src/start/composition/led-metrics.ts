import { Gauge, type Registry } from 'prom-client';
import type { LaneBacklog } from '../../modules/messaging/public.ts';
import type { Safety, Waiting } from '../../modules/operations/public.ts';
import type { Leadership } from '../../platform/jobs/leadership.ts';
import { registerGauge } from '../../platform/telemetry/metrics.ts';

type Leader = Pick<Leadership, 'isLeader'>;

/** Registers gauges of values that a job reads; NaN in processes that do not run the jobs, and before the first reading. */
function ledGauges<T>(
  registry: Registry,
  leader: Leader,
  gauges: readonly (readonly [name: string, help: string, valueOf: (read: T) => number | null])[],
): { set(read: T): void } {
  let last: T | undefined;
  for (const [name, help, valueOf] of gauges)
    registerGauge(registry, name, help, () =>
      last !== undefined && leader.isLeader() ? (valueOf(last) ?? NaN) : NaN,
    );
  return { set: (read) => void (last = read) };
}

/** Registers the metrics of the items that wait for operators. */
export function waitingMetrics(registry: Registry, leader: Leader): { set(waiting: Waiting): void } {
  return ledGauges<Waiting>(registry, leader, [
    ['bidwell_reviews_waiting', 'Versions of ads that wait for review', ({ reviews }) => reviews],
    ['bidwell_top_ups_waiting', 'Top-ups that wait for a decision', ({ topUps }) => topUps],
    [
      'bidwell_companies_below_zero',
      'Companies whose balance is below zero',
      ({ companiesBelowZero }) => companiesBelowZero,
    ],
  ]);
}

/** Registers the metrics of warnings to operators. */
export function safetyMetrics(registry: Registry, leader: Leader): { set(safety: Safety): void } {
  return ledGauges<Safety>(registry, leader, [
    [
      'bidwell_backup_age_seconds',
      'Time since the last backup by the command line, or since the installation without one',
      ({ backupAgeSeconds }) => backupAgeSeconds,
    ],
    [
      'bidwell_ledger_disagreements',
      'Disagreements that the last check of the ledger found; NaN before the first',
      ({ ledgerDisagreements }) => ledgerDisagreements,
    ],
    [
      'bidwell_clickhouse_disk_free_ratio',
      'Free part of the fullest disk of the ClickHouse servers; NaN where ClickHouse is in this process',
      ({ clickhouseFreeRatio }) => clickhouseFreeRatio,
    ],
  ]);
}

/** Registers the metrics of messages that wait to leave, by lane; none in processes that do not run the jobs. */
export function backlogMetrics(
  registry: Registry,
  leader: Leader,
): { set(backlog: readonly LaneBacklog[]): void } {
  let last: readonly LaneBacklog[] = [];
  const gauges = [
    ['waiting', 'Messages that wait or are being sent', ({ waiting }: LaneBacklog) => waiting],
    [
      'overdue_seconds',
      'Age of the oldest message that may be sent by now',
      ({ overdueSeconds }: LaneBacklog) => overdueSeconds,
    ],
  ] as const;
  for (const [name, help, valueOf] of gauges)
    registry.registerMetric(
      new Gauge({
        name: `bidwell_messages_${name}`,
        help,
        labelNames: ['lane'],
        registers: [],
        collect() {
          this.reset();
          if (leader.isLeader()) for (const each of last) this.set({ lane: each.lane }, valueOf(each));
        },
      }),
    );
  return { set: (backlog) => void (last = backlog) };
}
