import type { Metric, Registry } from 'prom-client';
import { Histogram } from 'prom-client';

/**
 * A histogram without labels for paths that run for every request: it counts in an array, which is read when the metrics
 * are. That of prom-client resolves labels for each value.
 */
export class BucketHistogram {
  readonly #bounds: readonly number[];
  /** Values in each bucket alone, and in a last one beyond the bounds. */
  readonly #counts: number[];
  #sum = 0;

  /** `bounds` are the upper bounds of the buckets, ascending. */
  constructor(registry: Registry, name: string, help: string, bounds: readonly number[]) {
    this.#bounds = bounds;
    this.#counts = [...bounds, Infinity].map(() => 0);
    const metric = new Histogram({ name, help, buckets: [...bounds], registers: [] });
    const read = async () => ({
      name,
      help,
      type: 'histogram',
      aggregator: 'sum',
      values: this.#values(name),
    });
    // The registry reads the text of a scrape through the second one.
    registry.registerMetric(Object.assign(metric, { get: read, getForPromString: read }) as Metric);
  }

  observe(value: number): void {
    let bucket = 0;
    while (bucket < this.#bounds.length && value > this.#bounds[bucket]!) bucket += 1;
    this.#counts[bucket]! += 1;
    this.#sum += value;
  }

  /** The values of a scrape: each bucket includes those below it. */
  #values(name: string) {
    let count = 0;
    const buckets = this.#counts.map((inBucket, index) => {
      count += inBucket;
      return { metricName: `${name}_bucket`, labels: { le: this.#bounds[index] ?? '+Inf' }, value: count };
    });
    return [
      ...buckets,
      { metricName: `${name}_sum`, labels: {}, value: this.#sum },
      { metricName: `${name}_count`, labels: {}, value: count },
    ];
  }
}
