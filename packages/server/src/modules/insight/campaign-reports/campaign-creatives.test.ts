import type { CampaignCreatives } from '@bidwell/contract/campaign-reports/creatives';
import { v4 as uuidv4 } from 'uuid';
import { expect, test } from 'vitest';
import { make, appBody } from '@bidwell/testing/advertising';
import { uploadBanner } from '@bidwell/testing/bidding';
import { type SampleEvent, makeCampaign, storeEvents } from '@bidwell/testing/stored-events';
import { type TestCompany, testApp } from '@bidwell/testing/test-app';
import fc from 'fast-check';
import { runs } from '@bidwell/testing/whole-run';
import { runToCompletion } from '../../../platform/concurrency/yielding.ts';
import { type RunningTrials, type Trials, bestProbabilities, daysUntilBest } from './campaign-creatives.ts';

const app = await testApp();
const DAY_MS = 86_400_000;
const dayOf = (ms: number) => new Date(ms).toISOString().slice(0, 10);

/** Events of a creative at an instant. */
function shown(
  creativeId: string,
  campaignId: string,
  atMs: number,
  [impressions, clicks, installs]: readonly [number, number, number],
  over: Partial<SampleEvent> = {},
): SampleEvent[] {
  const event = (kind: SampleEvent['kind']): SampleEvent => ({
    at: new Date(atMs).toISOString(),
    kind,
    campaignId,
    creativeId,
    ...over,
  });
  return [
    ...Array.from({ length: impressions }, () => event('impression')),
    ...Array.from({ length: clicks }, () => event('click')),
    ...Array.from({ length: installs }, () => event('install')),
  ];
}

async function compared(company: TestCompany, campaign: string, more = ''): Promise<CampaignCreatives> {
  const nowMs = app.ctx.now().getTime();
  const range = `start_date=${dayOf(nowMs - 6 * DAY_MS)}&end_date=${dayOf(nowMs)}`;
  const { status, data } = await company.call('GET', `/campaign/${campaign}/creatives?${range}${more}`);
  expect(status).toBe(200);
  return data as CampaignCreatives;
}

test('creatives are compared within their format, with intervals and the probability to be the best', async () => {
  const company = await app.freshCompany();
  const campaignId = await makeCampaign(app.ctx, company, 'Creatives');
  const good = await uploadBanner(company, await make(company, '/app', appBody()));
  const [poor, video] = [uuidv4(), uuidv4()];
  const atMs = app.ctx.now().getTime() - 3_600_000;
  await storeEvents(app.ctx, company.companyId, [
    ...shown(good, campaignId, atMs, [2000, 20, 60]),
    ...shown(poor, campaignId, atMs, [2000, 60, 20]),
    ...shown(video, campaignId, atMs, [500, 5, 5], { creativeType: 'Video' }),
  ]);
  const { comparisons } = await compared(company, campaignId);
  expect(comparisons.map(({ type, format }) => [type, format])).toEqual([
    ['Banner', '320x50'],
    ['Video', null],
  ]);
  const [banners, videos] = comparisons;
  expect(banners!.creatives.map(({ uuid, name }) => [uuid, name])).toEqual([
    [good, 'Banner'],
    [poor, 'Unknown'],
  ]);
  expect(banners!.creatives[0]).toMatchObject({ impressions: 2000, clicks: 20, installs: 60 });
  expect(banners!.creatives[0]!.ipm_rate).toMatchObject({ value: 30 });
  expect(banners!.creatives[0]!.ctr_rate!.low).toBeLessThan(1);
  expect(banners!.creatives[0]!.ctr_rate!.high).toBeGreaterThan(1);
  expect(banners!.verdict).toMatchObject({ outcome: 'best', uuid: good });
  expect(banners!.creatives[0]!.best! + banners!.creatives[1]!.best!).toBeCloseTo(1, 9);
  // One alone has nothing to be compared with.
  expect(videos!.verdict).toEqual({ outcome: 'none' });
  expect(videos!.creatives[0]!.best).toBeNull();

  const byClicks = await compared(company, campaignId, '&metric=ctr');
  expect(byClicks.comparisons[0]!.verdict).toMatchObject({ outcome: 'best', uuid: poor });
  const stranger = await app.freshCompany();
  const range = 'start_date=2026-01-01&end_date=2026-01-02';
  expect((await stranger.call('GET', `/campaign/${campaignId}/creatives?${range}`)).status).toBe(404);
});

test('without enough data the days until a decision follow from the traffic of the last 24 hours', async () => {
  const company = await app.freshCompany();
  const campaignId = await makeCampaign(app.ctx, company, 'Early');
  const [one, other] = [uuidv4(), uuidv4()];
  const nowMs = app.ctx.now().getTime();
  await storeEvents(app.ctx, company.companyId, [
    ...shown(one, campaignId, nowMs - 2 * DAY_MS, [1000, 0, 14]),
    ...shown(other, campaignId, nowMs - 2 * DAY_MS, [1000, 0, 10]),
  ]);
  const [idle] = (await compared(company, campaignId)).comparisons;
  expect(idle!.verdict).toMatchObject({
    outcome: 'not_enough',
    uuid: one,
    days_left: null,
    has_traffic: false,
  });
  await storeEvents(app.ctx, company.companyId, [
    ...shown(one, campaignId, nowMs - 3_600_000, [500, 0, 7]),
    ...shown(other, campaignId, nowMs - 3_600_000, [500, 0, 5]),
  ]);
  const [running] = (await compared(company, campaignId)).comparisons;
  const verdict = running!.verdict;
  expect(verdict).toMatchObject({ outcome: 'not_enough', uuid: one, has_traffic: true });
  // At these rates the normal approximation needs about 4,100 impressions of each; 500 come a day.
  const days = verdict.outcome === 'not_enough' ? verdict.days_left : null;
  expect(days).toBeGreaterThanOrEqual(5);
  expect(days).toBeLessThanOrEqual(14);
});

