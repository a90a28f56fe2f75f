import type { Registry } from 'prom-client';
import { registerCounter, registerGauge } from '../telemetry/metrics.ts';
import type { Mailer } from './mailer.ts';

/** Registers the metrics of the queue of mails. */
export function registerMailMetrics(registry: Registry, mailer: Mailer): void {
  registerCounter(
    registry,
    'bidwell_mails_sent_total',
    'Mails that the mail server accepted',
    () => mailer.counts().sent,
  );
  registerCounter(
    registry,
    'bidwell_mails_failed_total',
    'Mails that were given up, or dropped because the queue was full',
    () => mailer.counts().failed + mailer.counts().dropped,
  );
  registerGauge(
    registry,
    'bidwell_mails_waiting',
    'Mails that wait or are being sent',
    () => mailer.counts().waiting,
  );
}
