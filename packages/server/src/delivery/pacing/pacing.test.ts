import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { HoursInput, hoursOf, openHours } from '@bidwell/contract/adsets/hours';
import { candidateOf } from '@bidwell/testing/pacing/candidates';
import { type TRAFFIC_PROFILES, adverseConditions } from '@bidwell/testing/pacing/pacing-cases';
import { distance, simulate } from '@bidwell/testing/pacing/pacing-simulation';
import { runs } from '@bidwell/testing/whole-run';
import { QUARTERS, QUARTER_MS, dayAt, sharePerSecond, steerPace, trafficBetween } from './pace.ts';
import { DeviceClocks, beforeEnd, openParts } from './open-hours.ts';
import { FLAT, learnTrafficProfile } from './traffic-profile.ts';

const HOUR = 1 / 24;
const everyDay = (spans: number[][]) =>
  Object.fromEntries(['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'].map((name) => [name, spans]));
const small = { bidders: 2, offersPerDay: 40_000, stepMs: 5000 };

test('spend and leases together stay within the budget at every second, with any failures', () => {
  const chance = fc.double({ min: 0, max: 1, noNaN: true });
  const settings = fc.record({
    seed: fc.nat(),
    bidders: fc.integer({ min: 1, max: 8 }),
    offersPerDay: fc.integer({ min: 10_000, max: 400_000 }),
    wins: chance,
    lossNotices: chance,
    lostNotices: chance,
    duplicateNotices: chance,
    clearingMicros: fc.integer({ min: 1, max: 2000 }),
    skewMs: fc.integer({ min: 0, max: 3_600_000 }),
    kills: fc
      .array(fc.double({ min: 0, max: 0.4, noNaN: true }), { maxLength: 3 })
      .map((kills) => kills.sort()),
  });
  fc.assert(
    fc.property(settings, fc.integer({ min: 1000, max: 1_000_000 }), (over, budget) => {
      const adset = candidateOf({ totalBudgetMicros: budget });
      // A notice after more than ten minutes is late: the reservation of its bid has expired.
      const { spentByAdset } = simulate(
        adverseConditions({ ...over, lateNotices: 0, days: HOUR / 2, adsets: [adset] }),
        (store) => expect(store.leasedMicros(adset.adsetId)).toBeLessThanOrEqual(budget),
      );
      // In the last second a killed bidder may have sent more bids than it announced to the store.
      const unheard = over.kills.length * Math.max(budget / 100, 5000);
      expect(spentByAdset.get(adset.adsetId) ?? 0).toBeLessThanOrEqual(budget + unheard);
    }),
    runs(15),
  );
});

test("a company's funds apply to all its ad sets together", () => {
  const adsets = [candidateOf(), candidateOf(), candidateOf()];
  const { spentByAdset } = simulate(
    adverseConditions({
      ...small,
      adsets,
      fundsMicros: 500_000,
      lateNotices: 0,
      days: 6 * HOUR,
      kills: [1, 3],
    }),
  );
  const spent = [...spentByAdset.values()].reduce((sum, micros) => sum + micros, 0);
  expect(spent).toBeLessThanOrEqual(500_000);
  expect(spent).toBeGreaterThan(490_000);
});

test('spend and leases in a country stay within its daily budget at every second, with any failures', () => {
  const chance = fc.double({ min: 0, max: 1, noNaN: true });
  const settings = fc.record({
    seed: fc.nat(),
    bidders: fc.integer({ min: 1, max: 8 }),
    offersPerDay: fc.integer({ min: 10_000, max: 400_000 }),
    wins: chance,
    lossNotices: chance,
    lostNotices: chance,
    duplicateNotices: chance,
    kills: fc
      .array(fc.double({ min: 0, max: 0.4, noNaN: true }), { maxLength: 3 })
      .map((kills) => kills.sort()),
  });
  const budget = fc.integer({ min: 1000, max: 1_000_000 });
  fc.assert(
    fc.property(settings, budget, budget, (over, japan, germany) => {
      const countryBudgets = new Map([
        ['JP', japan],
        ['DE', germany],
      ]);
      const adset = candidateOf({ countryBudgets });
      const countries = ['JP', 'DE', 'FR'];
      // From noon on, within one day: a budget of the next day is another one.
      const { spentByCountry } = simulate(
        adverseConditions({ ...over, lateNotices: 0, days: HOUR / 2, adsets: [adset], countries }),
        (store) => {
          for (const [country, micros] of countryBudgets)
            expect(store.leasedMicros(adset.adsetId, country)).toBeLessThanOrEqual(micros);
        },
      );
      for (const [country, micros] of countryBudgets) {
        const unheard = over.kills.length * Math.max(micros / 100, 5000);
        expect(spentByCountry.get(country) ?? 0).toBeLessThanOrEqual(micros + unheard);
      }
    }),
    runs(15),
  );
});

