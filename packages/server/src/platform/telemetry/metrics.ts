import { Registry, collectDefaultMetrics } from 'prom-client';

/** The process's figures for GET /metrics; a server of its own in each test needs a registry of its own. */
export function createRegistry(): Registry {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  return registry;
}
