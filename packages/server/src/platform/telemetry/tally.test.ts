import { Registry } from 'prom-client';
import { expect, test } from 'vitest';
import { Tally } from './metrics.ts';

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