test('a country that is used up leaves the budget of the ad set to the others', () => {
  const adsets = [candidateOf({ totalBudgetMicros: 1_000_000, countryBudgets: new Map([['JP', 100_000]]) })];
  const { spentByCountry } = simulate(
    adverseConditions({
      ...small,
      adsets,
      countries: ['JP', 'DE'],
      lateNotices: 0,
      days: 12 * HOUR,
      kills: [3],
    }),
  );
  expect(spentByCountry.get('JP')).toBeGreaterThan(95_000);
  expect(spentByCountry.get('JP')).toBeLessThanOrEqual(106_000);
  expect(spentByCountry.get('JP')! + spentByCountry.get('DE')!).toBeGreaterThan(980_000);
});

test('even pacing spreads the daily budget of a country over the day', () => {
  const budget = 2_000_000;
  const adsets = [candidateOf({ algorithm: 'Max installs', countryBudgets: new Map([['JP', budget]]) })];
  const { days, spentByCountry } = simulate(
    adverseConditions({ ...small, traffic: 'wave', adsets, countries: ['JP'], days: 2, kills: [7, 30] }),
  );
  expect(spentByCountry.get('JP')).toBeGreaterThanOrEqual(2 * budget * 0.98);
  expect(spentByCountry.get('JP')).toBeLessThanOrEqual(2 * budget * 1.01);
  const { spentByQuarter, offersByQuarter } = days[1]!;
  expect(distance(spentByQuarter, offersByQuarter)).toBeLessThan(0.13);
});

test('late notices exceed a budget by less than one percent', () => {
  const adsets = [candidateOf({ totalBudgetMicros: 1_000_000 })];
  const { days } = simulate(
    adverseConditions({ ...small, adsets, lateNotices: 0.1, days: 12 * HOUR, kills: [] }),
  );
  expect(days[0]!.spentMicros).toBeGreaterThan(980_000);
  expect(days[0]!.spentMicros).toBeLessThanOrEqual(1_010_000);
});

describe('even pacing', () => {
  test.each<keyof typeof TRAFFIC_PROFILES>(['wave', 'evening', 'two peaks'])(
    'spreads the spend over the day by its traffic, once it has seen a day of it: %s',
    (traffic) => {
      const budget = 4_000_000;
      const adsets = [candidateOf({ algorithm: 'Max installs', dailyBudgetMicros: budget })];
      const { days } = simulate(adverseConditions({ ...small, traffic, adsets, days: 2, kills: [7, 30] }));
      for (const { spentMicros } of days) {
        expect(spentMicros).toBeGreaterThanOrEqual(budget * 0.98);
        expect(spentMicros).toBeLessThanOrEqual(budget * 1.01);
      }
      const [first, second] = days.map((day) => distance(day.spentByQuarter, day.offersByQuarter));
      expect(second!).toBeLessThan(0.13);
      expect(second!).toBeLessThan(first! / 2);
    },
  );

  test('takes all offers if there are too few', () => {
    const adsets = [candidateOf({ algorithm: 'Max installs', dailyBudgetMicros: 50_000_000 })];
    const { days, supplyMicros } = simulate(
      adverseConditions({ ...small, adsets, traffic: 'wave', lostNotices: 0, kills: [] }),
    );
    expect(days[0]!.spentMicros).toBeGreaterThan(supplyMicros[0]! * 0.95);
  });
});

