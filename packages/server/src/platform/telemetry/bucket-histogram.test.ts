import { Registry } from 'prom-client';
import { expect, test } from 'vitest';
import { BucketHistogram } from './bucket-histogram.ts';

test('a bucket of the metrics has all values up to its bound', async () => {
  const registry = new Registry();
  const histogram = new BucketHistogram(registry, 'wait_seconds', 'Wait', [0.5, 1]);
  for (const seconds of [0.25, 0.5, 0.75, 4]) histogram.observe(seconds);
  expect(await registry.metrics()).toBe(
    [
      '# HELP wait_seconds Wait',
      '# TYPE wait_seconds histogram',
      'wait_seconds_bucket{le="0.5"} 2',
      'wait_seconds_bucket{le="1"} 3',
      'wait_seconds_bucket{le="+Inf"} 4',
      'wait_seconds_sum 5.5',
      'wait_seconds_count 4',
      '',
    ].join('\n'),
  );
});
