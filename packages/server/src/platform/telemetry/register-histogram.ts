import { Histogram, type Metric, type Registry } from 'prom-client';

interface HistogramSettings {
  name: string;
  help: string;
  label: string;
  /** Upper bounds of the buckets, ascending. */
  bounds: readonly number[];
}

/** Counted values of a label: in each bucket alone, and in a last one beyond the bounds. */
export interface CountedValues {
  counts: readonly number[];
  sum: number;
}

/**
 * Registers a histogram with one label whose counts are read when it is scraped, for paths that run for every request:
 * that of prom-client resolves labels for each value.
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