describe('even pacing in hours', () => {
  const budget = 4_000_000;
  const hoursFrom = (open: Uint8Array, zone: 'company' | 'device' = 'company') => ({
    zone,
    timeZone: 'UTC',
    open,
  });
  const daysOf = (over: Parameters<typeof adverseConditions>[0] & { open: Uint8Array; zone?: 'device' }) => {
    const { open, zone, ...rest } = over;
    const adsets = [
      candidateOf({
        algorithm: 'Max installs',
        dailyBudgetMicros: budget,
        hours: hoursFrom(open, zone),
      }),
    ];
    return simulate(adverseConditions({ ...small, adsets, kills: [], ...rest }));
  };
  const workDay = openHours(HoursInput.parse(everyDay([[8, 22]]))!);

  test.each<keyof typeof TRAFFIC_PROFILES>(['wave', 'two peaks'])(
    'spends the budget by the end of the hours, by the traffic in them: %s',
    (traffic) => {
      const { days } = daysOf({ open: workDay, traffic, days: 2, kills: [9, 30] });
      for (const { spentMicros } of days) {
        expect(spentMicros).toBeGreaterThanOrEqual(budget * 0.98);
        expect(spentMicros).toBeLessThanOrEqual(budget * 1.01);
      }
      const { spentByQuarter, offersByQuarter } = days[1]!;
      const inHours = offersByQuarter.map((offers, quarter) => (quarter >= 32 && quarter < 88 ? offers : 0));
      expect(distance(spentByQuarter, inHours)).toBeLessThan(0.13);
    },
  );

  test('spends the budget in any hours of the company that have traffic enough', () => {
    const grid = fc
      .uint8Array({ min: 0, max: 1, minLength: 24, maxLength: 24 })
      .filter((hours) => hours.reduce((sum, hour) => sum + hour, 0) >= 3);
    fc.assert(
      fc.property(fc.nat(), grid, grid, (seed, monday, tuesday) => {
        const open = new Uint8Array(168);
        open.set(monday);
        open.set(tuesday, 24);
        const { days } = daysOf({ open, seed, days: 2, offersPerDay: 100_000, stepMs: 10_000 });
        for (const { spentMicros } of days) {
          expect(spentMicros).toBeGreaterThanOrEqual(budget * 0.97);
          expect(spentMicros).toBeLessThanOrEqual(budget * 1.01);
        }
      }),
      runs(6),
    );
  });

  test('spends the budget in the hours of devices all over the world', () => {
    const clocks = [
      { clock: -480, weight: 2 },
      { clock: 60, weight: 3 },
      { clock: 330, weight: 1 },
      { clock: 540, weight: 2 },
    ];
    // Closed on Tuesdays, of which the second day has parts in the east and the west.
    const open = workDay.slice();
    open.fill(0, 24, 48);
    const { days } = daysOf({ open, zone: 'device', clocks, days: 2, offersPerDay: 100_000 });
    expect(days[0]!.spentMicros).toBeGreaterThanOrEqual(budget * 0.97);
    for (const { spentMicros } of days) expect(spentMicros).toBeLessThanOrEqual(budget * 1.01);
  });
});

describe('the parts of a day that are open', () => {
  const monday = dayAt(Date.parse('2026-05-04T12:00:00Z'), 'UTC');
  const open = openHours(HoursInput.parse({ mon: [[8, 10]], tue: [[8, 10]] })!);
  const partsAt = (parts: Float64Array, hours: readonly number[]) => hours.map((hour) => parts[hour * 4]);

  test('are whole in the time of the company', () => {
    const parts = openParts({ zone: 'company', timeZone: 'UTC', open }, monday, []);
    expect(partsAt(parts, [7, 8, 9, 10])).toEqual([0, 1, 1, 0]);
  });

  test('end with the flight', () => {
    const untilMs = monday.startMs + 9 * 4 * QUARTER_MS;
    const parts = openParts({ zone: 'company', timeZone: 'UTC', open }, monday, []);
    expect(partsAt(beforeEnd(monday, parts, untilMs)!, [7, 8, 9])).toEqual([0, 1, 0]);
    expect(partsAt(beforeEnd(monday, null, untilMs)!, [7, 8, 9, 23])).toEqual([1, 1, 0, 0]);
    expect(beforeEnd(monday, null, monday.endMs)).toBeNull();
  });

  test('follow the clocks of the devices, in proportion to what was learned of the weekdays', () => {
    const hours = { zone: 'device', timeZone: 'UTC', open } as const;
    const clocks = [
      { clock: 0, weight: 3 },
      { clock: 'Asia/Kolkata', weight: 1 },
    ];
    const parts = openParts(hours, monday, clocks);
    // Two of seven days are open.
    expect(parts[8 * 4]).toBeCloseTo(3.5);
    expect(parts[2.5 * 4]).toBeCloseTo(0.25 / Math.max(0.05, 0.25 * (2 / 7)));
    expect(partsAt(parts, [7, 11])).toEqual([0, 0]);
  });

  test('of a day with 23 hours have as many', () => {
    const spring = dayAt(Date.parse('2026-03-29T12:00:00Z'), 'Europe/Berlin');
    const all = hoursOf(new Uint8Array(168).fill(1, 144, 168))!;
    const parts = openParts({ zone: 'company', timeZone: 'Europe/Berlin', open: openHours(all) }, spring, []);
    expect([...parts]).toEqual(Array.from({ length: 92 }, () => 1));
  });

  test('clocks of devices are of the countries that an ad set targets, once some are known', () => {
    const clocks = new DeviceClocks();
    const anywhere = { include: new Set<string>(), exclude: new Set(['FR']) };
    for (let request = 0; request < 100; request += 1) {
      clocks.count({ country: 'DE', regions: [], utcOffsetMinutes: request % 4 === 0 ? 120 : null });
      clocks.count({ country: 'FR', regions: [], utcOffsetMinutes: 120 });
      if (request < 50) clocks.count({ country: '', regions: [], utcOffsetMinutes: null });
    }
    expect(clocks.of(anywhere, 'Asia/Tokyo')).toEqual([
      { clock: 120, weight: 25 },
      { clock: 'Europe/Berlin', weight: 75 },
      { clock: 'Asia/Tokyo', weight: 50 },
    ]);
    expect(clocks.of({ include: new Set(['US']), exclude: new Set() }, 'UTC')).toEqual([]);
    clocks.age(86_400_000);
    expect(clocks.of({ include: new Set(['DE']), exclude: new Set() }, 'UTC')).toEqual([]);
  });
});

