import { Counter, Gauge, Registry, collectDefaultMetrics } from 'prom-client';

/** Creates the registry of metrics for GET /metrics; one for each server, since tests start several in a process. */
export function createRegistry(): Registry {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  return registry;
}

/** Registers a gauge without labels, whose value is read when it is scraped. */
export function registerGauge(registry: Registry, name: string, help: string, value: () => number): void {
  const gauge = new Gauge({
    name,
    help,
    registers: [],
    collect() {
      this.set(value());
    },
  });
  registry.registerMetric(gauge);
}

/** Registers a counter without labels, whose value since the start is read when it is scraped. */
export function registerCounter(registry: Registry, name: string, help: string, value: () => number): void {
  const counter = new Counter({
    name,
    help,
    registers: [],
    collect() {
      this.reset();
      this.inc(value());
    },
  });
  registry.registerMetric(counter);
}
