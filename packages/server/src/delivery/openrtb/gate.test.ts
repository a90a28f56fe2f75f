import { expect, test } from 'vitest';
import type { Ssp } from '../snapshot/exchange-store.ts';
import { RateGate } from './admission.ts';

const exchange = (requestsPerSecond: number) => ({ slug: 'adx', requestsPerSecond }) as Ssp;

test.each([1, 3, 8])("an exchange's limit applies to %i bidders together", (bidders) => {
  const gates = Array.from({ length: bidders }, () => new RateGate(() => bidders));
  let admitted = 0;
  for (let ms = 0; ms < 10_000; ms += 1) {
    for (let request = 0; request < 4; request += 1)
      if (gates[(ms + request) % bidders]!.admits(exchange(100), ms)) admitted += 1;
  }
  // Ten seconds, plus the second with which the buckets start.
  expect(admitted).toBeGreaterThan(980);
  expect(admitted).toBeLessThanOrEqual(1100);
});

test('a limit below the number of bidders still admits some requests', () => {
  const gate = new RateGate(() => 10);
  const admitted = Array.from({ length: 60 }, (_, second) => gate.admits(exchange(2), second * 1000));
  expect(admitted.filter(Boolean).length).toBeGreaterThanOrEqual(11);
  expect(admitted.filter(Boolean).length).toBeLessThanOrEqual(13);
});
