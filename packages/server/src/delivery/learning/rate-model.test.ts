import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Features, RateModel } from './rate-model.ts';

const prior = { rate: 0.01, trials: 500 };
const sharing = { weight: 0.125, liftMax: 2 };
const baseline: Features = {
  companyId: 'one',
  adsetId: 'a',
  format: 'Banner 320x50',
  bundle: 'com.one',
  country: 'US',
};

function rateOf(model: RateModel, features: Features): number {
  return model.predict(features).rateOf(features);
}

/** Adds trials, a fixed share of which succeed. */
function train(model: RateModel, features: Features, trials: number, every: number): void {
  for (let trial = 1; trial <= trials; trial += 1) {
    model.add(features, 1, 0);
    if (trial % every === 0) model.add(features, 0, 1);
  }
}

test('without data a rate is the prior, and few observations change it little', () => {
  const model = new RateModel(prior, sharing);
  expect(rateOf(model, baseline)).toBe(0.01);
  train(model, baseline, 20, 20);
  expect(rateOf(model, baseline)).toBeGreaterThan(0.01);
  expect(rateOf(model, baseline)).toBeLessThan(0.02);
});

test('a frequent observation is learned, and only where it was observed', () => {
  const model = new RateModel(prior, sharing);
  const poor = { ...baseline, bundle: 'com.two' };
  for (let round = 0; round < 100; round += 1) {
    train(model, baseline, 200, 20);
    train(model, poor, 200, 200);
  }
  expect(rateOf(model, baseline)).toBeCloseTo(0.05, 2);
  expect(rateOf(model, poor)).toBeCloseTo(0.005, 2);
  const elsewhere = rateOf(model, { ...baseline, bundle: 'com.three' });
  expect(elsewhere).toBeGreaterThan(0.01);
  expect(elsewhere).toBeLessThan(0.04);
});

test('a new ad set inherits the rates of a publisher', () => {
  const model = new RateModel(prior, sharing);
  for (const adsetId of ['a', 'b', 'c']) {
    for (let round = 0; round < 20; round += 1) {
      train(model, { ...baseline, adsetId, bundle: 'com.good' }, 200, 20);
      train(model, { ...baseline, adsetId, bundle: 'com.poor' }, 200, 100);
    }
  }
  const good = rateOf(model, { ...baseline, adsetId: 'new', bundle: 'com.good' });
  const poor = rateOf(model, { ...baseline, adsetId: 'new', bundle: 'com.poor' });
  expect(good / poor).toBeGreaterThan(3);
});

test('old observations decay to the prior', () => {
  const model = new RateModel(prior, sharing);
  train(model, baseline, 20_000, 10);
  for (let day = 0; day < 40; day += 1) model.decay(0.5);
  expect(rateOf(model, baseline)).toBeCloseTo(0.01, 5);
});

test('a rate is a probability and never above its bound, for any data', () => {
  const anyObservations = fc.array(
    fc.record({
      adset: fc.constantFrom(['one', 'a'], ['one', 'b'], ['two', 'c']),
      bundle: fc.constantFrom('com.one', 'com.two', 'com.three'),
      country: fc.constantFrom('US', 'DE'),
      trials: fc.integer({ min: 1, max: 300 }),
      every: fc.integer({ min: 1, max: 50 }),
    }),
    { minLength: 1, maxLength: 30 },
  );
  fc.assert(
    fc.property(anyObservations, (observations) => {
      const model = new RateModel(prior, sharing);
      const events = observations.map(({ adset: [companyId, adsetId], ...rest }) => ({
        companyId: companyId!,
        adsetId: adsetId!,
        ...rest,
      }));
      for (const { trials, every, ...where } of events)
        train(model, { ...baseline, ...where }, trials, every);
      for (const where of events) {
        const prediction = model.predict({ ...baseline, ...where });
        const rate = prediction.rateOf({ ...baseline, ...where });
        expect(rate).toBeGreaterThan(0);
        expect(rate).toBeLessThanOrEqual(1);
        expect(rate).toBeLessThanOrEqual(prediction.rateAtMost({ ...baseline, ...where }) + 1e-12);
      }
    }),
  );
});

/** Maximum factor by which one company's events may move another's rate. */
const MOVE_MAX = (1 + sharing.weight * sharing.liftMax) ** 3;

test('one company changes the rate of another by a bounded factor at most', () => {
  const claims = fc.array(
    fc.record({
      bundle: fc.constantFrom('com.one', 'com.two'),
      trials: fc.integer({ min: 0, max: 200 }),
      successes: fc.integer({ min: 0, max: 500 }),
    }),
    { minLength: 1, maxLength: 20 },
  );
  fc.assert(
    fc.property(claims, (claimed) => {
      const model = new RateModel(prior, sharing);
      const victim = { ...baseline, companyId: 'victim', adsetId: 'v' };
      train(model, victim, 300, 60);
      const newcomer = { ...baseline, companyId: 'newcomer', adsetId: 'n' };
      const before = [victim, newcomer].map((adset) => rateOf(model, adset));
      for (const { bundle, trials, successes } of claimed) {
        const forged = { ...baseline, companyId: 'forger', adsetId: 'f', bundle };
        model.add(forged, trials, successes);
      }
      for (const [index, adset] of [victim, newcomer].entries()) {
        const factor = rateOf(model, adset) / before[index]!;
        expect(factor).toBeLessThanOrEqual(MOVE_MAX + 1e-9);
        expect(factor).toBeGreaterThanOrEqual(1 / MOVE_MAX - 1e-9);
      }
    }),
  );
});

test('a company begins with the rates of several others, and soon uses its own', () => {
  const model = new RateModel(prior, sharing);
  for (const companyId of ['a', 'b', 'c', 'd'])
    for (let round = 0; round < 20; round += 1)
      train(model, { ...baseline, companyId, adsetId: companyId }, 200, 20);
  const newcomer = { ...baseline, companyId: 'new', adsetId: 'new' };
  expect(rateOf(model, newcomer)).toBeGreaterThan(0.012);
  for (let round = 0; round < 20; round += 1) train(model, newcomer, 200, 200);
  expect(rateOf(model, newcomer)).toBeCloseTo(0.005, 2);
});

test('a reversed success does not count', () => {
  const model = new RateModel(prior, sharing);
  train(model, baseline, 1000, 50);
  const before = rateOf(model, baseline);
  model.add(baseline, 0, 30);
  model.add(baseline, 0, -30);
  expect(rateOf(model, baseline)).toBeCloseTo(before, 10);
});
