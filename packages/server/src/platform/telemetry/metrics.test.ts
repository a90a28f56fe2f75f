import { Registry } from 'prom-client';
import { expect, test } from 'vitest';
import { Tally, registerHistogram } from './metrics.ts';

test('the metrics contain every increment once, however often they are read', async () => {
  const registry = new Registry();
  const tally = new Tally(registry, 'answers_total', 'Answers', ['route', 'outcome']);
  tally.inc('/', 'ok');
  tally.inc('/', 'ok');
  tally.inc('/', 'failed');
  await registry.metrics();
  tally.inc('/', 'ok');
  const text = await registry.metrics();
  expect(text).toContain('answers_total{route="/",outcome="ok"} 3');
  expect(text).toContain('answers_total{route="/",outcome="failed"} 1');
});

test('a bucket of the metrics has all values up to its bound', async () => {
  const registry = new Registry();
  const settings = { name: 'wait_seconds', help: 'Wait', label: 'queue', bounds: [0.5, 1] };
  registerHistogram(registry, settings, () => [['mail', { counts: [2, 1, 1], sum: 5.5 }]]);
  expect(await registry.metrics()).toBe(
    [
      '# HELP wait_seconds Wait',
      '# TYPE wait_seconds histogram',
      'wait_seconds_bucket{le="0.5",queue="mail"} 2',
      'wait_seconds_bucket{le="1",queue="mail"} 3',
      'wait_seconds_bucket{le="+Inf",queue="mail"} 4',
      'wait_seconds_sum{queue="mail"} 5.5',
      'wait_seconds_count{queue="mail"} 4',
      '',
    ].join('\n'),
  );
});
