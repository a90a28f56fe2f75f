import { expect, test } from 'vitest';
import { type AppModel, lifeAfterInstall } from './in-app-behaviour.ts';
import { seededRandom } from './random.ts';

const DAY_MS = 86_400_000;
const PEOPLE = 5000;

/** Figures of people from many publishers. */
function figuresOf(model: AppModel) {
  const random = seededRandom(5);
  const lives = Array.from({ length: PEOPLE }, (_, index) =>
    lifeAfterInstall(model, { bundle: `app-${index % 60}`, country: ['US', 'DE', 'GB'][index % 3]! }, random),
  );
  const revenue = (days: number) =>
    lives
      .flat()
      .reduce((sum, { afterMs, dollars = 0 }) => (afterMs < days * DAY_MS ? sum + dollars : sum), 0) / PEOPLE;
  const active = (day: number) =>
    lives.filter((life) => life.some(({ afterMs }) => Math.floor(afterMs / DAY_MS) === day)).length / PEOPLE;
  return { firstDay: active(1), week: active(7), revenue: revenue(31), firstRevenue: revenue(1), lives };
}

test.each(['game', 'shop', 'subscription', 'rides'] as const)('people use a %s as in real apps', (model) => {
  const { firstDay, week, revenue, firstRevenue, lives } = figuresOf(model);
  expect(firstDay).toBeGreaterThan(model === 'rides' ? 0.05 : 0.2);
  expect(firstDay).toBeLessThan(0.4);
  expect(week).toBeLessThan(firstDay * 0.6);
  // Dollars of an install, which costs two to six.
  expect(revenue).toBeGreaterThan(1);
  expect(revenue).toBeLessThan(4);
  expect(firstRevenue).toBeLessThan(revenue * 0.7);
  for (const life of lives.slice(0, 200))
    expect(life.map(({ afterMs }) => afterMs)).toEqual(
      life.map(({ afterMs }) => afterMs).toSorted((a, b) => a - b),
    );
});
