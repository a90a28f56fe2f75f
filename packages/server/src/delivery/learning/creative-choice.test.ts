import { expect, test } from 'vitest';
import { CreativeChoice } from './creative-choice.ts';

const creatives = [{ uuid: 'good' }, { uuid: 'poor' }, { uuid: 'worst' }];
const clickRates: Record<string, number> = { good: 0.05, poor: 0.02, worst: 0.01 };

/** Deterministic pseudo-random numbers between 0 and 1. */
function numbers(): () => number {
  let state = 7;
  return () => (state = (state * 48_271) % 0x7fff_ffff) / 0x7fff_ffff;
}

/** Shows creatives `times` times with clicks at their `clickRates`. Returns the impressions of each. */
function show(choice: CreativeChoice, times: number, random: () => number): Record<string, number> {
  const shown: Record<string, number> = { good: 0, poor: 0, worst: 0 };
  for (let time = 0; time < times; time += 1) {
    const { uuid } = choice.choose('adset', creatives, random);
    shown[uuid]! += 1;
    choice.add('adset', uuid, { impressions: 1, clicks: random() < clickRates[uuid]! ? 1 : 0 });
  }
  return shown;
}

test('at first all creatives are tried, later the one with the most clicks is shown most', () => {
  const random = numbers();
  const choice = new CreativeChoice();
  const first = show(choice, 300, random);
  expect(Math.min(...Object.values(first))).toBeGreaterThan(20);
  show(choice, 20_000, random);
  const later = show(choice, 2000, random);
  expect(later['good']!).toBeGreaterThan(1400);
});

test('installs count more than clicks', () => {
  const random = numbers();
  const choice = new CreativeChoice();
  for (const [uuid, clicks, installs] of [
    ['good', 100, 30],
    ['poor', 200, 4],
  ] as const) {
    choice.add('adset', uuid, { impressions: 5000, clicks, installs });
  }
  const chosen = Array.from(
    { length: 200 },
    () => choice.choose('adset', creatives.slice(0, 2), random).uuid,
  );
  expect(chosen.filter((uuid) => uuid === 'good').length).toBeGreaterThan(190);
});

test('an ad set does not learn from the creatives of another', () => {
  const random = numbers();
  const choice = new CreativeChoice();
  choice.add('another', 'good', { impressions: 10_000 });
  const chosen = Array.from({ length: 300 }, () => choice.choose('adset', creatives, random).uuid);
  expect(chosen.filter((uuid) => uuid === 'good').length).toBeGreaterThan(50);
});
