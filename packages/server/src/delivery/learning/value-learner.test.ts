import { pino } from 'pino';
import { v7 as uuidv7 } from 'uuid';
import { expect, test } from 'vitest';
import { appBody, make } from '@bidwell/testing/advertising';
import { candidateOf } from '@bidwell/testing/pacing/candidates';
import { plainValuation } from '@bidwell/testing/pacing/valuation';
import { type SampleEvent, storeEvents } from '@bidwell/testing/stored-events';
import { testApp } from '@bidwell/testing/test-app';
import type { ClickHouse } from '../../platform/clickhouse/client.ts';
import { valueCpmMicrosOf } from '../auction/price.ts';
import type { Candidate } from '../model/candidate.ts';
import { goalOf } from '../model/goal.ts';
import { InstallValues } from './install-values.ts';
import { ValueLearner, readGoal } from './value-learner.ts';
import { REVENUE_SOURCES } from '@bidwell/contract/apps/event-settings';

const server = await testApp();
const DAY_MS = 86_400_000;
const NOW_MS = Date.parse('2026-05-20T12:00:00Z');
const DOLLAR = 1_000_000;

type Parts = Partial<Pick<Candidate, 'companyId' | 'algorithm'>> & { event?: string };

function anAdset({
  companyId = uuidv7(),
  algorithm = 'Target CPA',
  event = 'purchase',
}: Parts = {}): Candidate {
  const { app } = candidateOf();
  const goal = { event, cpaMicros: 40 * DOLLAR, roasPercent: 50, windowDays: 7, byCountry: [] } as const;
  const cpmMicros = 1000 * DOLLAR;
  return candidateOf({
    companyId,
    adsetId: uuidv7(),
    app,
    algorithm,
    cpmMicros,
    ceilingCpmMicros: cpmMicros,
    goal: goalOf(
      { algorithm, appId: app.uuid, goal, cpmMicros: 2 * DOLLAR, cpiMicros: null },
      (micros) => micros,
    ),
  });
}

/** Installs ten days ago in a publisher's app, of which the first `people` do the event a day later. */
function installs(
  { app: { uuid: appId }, adsetId }: Pick<Candidate, 'app' | 'adsetId'>,
  bundle: string,
  count: number,
  people: number,
  over: object = {},
): SampleEvent[] {
  return Array.from({ length: count }, (_unused, index): SampleEvent[] => {
    const bidId = uuidv7();
    const of = { appId, adsetId, bundle, country: 'DE' };
    const at = (daysAgo: number) => new Date(NOW_MS - daysAgo * DAY_MS).toISOString();
    const app = { name: 'purchase', clickBidId: bidId, revenueMicros: 10 * DOLLAR, ...over };
    return [
      { ...of, kind: 'install', bidId, at: at(10) },
      ...(index < people ? [{ ...of, kind: 'app_event', at: at(9), app } as const] : []),
    ];
  }).flat();
}

async function learned(candidates: readonly Candidate[], clickhouse: ClickHouse = server.ctx.clickhouse) {
  const values = new InstallValues();
  const learner = new ValueLearner({
    db: server.ctx.db,
    clickhouse,
    log: pino({ level: 'silent' }),
    now: () => new Date(NOW_MS),
    values,
    candidates: () => candidates,
  });
  await learner.learn();
  return values;
}

function bidOf(values: InstallValues, adset: Candidate, bundle: string): number {
  const plain = plainValuation();
  const valuation = {
    ...plain,
    targetInstallMicros: (candidate: Candidate) => values.micros(candidate, bundle, 'DE'),
  };
  const input = {
    country: 'DE',
    exchange: 'sample',
    bundle,
    format: 'Banner 320x50',
    deviceTypes: ['Phone'],
    hourOf: () => 12,
    memberships: () => null,
  };
  return valueCpmMicrosOf(adset, { input, predict: () => plain.predict(input.format) }, valuation, 0)!;
}

test.each(['Target CPA', 'Target ROAS'] as const)(
  '%s bids more where installs were worth more, and what their value is',
  async (algorithm) => {
    const adset = anAdset({ algorithm });
    const events = [...installs(adset, 'com.good', 300, 60), ...installs(adset, 'com.bad', 300, 3)];
    await storeEvents(server.ctx, adset.companyId, events);
    const values = await learned([adset]);
    const [good, bad, unknown] = ['com.good', 'com.bad', 'com.new'].map((one) => bidOf(values, adset, one));
    expect(good! / bad!).toBeGreaterThan(3);
    expect(unknown).toBeGreaterThan(bad!);
    expect(unknown).toBeLessThan(good!);
    // A tenth of the installs at $40 each, or with $10 each at twice the revenue, and one install in a thousand impressions.
    const installMicros = algorithm === 'Target CPA' ? 4 * DOLLAR : 2 * DOLLAR;
    expect(Math.abs(unknown! / installMicros - 1)).toBeLessThan(0.2);
  },
);