describe('the plan of a day', () => {
  const day = dayAt(Date.parse('2026-05-04T12:00:00Z'), 'UTC');

  test('spends evenly where every quarter is alike, and the remainder at the end', () => {
    const atMs = day.startMs;
    expect(sharePerSecond(FLAT, day, atMs)).toBeCloseTo(1 / (23.75 * 3600), 8);
    expect(sharePerSecond(FLAT, day, day.endMs - 60_000)).toBe(1 / 60);
  });

  test('saves money for later traffic', () => {
    const evening = FLAT.map((_, quarter) => (quarter < 48 ? 1 : 3) / 192);
    const morning = sharePerSecond(evening, day, day.startMs);
    expect(morning).toBeCloseTo(sharePerSecond(FLAT, day, day.startMs)! / 2, 6);
  });

  test('knows days of 23 and 25 hours', () => {
    const spring = dayAt(Date.parse('2026-03-29T12:00:00Z'), 'Europe/Berlin');
    const autumn = dayAt(Date.parse('2026-10-25T12:00:00Z'), 'Europe/Berlin');
    expect([spring, autumn].map(({ startMs, endMs }) => (endMs - startMs) / 3_600_000)).toEqual([23, 25]);
    expect(trafficBetween(FLAT, spring.startMs, spring.endMs)).toBeCloseTo(23 / 24, 8);
  });

  test('has the money of the day in the hours that are open, up to 15 minutes before the last one ends', () => {
    const open = Float64Array.from(FLAT, (_, quarter) => (quarter >= 32 && quarter < 88 ? 1 : 0));
    const at = (hour: number) => sharePerSecond(FLAT, { ...day, open }, day.startMs + hour * 4 * QUARTER_MS);
    expect([0, 7.9, 22, 23.9].map(at)).toEqual([null, null, null, null]);
    expect(at(8)).toBeCloseTo(1 / (13.75 * 3600), 8);
    expect(at(21.7)).toBeCloseTo(1 / 180, 6);
    expect(at(21.99)).toBe(1 / 60);
  });

  test('spend of earlier hours that is booked at once does not stop the bids of the next hour', () => {
    const plan = { targetPerSecond: 600, unitMicros: 1000 };
    // At a full share the traffic would cost twice the plan.
    const spendOf = (share: number) => share * 15 * 2 * plan.targetPerSecond;
    let dayMicros = 0;
    let pace = steerPace(null, dayMicros, plan, 0)!;
    const runMinutes = (minutes: number) => {
      for (const endMs = pace.atMs + minutes * 60_000; pace.atMs < endMs;) {
        dayMicros += spendOf(pace.share);
        pace = steerPace(pace, dayMicros, plan, pace.atMs + 15_000)!;
      }
    };
    runMinutes(2);
    for (const part of [30_000_000, 15_000_000, 5_000_000]) {
      dayMicros += part;
      pace = steerPace(pace, dayMicros, plan, pace.atMs + 15_000)!;
    }
    runMinutes(10);
    expect(pace.share).toBeGreaterThan(0.4);
    expect(pace.share).toBeLessThan(0.6);
  });
});

describe('the traffic profile', () => {
  const counts = fc.array(fc.option(fc.nat(10_000)), { minLength: QUARTERS, maxLength: QUARTERS });

  test('always sums to one and is never negative', () => {
    fc.assert(
      fc.property(fc.array(counts, { maxLength: 7 }), (days) => {
        const trafficProfile = learnTrafficProfile(days, FLAT);
        expect(trafficProfile.reduce((sum, part) => sum + part, 0)).toBeCloseTo(1, 6);
        expect(Math.min(...trafficProfile)).toBeGreaterThanOrEqual(0);
      }),
    );
  });

  test('with few offers it is the fallback', () => {
    const fallback = FLAT.map((_, quarter) => (quarter < 48 ? 2 : 0) / 96);
    expect(learnTrafficProfile([], fallback)).toEqual(fallback);
    const few = learnTrafficProfile([FLAT.map((_, quarter) => (quarter === 90 ? 1 : 0))], fallback);
    expect(distance(few, fallback)).toBeLessThan(0.01);
  });

  test('a day that began at noon says nothing about the morning', () => {
    const afternoon = FLAT.map((_, quarter) => (quarter < 48 ? null : 10_000));
    expect(distance(learnTrafficProfile([afternoon], FLAT), FLAT)).toBeLessThan(0.001);
  });
});
