import { Counter, Gauge, Registry, collectDefaultMetrics, Histogram, type Metric } from 'prom-client';

/**
 * A counter with two labels for paths that run for every request: it adds plain numbers and passes them to prom-client
 * when the metrics are read, because resolving labels takes longer than the rest of a small request.
 */
export class Tally {
  /** Increments that prom-client does not have yet, by the first and the second label's value. */
  readonly #added = new Map<string, Map<string, number>>();

  constructor(registry: Registry, name: string, help: string, labelNames: readonly [string, string]) {
    const added = this.#added;
    const [first, second] = labelNames;
    registry.registerMetric(
      new Counter({
        name,
        help,
        labelNames: [...labelNames],
        registers: [],
        collect() {
          for (const [one, byOther] of added)
            for (const [other, count] of byOther) this.inc({ [first]: one, [second]: other }, count);
          added.clear();
        },
      }),
    );
  }

  /** Adds one. The values must come from bounded sets: each pair is a time series. */
  inc(one: string, other: string): void {
    let byOther = this.#added.get(one);
    if (!byOther) this.#added.set(one, (byOther = new Map<string, number>()));
    byOther.set(other, (byOther.get(other) ?? 0) + 1);
  }
}

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

interface HistogramSettings {
  name: string;
  help: string;
  label: string;
  /** Upper bounds of the buckets, ascending. */
  bounds: readonly number[];
}

/** Counted values of a label: in each bucket alone, and in a last one beyond the bounds. */
interface CountedValues {
  counts: readonly number[];
  sum: number;
}

/**
 * Registers a histogram with one label whose counts are read when it is scraped, for paths that run for every request:
 * prom-client's histogram resolves labels for each value.
 */
export function registerHistogram(
  registry: Registry,
  { name, help, label, bounds }: HistogramSettings,
  counted: () => Iterable<readonly [value: string, counted: CountedValues]>,
): void {
  const metric = new Histogram({ name, help, labelNames: [label], buckets: [...bounds], registers: [] });
  const read = async () => ({
    name,
    help,
    type: 'histogram',
    aggregator: 'sum',
    values: [...counted()].flatMap(([value, values]) => samples(name, { [label]: value }, bounds, values)),
  });
  // The registry reads the text of a scrape through the second one.
  registry.registerMetric(Object.assign(metric, { get: read, getForPromString: read }) as Metric);
}

/** The values of a scrape: each bucket includes those below it. */
function samples(
  name: string,
  labels: Record<string, string>,
  bounds: readonly number[],
  { counts, sum }: CountedValues,
) {
  let count = 0;
  const buckets = counts.map((inBucket, index) => {
    count += inBucket;
    return { metricName: `${name}_bucket`, labels: { le: bounds[index] ?? '+Inf', ...labels }, value: count };
  });
  return [
    ...buckets,
    { metricName: `${name}_sum`, labels, value: sum },
    { metricName: `${name}_count`, labels, value: count },
  ];
}
