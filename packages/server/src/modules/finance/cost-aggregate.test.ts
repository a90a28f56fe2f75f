import { expect, test, vi } from 'vitest';
import { makeCampaign, storeEvents } from '../../testing/stored-events.ts';
import { testApp } from '../../testing/test-app.ts';
import { adsetSpendSince } from '../analytics/service.ts';
import { postSpend, readRevenue } from './service.ts';

const app = await testApp();
const { engines } = app;

test('posting, the revenue by day and a change of time zone read aggregates, not events', async () => {
  const company = await app.freshCompany();
  const { companyId } = company;
  const campaignId = await makeCampaign(engines, company, 'Campaign');
  const at = new Date().toISOString();
  await storeEvents(engines, companyId, [{ at, kind: 'billing', campaignId, spendMicros: 10 }]);
  const sourcesOf = async (work: () => Promise<unknown>) => {
    const query = vi.spyOn(engines.clickhouse, 'query');
    await work();
    const calls = [...query.mock.calls];
    query.mockRestore();
    const sources = new Set<string>();
    for (const [sql, params] of calls) {
      const rows = await engines.clickhouse.query<{ explain: string }>(`explain ${sql}`, params);
      const plan = rows.map(({ explain }) => explain).join('\n');
      for (const [, source] of plan.matchAll(/ReadFromMergeTree \(([\w.]+)\)/g)) sources.add(source!);
    }
    return [...sources];
  };
  expect(await sourcesOf(() => postSpend(engines))).toEqual(['hourly_costs']);
  expect(await sourcesOf(() => readRevenue(engines, 30))).toEqual(['hourly_costs']);
  expect(await sourcesOf(() => adsetSpendSince(engines, companyId, 0))).toEqual(['quarterly_spend']);
});
