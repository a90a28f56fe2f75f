import { expect, test } from 'vitest';
import { pathOf } from '../../../delivery/trackers/sample-ref.ts';
import { changesOf } from '@bidwell/testing/advertising';
import { bannerImp, campaignOn, freshExchange } from '@bidwell/testing/exchange';
import { testApp } from '@bidwell/testing/test-app';

const app = await testApp({ MODERATION: 'auto' });
const BID = { algo: 'Manual CPM', bet_cpm: 1.2 };

/** A company that alone bids $1.20 CPM on an exchange. */
async function advertiser(adset: object = {}, amount = 100) {
  const exchange = await freshExchange(app);
  const made = await campaignOn(app, exchange, { amount, adset: { ...BID, ...adset } });
  const { company } = made;
  const offer = (floor = 0) => exchange.bid({ imp: [bannerImp(floor)] });
  const buy = async (bid: { burl: string }, price: string): Promise<void> => {
    expect((await app.http.inject(pathOf(bid.burl, price))).statusCode).toBe(200);
    await app.settled();
  };
  const setMargin = async (percent: number) => {
    const response = await app.operator('PATCH', `/companies/${company.companyId}`, {
      margin_percent: percent,
    });
    await app.settled();
    return response;
  };
  const balance = async () => (await company.call('GET', '/finance/balance')).data.balance;
  return { offer, buy, setMargin, balance, ...made };
}

const today = () => app.clock.now.toISOString().slice(0, 10);
const revenueToday = async () => (await app.operator('GET', '/revenue?days=1')).data.days[0];

test('the exchange gets the bid without the margin, and the floor is compared with that', async () => {
  const { offer, setMargin } = await advertiser();
  expect((await offer()).price).toBe(1.2);
  expect(await setMargin(20)).toMatchObject({ status: 200, data: { margin_percent: 20 } });
  expect((await offer()).price).toBe(1);
  expect((await offer(1)).price).toBe(1);
  expect(await offer(1.01)).toBeNull();
  await setMargin(100);
  expect((await offer()).price).toBe(0.6);
});

test('the company is charged media cost and margin, and ledger, reports and revenue agree to the micro', async () => {
  const { company, offer, buy, setMargin, balance } = await advertiser();
  const before = await revenueToday();
  await setMargin(20);
  await buy(await offer(), '1');
  expect(await balance()).toBe(100 - 0.0012);
  await buy(await offer(), '0.5');
  expect(await balance()).toBe(100 - 0.0018);
  const report = await company.call('POST', '/analytics/level', {
    start_date: today(),
    end_date: today(),
    levels: { adset: '' },
  });
  expect(report.data.total.spends).toBe(0.0018);
  const check = (await app.operator('GET', '/ledger/check')).data;
  expect(check.disagreements).toEqual([]);
  const after = await revenueToday();
  const added = (field: string) => Math.round((after[field] - before[field]) * 1e6);
  expect([added('spend'), added('media'), added('margin')]).toEqual([1800, 1500, 300]);
});

test('a changed margin holds for new bids alone', async () => {
  const { offer, buy, setMargin, balance } = await advertiser();
  await setMargin(50);
  const early = await offer();
  await setMargin(10);
  const late = await offer();
  await buy(early, '0.8');
  expect(await balance()).toBe(100 - 0.0012);
  await buy(late, '1');
  expect(await balance()).toBe(99.9977);
});

test('the margin is part of budgets and of the balance', async () => {
  const limited = await advertiser({ all_budget_const: 0.01 });
  await limited.setMargin(20);
  const bids = [];
  for (let bid = await limited.offer(); bid; bid = await limited.offer()) bids.push(bid);
  // Eight impressions of $0.0012 are $0.0096; at the exchange's price of $0.001 ten would fit.
  expect(bids).toHaveLength(8);
  for (const bid of bids) await limited.buy(bid, '1');
  expect(await limited.balance()).toBe(100 - 0.0096);

  const poor = await advertiser({}, 0.0012);
  await poor.setMargin(20);
  await poor.buy(await poor.offer(), '1');
  expect(await poor.balance()).toBe(0);
  expect(await poor.offer()).toBeNull();
});

test('only operators see a margin: its change is in their log, and in nothing that the company reads', async () => {
  const { company, setMargin, campaignUuid } = await advertiser();
  await setMargin(12.34);
  await setMargin(12.34);
  const { acts } = (await app.operator('GET', `/acts?company_uuid=${company.companyId}`)).data;
  expect(acts).toMatchObject([
    { action: 'Changed', before: { margin_percent: 0 }, after: { margin_percent: 12.34 } },
    { action: 'Credited' },
  ]);
  const changes = await changesOf(app, company, company.companyId);
  const read = [changes, (await company.call('GET', '/notifications')).data];
  for (const path of [`/users/${company.userId}`, `/campaign/${campaignUuid}`, '/finance/transactions'])
    read.push((await company.call('GET', path)).data);
  expect(JSON.stringify(read)).not.toMatch(/margin|12\.34|1234/i);
});

test('a margin is a percentage from 0 to 100 with two decimals, set by finance and admins', async () => {
  const company = await app.freshCompany();
  const patch = async (role: 'finance' | 'moderator' | 'viewer', percent: unknown) => {
    const { headers } = await app.freshOperator(role);
    const url = `/api/operator/companies/${company.companyId}`;
    return app.http.inject({ method: 'PATCH', url, headers, payload: { margin_percent: percent } });
  };
  for (const wrong of [-1, 100.01, 1.234, '20', null])
    expect((await patch('finance', wrong)).json().errors).toMatchObject([{ field: 'margin_percent' }]);
  for (const role of ['moderator', 'viewer'] as const) expect((await patch(role, 5)).statusCode).toBe(403);
  expect((await patch('finance', 100)).json().data.margin_percent).toBe(100);
});