test('Target ROAS learns from the revenue that counts for the app', async () => {
  const company = await server.freshCompany();
  const uuid = await make(company, '/app', appBody());
  const plain = anAdset({ companyId: company.companyId, algorithm: 'Target ROAS' });
  const adset = { ...plain, app: { ...plain.app, uuid } };
  await storeEvents(server.ctx, adset.companyId, [
    ...installs(adset, 'com.one', 200, 10),
    ...installs(adset, 'com.one', 100, 50, { isAdRevenue: true }),
  ]);
  const valueWith = async (...sources: string[]) => {
    const changed = await company.call('PUT', `/app/${uuid}/events`, { revenue_sources: sources });
    expect(changed.status).toBe(200);
    return (await learned([adset])).micros(adset, 'com.one', 'DE')!;
  };
  const both = await valueWith('purchases', 'ad_revenue');
  expect(both / (await valueWith('purchases'))).toBeGreaterThan(3);
  expect(both / (await valueWith('ad_revenue'))).toBeLessThan(2);
});

test('rejected installs, invalid and test events, other events and other companies count nothing', async () => {
  const [adset, stranger] = [anAdset(), anAdset()];
  const { companyId } = adset;
  await storeEvents(server.ctx, companyId, installs(adset, 'com.one', 100, 5));
  const before = (await learned([adset])).micros(adset, 'com.one', 'DE');
  const rejected = installs(adset, 'com.one', 50, 50);
  await storeEvents(server.ctx, companyId, [
    ...rejected,
    ...rejected
      .filter(({ kind }) => kind === 'install')
      .map((one) => ({ ...one, kind: 'install_rejected' as const })),
    ...installs(adset, 'com.one', 50, 50).map((one) => ({ ...one, mark: 'bot' as const })),
    ...installs(adset, 'com.one', 50, 50).map((one) => ({ ...one, test: true })),
  ]);
  // A stranger's events that name the ad set.
  await storeEvents(server.ctx, stranger.companyId, installs(adset, 'com.one', 500, 500));
  expect((await learned([adset, stranger])).micros(adset, 'com.one', 'DE')).toBeCloseTo(before!, 3);
  const other = await learned([{ ...adset, goal: { ...adset.goal!, key: 'other', event: 'level_10' } }]);
  expect(other.meanMicros({ ...adset, goal: { ...adset.goal!, key: 'other' } })).toBeLessThan(before!);
});

test('an event that the partner took back is none', async () => {
  const [adset, other] = [anAdset(), anAdset()];
  const plain = installs(adset, 'com.one', 100, 5);
  await storeEvents(server.ctx, adset.companyId, plain);
  const taken = installs(other, 'com.one', 100, 30).map((event) => ({ bidId: uuidv7(), ...event }));
  const people = taken.filter(({ kind }) => kind === 'app_event');
  await storeEvents(server.ctx, other.companyId, [
    ...taken,
    ...people.slice(5).map((event) => ({ ...event, kind: 'app_event_rejected' as const })),
  ]);
  const values = await learned([adset, other]);
  expect(values.micros(other, 'com.one', 'DE')).toBeCloseTo(values.micros(adset, 'com.one', 'DE')!, 3);
});

test('a new ad set bids at once by what other ad sets of its app have brought, with any bid strategy', async () => {
  const adset = anAdset();
  const { companyId, app } = adset;
  await storeEvents(server.ctx, companyId, installs({ app, adsetId: uuidv7() }, 'com.one', 600, 60));
  const values = new InstallValues();
  const learner = new ValueLearner({
    db: server.ctx.db,
    clickhouse: server.ctx.clickhouse,
    log: pino({ level: 'silent' }),
    now: () => new Date(NOW_MS),
    values,
    candidates: () => [],
  });
  expect(values.micros(adset, 'com.one', 'DE')).toBeLessThan(adset.goal!.priorInstallMicros);
  await learner.prepare([adset], 60_000);
  // A tenth of the installs at $40 each.
  for (const one of [adset, { ...adset, adsetId: uuidv7() }])
    expect(Math.abs(values.micros(one, 'com.one', 'DE')! / (4 * DOLLAR) - 1)).toBeLessThan(0.2);
});

test('a company whose events cannot be read bids a part of the assumed value, and does not stop others', async () => {
  const [slow, fine] = [anAdset(), anAdset()];
  await storeEvents(server.ctx, fine.companyId, installs(fine, 'com.one', 300, 60));
  const clickhouse: ClickHouse = {
    ...server.ctx.clickhouse,
    query: async (sql, params, format, settings) => {
      if (params?.['company'] === slow.companyId) throw new Error('too slow');
      return server.ctx.clickhouse.query(sql, params, format, settings);
    },
  };
  const values = await learned([slow, fine], clickhouse);
  expect(values.micros(slow, 'com.one', 'DE')).toBeCloseTo(0.5 * DOLLAR, 3);
  expect(values.meanMicros(slow)).toBe(2 * DOLLAR);
  expect(values.micros(fine, 'com.one', 'DE')).toBeGreaterThan(6 * DOLLAR);
});