const best = (...all: Trials[]) => runToCompletion(bestProbabilities(all));

const of = (successes: number, trials: number): Trials => ({ successes, trials });

const trials = fc
  .integer({ min: 0, max: 200_000 })
  .chain((all) => fc.tuple(fc.integer({ min: 0, max: Math.ceil(all / 20) }), fc.constant(all)))
  .map(([successes, all]) => of(Math.min(successes, all), all));

/** Logarithm of the gamma function of a positive integer. */
function logFactorial(n: number): number {
  let sum = 0;
  for (let factor = 2; factor <= n; factor += 1) sum += Math.log(factor);
  return sum;
}

const logBeta = (a: number, b: number) => logFactorial(a - 1) + logFactorial(b - 1) - logFactorial(a + b - 1);

/** The probability that a beta variable with integer parameters is above another: exact, as a sum. */
function exactlyAbove([a2, b2]: readonly [number, number], [a1, b1]: readonly [number, number]): number {
  let sum = 0;
  for (let i = 0; i < a2; i += 1)
    sum += Math.exp(logBeta(a1 + i, b1 + b2) - Math.log(b2 + i) - logBeta(1 + i, b2) - logBeta(a1, b1));
  return sum;
}

test('the probability that one of two rates is the best is exact', () => {
  const cases = fc.record({
    first: fc.integer({ min: 0, max: 60 }),
    second: fc.integer({ min: 0, max: 60 }),
    size: fc.integer({ min: 30, max: 100 }),
  });
  fc.assert(
    fc.property(cases, ({ first, second, size }) => {
      // As many trials as make the weight of the prior a whole number.
      const successes = first + second;
      fc.pre(successes > 0);
      const all = successes * size;
      const [one, other] = [Math.floor(all / 2), all - Math.floor(all / 2)];
      fc.pre(one >= first && other >= second);
      const failures = (all - successes) / successes;
      const [probability] = best(of(first, one), of(second, other))!;
      const expected = exactlyAbove(
        [first + 1, one - first + failures],
        [second + 1, other - second + failures],
      );
      expect(probability).toBeCloseTo(expected, 3);
    }),
    runs(20),
  );
});

test('the probabilities add up to 1, and do not depend on the order', () => {
  fc.assert(
    fc.property(fc.array(trials, { minLength: 2, maxLength: 8 }), (all) => {
      const probabilities = best(...all);
      if (all.every(({ successes }) => successes === 0)) {
        expect(probabilities).toBeNull();
        return;
      }
      expect(probabilities!.reduce((sum, one) => sum + one, 0)).toBeCloseTo(1, 9);
      for (const one of probabilities!) expect(one).toBeGreaterThanOrEqual(0);
      const reversed = best(...all.toReversed())!.toReversed();
      for (const [index, one] of probabilities!.entries()) expect(reversed[index]).toBeCloseTo(one, 9);
    }),
    runs(50),
  );
});

test('equal creatives are equally likely the best, and a further success makes one likelier', () => {
  for (const one of best(of(10, 1000), of(10, 1000), of(10, 1000), of(10, 1000))!)
    expect(one).toBeCloseTo(0.25, 4);
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 100 }),
      fc.integer({ min: 5000, max: 100_000 }),
      (successes, all) => {
        const [before] = best(of(successes, all), of(20, all))!;
        const [after] = best(of(successes + 1, all), of(20, all))!;
        expect(after).toBeGreaterThan(before!);
      },
    ),
    runs(50),
  );
});

test('a creative without impressions is neither the best nor the worst for certain', () => {
  const [running, fresh] = best(of(100, 100_000), of(0, 0))!;
  expect(fresh).toBeGreaterThan(0.2);
  expect(fresh).toBeLessThan(0.6);
  expect(running! + fresh!).toBeCloseTo(1, 9);
  expect(best(of(1, 10))).toBeNull();
});

test('rates far apart, with millions of impressions, stay exact', () => {
  const [low, high] = best(of(1000, 5_000_000), of(60_000, 5_000_000))!;
  expect(low).toBeLessThan(1e-9);
  expect(high).toBeCloseTo(1, 9);
});

test('the days until a decision decide it, and a day less does not', () => {
  const days = (all: RunningTrials[], leader: number) =>
    runToCompletion(daysUntilBest(all, leader, 0.95, 90));
  const at = (successes: number, all: number, perDay: number): RunningTrials => ({
    successes,
    trials: all,
    perDay,
  });
  const all = [at(30, 10_000, 5000), at(25, 10_000, 5000)];
  const needed = days(all, 0)!;
  expect(needed).toBeGreaterThan(1);
  const probabilityAfter = (count: number) =>
    best(...all.map((one) => of(one.successes * (1 + count / 2), one.trials + 5000 * count)))![0]!;
  expect(probabilityAfter(needed)).toBeGreaterThanOrEqual(0.95);
  expect(probabilityAfter(needed - 1)).toBeLessThan(0.95);
  expect(days([at(30, 10_000, 50_000), at(20, 10_000, 50_000)], 0)).toBe(1);
  // No traffic, or the same rate.
  expect(days([at(30, 10_000, 0), at(20, 10_000, 0)], 0)).toBeNull();
  expect(days([at(20, 10_000, 5000), at(20, 10_000, 5000)], 0)).toBeNull();
});
