import type { Forecast } from '@bidwell/contract/insight/forecast';
import { v4 as uuidv4 } from 'uuid';
import { expect } from 'vitest';
import { storePrices } from '@bidwell/server/delivery/forecast/price-recorder';
import { storeSample } from '@bidwell/server/delivery/funnel/request-sample';
import { makeRunningCampaign } from './bidding.ts';
import type { TestApp, TestCompany } from './test-app.ts';

const DAY_MS = 86_400_000;

/** Adds an exchange without requests. */
export async function anExchange(app: TestApp): Promise<string> {
  const slug = `exchange-${uuidv4().slice(0, 8)}`;
  await app.operator('PUT', `/ssps/${slug}`, { name: 'Exchange' });
  await app.settled();
  return slug;
}

/**
 * Adds an exchange with a sample of two days: a request every ten minutes that represents 100, of each of `people` in turn; without people as
 * an earlier release stored it. Half of the people are in `audience`, a quarter is not, and a quarter must not be looked up.
 */
export async function addSample(app: TestApp, people = 0, audience: string | null = null): Promise<string> {
  const slug = await anExchange(app);
  const nowMs = app.ctx.now().getTime();
  const request = {
    id: 'r',
    at: 1,
    imp: [{ id: '1', banner: { w: 320, h: 50 }, bidfloor: 0.5 }],
    app: { bundle: 'com.publisher' },
    device: { os: 'Android', osv: '14', geo: { country: 'USA' } },
  };
  await storeSample(
    app.ctx.clickhouse,
    Array.from({ length: 288 }, (_unused, index) => ({
      atMs: nowMs - 60_000 - index * 600_000,
      id: uuidv4(),
      exchange: slug,
      weight: 100,
      request: JSON.stringify(request),
      ...(people > 0 && { person: String(2 ** 40 * (1 + (index % people))), person_level: 3, level: 0 }),
      ...(audience !== null && { listId: index % 4 === 0 ? '' : index % 2 === 0 ? 'other' : 'member' }),
    })),
    {
      loaded: () => (audience === null ? [] : [audience]),
      membershipsOf: (id) => ({ of: () => (id === 'member' ? 'in' : 'out') }),
    },
  );
  const point = { exchange: slug, format: 'Banner 320x50', country: 'US' };
  await storePrices(app.ctx.clickhouse, [
    { ...point, hourMs: nowMs - DAY_MS, step: 57, placed: 4000, won: 1600, impressions: 1600 },
  ]);
  return slug;
}

/** Starts a campaign on an exchange; `input` is the input of a forecast of its ad set. */
export async function adsetOn(app: TestApp, company: TestCompany, slug: string, adset: object = {}) {
  const made = await makeRunningCampaign(app, company, { target: { exchange_include: [slug] }, adset });
  const { data } = await company.call('GET', `/adset/${made.adsetUuid}`);
  const input = {
    uuid: made.adsetUuid,
    target_id: data.target.uuid,
    creative_group_ids: [made.groupUuid],
    algo: data.algo,
    bet_cpm: data.bet_cpm,
    daily_budget_const: data.daily_budget_const,
  };
  return { ...made, input };
}

/** Forecasts an ad set. */
export async function forecastOf(
  company: TestCompany,
  input: object,
  headers: Record<string, string> = {},
): Promise<Forecast> {
  const { status, data } = await company.call('POST', '/adset/forecast', input, headers);
  expect([status, data]).toEqual([200, expect.anything()]);
  return data as Forecast;
}
