import type { Registry } from 'prom-client';
import { registerGauge } from '../../platform/telemetry/metrics.ts';
import type { Ingest } from './ingest.ts';

/** Registers the metrics of the event log for /metrics. */
export function registerIngestMetrics(registry: Registry, ingest: Pick<Ingest, 'state' | 'fault'>): void {
  const gauge = (name: string, help: string, value: () => number): void =>
    registerGauge(registry, name, help, value);
  gauge(
    'bidwell_event_log_waiting_bytes',
    'Bytes of the event log that wait to be stored',
    () => ingest.state().waitingBytes,
  );
  gauge(
    'bidwell_event_log_damaged_segments',
    'Segments put into quarantine since the start',
    () => ingest.state().damagedSegments,
  );
  gauge('bidwell_event_log_fault', '1 while the log or its disk cannot accept notices of new bids', () =>
    ingest.fault() === null ? 0 : 1,
  );
}
