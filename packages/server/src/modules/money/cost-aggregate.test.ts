import { expect, test, vi } from 'vitest';
import { TOKEN_HOLDER } from '../../platform/operator.ts';
import type { Context } from '../../context.ts';
import { makeCampaign, storeEvents } from '@bidwell/testing/stored-events';
import { testApp } from '@bidwell/testing/test-app';
import { adsetSpendSince } from '../reporting/service.ts';
import { postSpend } from './posting.ts';
import { readRevenue } from './statement.ts';

const app = await testApp();
const { ctx } = app;

test('posting, the revenue by day and a change of time zone read aggregates, not events', async () => {
  const company = await app.freshCompany();
  const { companyId } = company;
  const campaignId = await makeCampaign(ctx, company, 'Campaign');
  const at = new Date().toISOString();
  await storeEvents(ctx, companyId, [{ at, kind: 'billing', campaignId, spendMicros: 10 }]);
  const sourcesOf = async (work: (observed: Context) => Promise<unknown>) => {
    // The server's jobs query at any time: only those of the work are looked at.
    const query = vi.fn(ctx.clickhouse.query);
    await work({ ...ctx, clickhouse: { ...ctx.clickhouse, query } as Context['clickhouse'] });
    const calls = [...query.mock.calls];
    const sources = new Set<string>();
    for (const [sql, params] of calls) {
      const rows = await ctx.clickhouse.query<{ explain: string }>(`explain ${sql}`, params);
      const plan = rows.map(({ explain }) => explain).join('\n');
      for (const [, source] of plan.matchAll(/ReadFromMergeTree \(([\w.]+)\)/g)) sources.add(source!);
    }
    return [...sources];
  };
  expect(await sourcesOf(postSpend)).toEqual(['hourly_costs']);
  expect(await sourcesOf((observed) => readRevenue(observed, TOKEN_HOLDER, { days: 30 }))).toEqual([
    'hourly_costs',
  ]);
  expect(await sourcesOf((observed) => adsetSpendSince(observed, companyId, 0))).toEqual(['quarterly_spend']);
});
