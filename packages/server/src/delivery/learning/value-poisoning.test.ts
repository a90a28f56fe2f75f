import { describe, expect, test } from 'vitest';
import { type Conversion, type InstallGroup, LearnedGoal, valueAt } from './value-model.ts';

const DAY_MS = 86_400_000;
const ADSET = 'a';
const DOLLAR = 1_000_000;
const FORGED = 1_000_000_000 * DOLLAR;
const PUBLISHERS = Array.from({ length: 10 }, (_unused, index) => `com.publisher${index}`);
/** The one that forges. */
const FORGER = PUBLISHERS[0]!;

interface Reported {
  installs: InstallGroup[];
  conversions: Conversion[];
}

let people = 0;

/** Events of one person in a publisher's app, an hour after an install of ten days ago. */
function eventsOf(bundle: string, count: number, value: number): Conversion[] {
  people += 1;
  const of = { adsetId: ADSET, bundle, country: 'DE', person: String(people), ageMs: 10 * DAY_MS };
  return Array.from({ length: count }, (_unused, index) => ({ ...of, delayMs: 3_600_000 + index, value }));
}

/** Five hundred installs of each publisher, of which one in twenty pays five dollars. */
function honest(): Reported {
  return {
    installs: PUBLISHERS.map((bundle) => ({
      adsetId: ADSET,
      bundle,
      country: 'DE',
      installs: 500,
      ageMs: 10 * DAY_MS,
    })),
    conversions: PUBLISHERS.flatMap((bundle) =>
      Array.from({ length: 25 }, () => eventsOf(bundle, 1, 5 * DOLLAR)).flat(),
    ),
  };
}

/** The learned value of an install in a publisher's app, divided by its value without the forged events. */
function changes(isRevenue: boolean, forged: Conversion[]) {
  const assumed = isRevenue ? DOLLAR / 4 : 0.05;
  const { installs, conversions } = honest();
  const valuesWith = (more: Conversion[]) =>
    new LearnedGoal(
      { windowMs: 8 * DAY_MS, isRevenue, installs, conversions: [...conversions, ...more] },
      assumed,
    ).valuesOf(ADSET, assumed);
  const [before, after] = [valuesWith([]), valuesWith(forged)];
  const changeOf = (bundle: string) => valueAt(after, bundle, 'DE') / valueAt(before, bundle, 'DE');
  return { own: changeOf(FORGER), other: changeOf(PUBLISHERS[5]!), fresh: changeOf('com.new') };
}

describe.each([
  ['Target CPA', false],
  ['Target ROAS', true],
] as const)('%s', (_algorithm, isRevenue) => {
  test('a thousand events by three people with a revenue of a billion change the bids of no publisher by half', () => {
    const { own, other, fresh } = changes(
      isRevenue,
      [1, 2, 3].flatMap(() => eventsOf(FORGER, 333, FORGED)),
    );
    for (const change of [own, other, fresh]) {
      expect(change).toBeGreaterThan(1 / 1.5);
      expect(change).toBeLessThan(1.5);
    }
  });

  test('a publisher whose people are all reported to pay raises its own bids about tenfold at most, and no others by a factor of two', () => {
    const { own, other, fresh } = changes(
      isRevenue,
      Array.from({ length: 500 }, () => eventsOf(FORGER, 1, FORGED)).flat(),
    );
    expect(own).toBeLessThan(12);
    for (const change of [other, fresh]) {
      expect(change).toBeGreaterThan(1 / 2);
      expect(change).toBeLessThan(2);
    }
  });
});

test('the first paying people, with any amount, raise the value of an install to at most twice the assumed value', () => {
  const installs = [{ adsetId: ADSET, bundle: FORGER, country: 'DE', installs: 100, ageMs: 10 * DAY_MS }];
  const conversions = [1, 2].flatMap(() => eventsOf(FORGER, 1, FORGED));
  const goal = new LearnedGoal({ windowMs: 8 * DAY_MS, isRevenue: true, installs, conversions }, DOLLAR);
  expect(valueAt(goal.valuesOf(ADSET, DOLLAR), FORGER, 'DE')).toBeLessThan(2 * DOLLAR);
});
