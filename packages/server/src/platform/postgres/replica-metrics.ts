import { Counter, type Registry } from 'prom-client';
import { registerGauge } from '../telemetry/metrics.ts';
import type { Replica } from './replica.ts';

/** Registers the lag of the read replica, whether it responds, and where lists were read. */
export function registerReplicaMetrics(registry: Registry, replica: Replica): void {
  registerGauge(registry, 'bidwell_replica_up', 'Whether the read replica answers: 1 if so', () =>
    replica.state().isUp ? 1 : 0,
  );
  registerGauge(
    registry,
    'bidwell_replica_lag_seconds',
    'How far the read replica is behind; NaN while it does not answer',
    () => replica.state().lagSeconds ?? NaN,
  );
  const reads = new Counter({
    name: 'bidwell_replica_reads_total',
    help: 'Lists by what the read replica did: replica (answered), or left to the primary because it was late, failed or down',
    labelNames: ['answer'],
    registers: [registry],
    collect() {
      reads.reset();
      for (const [outcome, count] of replica.state().outcomes) reads.inc({ answer: outcome }, count);
    },
  });
}
