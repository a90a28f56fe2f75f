import { Registry, collectDefaultMetrics } from 'prom-client';

/** Creates the registry of metrics for GET /metrics; one for each server, since tests start several in a process. */
export function createRegistry(): Registry {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  return registry;
}
