import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import { registerCounter, registerGauge } from '../../platform/telemetry/metrics.ts';
import type { RunningState } from './counter.ts';

/** The state that the counting metrics report. */
export interface CountingState {
  /** Null without the role `counter`, or where the tracker counts its own log. */
  counter: { state(): RunningState | null } | null;
  pairs: () => number;
  publishFailures: () => number;
  onRound: (listener: (round: { seconds: number; events: number }) => void) => void;
}

/** Registers the metrics of counting for /metrics. */
export function registerCounterMetrics(registry: Registry, counting: CountingState): void {
  const gauge = (name: string, help: string, value: () => number): void =>
    registerGauge(registry, name, help, value);
  const state = (): RunningState | null => counting.counter?.state() ?? null;
  gauge('bidwell_deduplication_pairs', 'Pairs of bid and event kind in memory', counting.pairs);
  registerCounter(
    registry,
    'bidwell_event_stream_publish_failures_total',
    'Failed tries to publish to the event stream since the start',
    counting.publishFailures,
  );
  if (!counting.counter) return;
  gauge(
    'bidwell_event_stream_bytes',
    'Bytes in the event stream, of all partitions',
    () => state()?.streamBytes ?? 0,
  );
  gauge(
    'bidwell_event_partitions_owned',
    'Partitions of the event stream that this process counts',
    () => state()?.owned.length ?? 0,
  );
  gauge(
    'bidwell_event_partitions_unowned',
    'Partitions of the event stream that no process counts; NaN while that is not known',
    () => state()?.unowned ?? NaN,
  );
  registry.registerMetric(
    new Gauge({
      name: 'bidwell_event_partition_lag_seconds',
      help: 'Age of the oldest event that this process has not stored, by partition',
      labelNames: ['partition'],
      registers: [],
      collect() {
        this.reset();
        for (const { partition, lagMs } of state()?.owned ?? []) this.set({ partition }, lagMs / 1000);
      },
    }),
  );
  const seconds = new Histogram({
    name: 'bidwell_counting_round_seconds',
    help: 'Duration of a round: look-ups, transaction and insert',
    buckets: [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [registry],
  });
  const events = new Counter({
    name: 'bidwell_counted_events_total',
    help: 'Events that this process has counted',
    registers: [registry],
  });
  counting.onRound((round) => {
    seconds.observe(round.seconds);
    events.inc(round.events);
  });
}
