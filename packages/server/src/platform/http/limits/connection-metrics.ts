import type { Server } from 'node:http';
import type { Registry } from 'prom-client';
import { registerCounter } from '../../telemetry/metrics.ts';

/** Registers the counter of connections that a server refused because it had too many. */
export function registerConnectionMetrics(registry: Registry, server: Server): void {
  let refused = 0;
  server.on('drop', () => (refused += 1));
  registerCounter(
    registry,
    'bidwell_connections_refused_total',
    'Connections that were closed at once because there were too many',
    () => refused,
  );
}
