import { expect, test } from 'vitest';
import { pathOf } from '../../../delivery/trackers/sample-ref.ts';
import { eventually } from '@bidwell/testing/eventually';
import { campaignOn, freshExchange } from '@bidwell/testing/exchange';
import { testApp } from '@bidwell/testing/test-app';

const app = await testApp({ MODERATION: 'auto' });

/** A company whose balance is worth one impression of $0.0025, and the exchange that it alone bids on. */
async function spending() {
  const exchange = await freshExchange(app);
  const { company, ...made } = await campaignOn(app, exchange, { amount: 0.0025 });
  /** Offers an impression and buys it at the bid's price. False without a bid. */
  const buy = async (): Promise<boolean> => {
    const bid = await exchange.bid();
    if (!bid) return false;
    expect((await app.http.inject(pathOf(bid.burl, '2.5'))).statusCode).toBe(200);
    await app.settled();
    return true;
  };
  /** Buys a number of impressions; the bidder learns of each charge, and leases what is left, in its own time. */
  const buys = async (impressions: number): Promise<void> => {
    for (let bought = 0; bought < impressions; bought += 1)
      await eventually(async () => {
        app.clock.now = new Date(app.clock.now.getTime() + 10_000);
        await app.settled();
        expect(await buy()).toBe(true);
      });
  };
  const limit = async (dollars: number) => {
    const response = await app.operator('PATCH', `/companies/${company.companyId}`, {
      credit_limit: dollars,
    });
    // A bidder requests an exhausted budget again only after seconds.
    app.clock.now = new Date(app.clock.now.getTime() + 60_000);
    await app.settled();
    return response;
  };
  const funds = async () => (await company.call('GET', '/finance/balance')).data;
  return { company, buy, buys, limit, funds, ...made };
}

test('a company bids below zero down to its credit limit, and the ledger still sums to zero', async () => {
  const { company, buy, buys, limit, funds } = await spending();
  await buys(1);
  expect(await buy()).toBe(false);
  expect(await limit(0.005)).toMatchObject({ status: 200, data: { credit_limit: 0.005, balance: 0 } });
  await buys(2);
  expect(await buy()).toBe(false);
  expect(await funds()).toMatchObject({ balance: -0.005, credit_limit: 0.005 });

  await limit(0.0075);
  await buys(1);
  expect(await buy()).toBe(false);
  await limit(0);
  expect(await buy()).toBe(false);
  const check = (await app.operator('GET', '/ledger/check')).data;
  expect(check.disagreements).toEqual([]);
  expect((await app.operator('GET', '/ledger/check/last')).data).toEqual(check);

  const { data: notifications } = await company.call('GET', '/notifications');
  expect(notifications.map(({ title }: { title: string }) => title)).toEqual([
    'Credit limit changed',
    'Credit limit reached',
    'Credit limit changed',
    'Credit limit reached',
    'Credit limit changed',
    'Balance used up',
  ]);
});

test('a campaign starts on credit alone, and a debit stops at the credit limit', async () => {
  const { company, limit, funds, campaignUuid } = await spending();
  const debit = (amount: number) =>
    app.operator('POST', `/companies/${company.companyId}/debit`, { amount, reason: 'Correction' });
  await debit(0.0025);
  await company.call('POST', `/campaign/${campaignUuid}/pause`);
  const start = () => company.call('POST', `/campaign/${campaignUuid}/start`);
  expect(await start()).toMatchObject({ status: 409, data: 'The balance is empty: top up first.' });
  await limit(20);
  expect((await start()).status).toBe(200);

  expect(await debit(20.01)).toMatchObject({
    status: 409,
    data: 'The balance is $0.00 and the credit limit $20.00',
  });
  expect((await debit(20)).status).toBe(201);
  expect(await funds()).toMatchObject({ balance: -20, credit_limit: 20 });
});

test('companies below zero are counted in the health of the installation', async () => {
  const below = async () => (await app.operator('GET', '/health')).data.companies_below_zero;
  const before = await below();
  const company = await app.freshCompany();
  await app.operator('PATCH', `/companies/${company.companyId}`, { credit_limit: 10 });
  const move = (kind: 'credit' | 'debit', amount: number) =>
    app.operator('POST', `/companies/${company.companyId}/${kind}`, { amount, reason: 'Correction' });
  expect((await move('debit', 5)).status).toBe(201);
  expect(await below()).toBe(before + 1);
  await move('credit', 5);
  expect(await below()).toBe(before);

  const { buys, limit } = await spending();
  await limit(0.005);
  await buys(1);
  expect(await below()).toBe(before);
  await buys(1);
  expect(await below()).toBe(before + 1);
});
