import { expect, test } from 'vitest';
import { signablePercent, unsignedReasons } from './outcome-text.ts';

const exchange = { slug: 'a', name: 'A', enabled: true };

test('an exchange without counted requests has no share, not 0%', () => {
  expect(signablePercent({ ...exchange, requests: 0, outcomes: [] })).toBeNull();
});

test('the share of signed requests and the reasons of the others, the most frequent first', () => {
  const counted = {
    ...exchange,
    requests: 200,
    outcomes: [
      { outcome: 'too_old' as const, requests: 20 },
      { outcome: 'signable' as const, requests: 80 },
      { outcome: 'not_listed' as const, requests: 100 },
    ],
  };
  expect(signablePercent(counted)).toBe(40);
  expect(unsignedReasons(counted)).toMatch(/^50.*do not list the network, 10.*no version/);
});