test('a company that is learned changes its own ad sets alone, and one without goals is forgotten', async () => {
  const [first, second] = [anAdset(), anAdset()];
  for (const adset of [first, second])
    await storeEvents(server.ctx, adset.companyId, installs(adset, 'com.one', 300, 60));
  const changed: string[] = [];
  class Watched extends InstallValues {
    override set(...[key, learnedGoal]: Parameters<InstallValues['set']>): void {
      changed.push(key);
      super.set(key, learnedGoal);
    }
  }
  const values = new Watched();
  let candidates = [first, second];
  const learner = new ValueLearner({
    db: server.ctx.db,
    clickhouse: server.ctx.clickhouse,
    log: pino({ level: 'silent' }),
    now: () => new Date(NOW_MS),
    values,
    candidates: () => candidates,
  });
  await learner.learn();
  expect(changed.toSorted()).toEqual([first.goal!.key, second.goal!.key].toSorted());
  expect(values.meanMicros(first)).toBeGreaterThan(6 * DOLLAR);
  candidates = [second];
  await learner.learn();
  expect(values.meanMicros(first)).toBe(first.goal!.priorInstallMicros);
  expect(values.meanMicros(second)).toBeGreaterThan(6 * DOLLAR);
});

const { ctx } = server;

const at = (daysAgo: number) => new Date(NOW_MS - daysAgo * DAY_MS).toISOString();

const ADSETS = [uuidv7(), uuidv7()];

/** The id of person number `n`: always the same, and so is the sample of people. */
const personOf = (n: number) => `019a0000-0000-7000-8000-${n.toString(16).padStart(12, '0')}`;

/** Installs of an app by two ad sets in 40 publishers' apps, of which every fifth person buys for $10 a day later. */
function peopleOf(appId: string, count: number): SampleEvent[] {
  return Array.from({ length: count }, (_unused, n): SampleEvent[] => {
    const of = { appId, adsetId: ADSETS[n % 2]!, bundle: `com.publisher${n % 40}` };
    const app = { name: 'purchase', clickBidId: personOf(n), revenueMicros: 10_000_000 };
    return [
      { ...of, kind: 'install', bidId: personOf(n), at: at(10) },
      ...(n % 5 === 0 ? [{ ...of, kind: 'app_event', at: at(9), app } as const] : []),
    ];
  }).flat();
}

test('if there are more people and groups than the limit, a sample keeps the rate at which installs convert', async () => {
  const [companyId, appId] = [uuidv7(), uuidv7()];
  await storeEvents(ctx, companyId, peopleOf(appId, 4000));
  const question = { companyId, appId, event: 'purchase', windowMs: 7 * DAY_MS, sources: REVENUE_SOURCES };
  const read = async (limits: Parameters<typeof readGoal>[3]) => {
    const goal = await readGoal(ctx.clickhouse, question, NOW_MS, limits);
    const sum = goal.installs.reduce((total, group) => total + group.installs, 0);
    return { groups: goal.installs.length, people: goal.conversions.length, sum };
  };
  expect(await read({})).toEqual({ groups: 40, people: 800, sum: 4000 });
  const sampled = await read({ groupsMax: 8, peopleMax: 400 });
  expect(sampled.groups).toBeLessThan(20);
  expect(Math.abs(sampled.people / 400 - 1)).toBeLessThan(0.15);
  expect(Math.abs(sampled.sum / 2000 - 1)).toBeLessThan(0.05);
  const some = await read({ installsMax: 1000 });
  expect(Math.abs(some.sum / 1000 - 1)).toBeLessThan(0.15);
  expect(Math.abs(some.people / some.sum / 0.2 - 1)).toBeLessThan(0.2);
});

test('all queries read the projection of the events of people, from the hour on that is 30 days ago', async () => {
  const [companyId, appId] = [uuidv7(), uuidv7()];
  await storeEvents(ctx, companyId, peopleOf(appId, 10));
  const plans: string[] = [];
  const clickhouse: ClickHouse = {
    ...ctx.clickhouse,
    query: async (sql, params, format, settings) => {
      const rows = await ctx.clickhouse.query<{ explain: string }>(`explain indexes = 1 ${sql}`, params);
      plans.push(rows.map(({ explain }) => explain).join('\n'));
      return ctx.clickhouse.query(sql, params, format, settings);
    },
  };
  const question = { companyId, appId, event: null, windowMs: DAY_MS, sources: REVENUE_SOURCES };
  await readGoal(clickhouse, question, NOW_MS);
  expect(plans).toHaveLength(3);
  for (const plan of plans) {
    expect(plan.match(/ReadFromMergeTree \([^)]*\)/g)).toEqual(['ReadFromMergeTree (person_events)']);
    expect(plan).toMatch(/toStartOfHour\(time\) in \[\d+, \+Inf\)/);
  }
});
