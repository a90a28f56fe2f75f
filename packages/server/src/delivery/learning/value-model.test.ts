import { array, assert, double, integer, property, record, constantFrom } from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Conversion, type GoalRecord, type InstallGroup, LearnedGoal, valueAt } from './value-model.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const WINDOW_MS = 8 * DAY_MS;
const PRIOR = 0.05;
const ADSET = 'a';

const placed = { adsetId: ADSET, bundle: 'com.one', country: 'DE' };
let person = 0;

/** Installs of one age, of which each `every`th converts after a delay. */
function installed(
  installs: number,
  ageDays: number,
  converted: number,
  over: Partial<Conversion> & { delayDays?: number } = {},
): { installs: InstallGroup[]; conversions: Conversion[] } {
  const { delayDays = 1, ...rest } = over;
  const of = { ...placed, ...rest, ageMs: ageDays * DAY_MS };
  return {
    installs: [{ ...of, installs }],
    conversions: Array.from({ length: converted }, () => ({
      value: 1,
      ...of,
      person: String((person += 1)),
      delayMs: delayDays * DAY_MS,
    })),
  };
}

function learned(
  parts: readonly Pick<GoalRecord, 'installs' | 'conversions'>[],
  over: Partial<GoalRecord> = {},
): LearnedGoal {
  const isRevenue = over.isRevenue ?? false;
  return new LearnedGoal(
    {
      windowMs: WINDOW_MS,
      isRevenue,
      installs: parts.flatMap(({ installs }) => installs),
      conversions: parts.flatMap(({ conversions }) => conversions),
    },
    isRevenue ? 1e6 : PRIOR,
  );
}

const valueOf = (goal: LearnedGoal, bundle = 'com.one', prior = PRIOR): number =>
  valueAt(goal.valuesOf(ADSET, prior), bundle, 'DE');

test('without installs the prior is the value', () => {
  expect(valueOf(learned([]))).toBeCloseTo(PRIOR, 10);
  expect(valueOf(learned([], { isRevenue: true }), 'com.one', 2_000_000)).toBeCloseTo(2_000_000, 3);
});

test('many installs of full age outweigh the prior', () => {
  expect(valueOf(learned([installed(20_000, 9, 400)]))).toBeCloseTo(0.02, 3);
});

test('installs younger than the window are no failures', () => {
  const young = valueOf(learned([installed(300, 0.05, 0)]));
  const old = valueOf(learned([installed(300, 9, 0)]));
  expect(young).toBeGreaterThan(0.6 * PRIOR);
  expect(old).toBeLessThan(0.2 * PRIOR);
});

test('the share that has come by an age is learned from older installs', () => {
  // All convert on the seventh day, so that the youngest say nothing.
  const late = learned([
    installed(4000, 10, 200, { delayDays: 6.5 }),
    installed(4000, 3, 0, { delayDays: 6.5 }),
  ]);
  expect(late.curve[6]).toBeLessThan(0.1);
  expect(valueOf(late)).toBeGreaterThan(0.04);
});

test('an event counts once for each person, and only within the window', () => {
  const { installs, conversions } = installed(1000, 12, 30);
  const again = conversions.map((one) => ({ ...one, delayMs: one.delayMs + DAY_MS }));
  const late = installed(0, 12, 50, { delayDays: 8.5 }).conversions;
  const goal = learned([{ installs, conversions: [...conversions, ...again, ...late] }]);
  expect(goal.people).toBe(30);
  expect(valueOf(goal)).toBeCloseTo(valueOf(learned([{ installs, conversions }])), 10);
});

test('the publishers whose people convert are worth more', () => {
  const goal = learned([
    installed(1000, 10, 80),
    installed(1000, 10, 5, { bundle: 'com.two' }),
    installed(1000, 10, 40, { bundle: 'com.three' }),
  ]);
  expect(valueOf(goal) / valueOf(goal, 'com.two')).toBeGreaterThan(4);
  expect(valueOf(goal, 'com.three')).toBeGreaterThan(valueOf(goal, 'com.two'));
});

test('one person with enormous revenue moves the value of a publisher little', () => {
  const payers = (value: number, bundle: string) => installed(1000, 10, 50, { value, bundle });
  const whale = installed(0, 10, 1, { value: 100_000_000_000, bundle: 'com.one' });
  const parts = [payers(5_000_000, 'com.one'), payers(5_000_000, 'com.two')];
  const relative = (goal: LearnedGoal) => valueOf(goal, 'com.one', 1e6) / valueOf(goal, 'com.two', 1e6);
  const without = learned(parts, { isRevenue: true });
  const goal = learned([...parts, whale], { isRevenue: true });
  expect(relative(without)).toBeCloseTo(1, 5);
  expect(relative(goal)).toBeLessThan(5);
});

describe('for any report', () => {
  const placement = {
    adsetId: constantFrom('a', 'b'),
    bundle: constantFrom('com.one', 'com.two', ''),
    country: constantFrom('DE', 'US', ''),
    ageMs: double({ min: 0, max: 40 * DAY_MS, noNaN: true }),
  };
  const any = record({
    windowMs: constantFrom(DAY_MS, WINDOW_MS),
    isRevenue: constantFrom(true, false),
    installs: array(record({ ...placement, installs: integer({ min: 0, max: 1_000_000 }) }), {
      maxLength: 20,
    }),
    conversions: array(
      record({
        ...placement,
        person: constantFrom('1', '2', '3', '4'),
        delayMs: double({ min: -DAY_MS, max: 40 * DAY_MS, noNaN: true }),
        value: integer({ min: -1e13, max: 1e13 }),
      }),
      { maxLength: 30 },
    ),
  });

  test('values are finite, not negative, and within the bounds of the lifts', () => {
    assert(
      property(any, double({ min: 1e-6, max: 1e9, noNaN: true }), (one, prior) => {
        const values = new LearnedGoal(one, prior).valuesOf('a', prior);
        const value = valueAt(values, 'com.one', 'DE');
        expect(Number.isFinite(value)).toBe(true);
        expect(value).toBeGreaterThanOrEqual(0);
        expect(value).toBeLessThanOrEqual(values.base * 20 * 20);
      }),
    );
  });

  test('the share of the value grows with age up to all of it', () => {
    assert(
      property(any, (one) => {
        const { curve } = new LearnedGoal(one, 1);
        expect(curve.at(-1)).toBe(1);
        expect(curve.every((share, index) => share > 0 && share <= (curve[index + 1] ?? 1) + 1e-12)).toBe(
          true,
        );
      }),
    );
  });
});
