import { REVENUE_SOURCES as sources } from '@bidwell/contract/apps/event-settings';
import { v7 as uuidv7 } from 'uuid';
import { expect, test } from 'vitest';
import { type SampleEvent, storeEvents } from '@bidwell/testing/stored-events';
import { testApp } from '@bidwell/testing/test-app';
import type { ClickHouse } from '../../platform/clickhouse/client.ts';
import { readGoal } from './value-learner.ts';

const { ctx } = await testApp();
const DAY_MS = 86_400_000;
const NOW_MS = Date.parse('2026-05-20T12:00:00Z');
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

test('of more people and groups than are read, a sample keeps the rate at which installs convert', async () => {
  const [companyId, appId] = [uuidv7(), uuidv7()];
  await storeEvents(ctx, companyId, peopleOf(appId, 4000));
  const question = { companyId, appId, event: 'purchase', windowMs: 7 * DAY_MS, sources };
  const read = async (limits: Parameters<typeof readGoal>[3]) => {
    const { installs, conversions } = await readGoal(ctx.clickhouse, question, NOW_MS, limits);
    const sum = installs.reduce((total, group) => total + group.installs, 0);
    return { groups: installs.length, people: conversions.length, sum };
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
  const question = { companyId, appId, event: null, windowMs: DAY_MS, sources };
  await readGoal(clickhouse, question, NOW_MS);
  expect(plans).toHaveLength(3);
  for (const plan of plans) {
    expect(plan.match(/ReadFromMergeTree \([^)]*\)/g)).toEqual(['ReadFromMergeTree (person_events)']);
    expect(plan).toMatch(/toStartOfHour\(time\) in \[\d+, \+Inf\)/);
  }
});
