import { expect, test } from 'vitest';
import { pathOf } from '../../../delivery/trackers/sample-ref.ts';
import { changesOf } from '@bidwell/testing/advertising';
import { bannerImp, campaignOn, freshExchange } from '@bidwell/testing/exchange';
import { testApp } from '@bidwell/testing/test-app';
import { eventually } from '@bidwell/testing/eventually';
import { dateAt } from '@bidwell/contract/lib/calendar';
import { storeEvents } from '@bidwell/testing/stored-events';

const app = await testApp({ MODERATION: 'auto' });

const BID = { algo: 'Manual CPM', bet_cpm: 1.2 };

const setTimeZone = async (companyId: string, timeZone: string) => {
  const response = await app.operator('PATCH', `/companies/${companyId}`, { time_zone: timeZone });
  // Bidders request an exhausted budget again only after seconds.
  app.clock.now = new Date(app.clock.now.getTime() + 10_000);
  await app.settled();
  return response;
};

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

/** A company whose balance pays for one impression of $0.0025, and the exchange that it alone bids on. */
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
  /** Buys a number of impressions; the bidder learns of each charge, and leases the rest, in its own time. */
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

test('a daily budget is not spent again in the day of the new time zone', async () => {
  const exchange = await freshExchange(app);
  const { company } = await campaignOn(app, exchange, { adset: { bet_cpm: 10, daily_budget_const: 0.01 } });
  const bid = await exchange.bid();
  expect((await app.http.inject(pathOf(bid.burl, '10'))).statusCode).toBe(200);
  await app.settled();
  expect(await exchange.bid()).toBeNull();
  const nowMs = Date.now();
  const elsewhere = ['Pacific/Kiritimati', 'Etc/GMT+12'].find(
    (zone) => dateAt(nowMs, zone) !== dateAt(nowMs, 'UTC'),
  )!;
  expect((await setTimeZone(company.companyId, elsewhere)).data.time_zone).toBe(elsewhere);
  expect(await exchange.bid()).toBeNull();
});

test('reports, the balance and statements have the days of the new time zone, and the company is notified', async () => {
  const company = await app.freshCompany();
  const { companyId } = company;
  await storeEvents(app.ctx, companyId, [
    { at: '2026-03-01T03:00:00Z', kind: 'billing', spendMicros: 5_000_000 },
  ]);
  const spent = async (date: string) => {
    const range = { start_date: date, end_date: date };
    const body = { ...range, levels: { adset: '' } };
    return (await company.call('POST', '/analytics/level', body)).data.total.spends;
  };
  expect([await spent('2026-02-28'), await spent('2026-03-01')]).toEqual([0, 5]);
  await setTimeZone(companyId, 'America/New_York');
  expect([await spent('2026-02-28'), await spent('2026-03-01')]).toEqual([5, 0]);
  const [change] = await changesOf(app, company, companyId);
  expect(change?.fields).toEqual([{ field: 'time_zone', before: 'UTC', after: 'America/New_York' }]);
  const [notification] = (await company.call('GET', '/notifications')).data;
  expect(notification.title).toBe('Time zone changed');
  const { acts } = (await app.operator('GET', `/acts?company_uuid=${companyId}`)).data;
  expect(acts).toMatchObject([
    { action: 'Changed', before: { time_zone: 'UTC' }, after: { time_zone: 'America/New_York' } },
  ]);
});

test('an unknown time zone, an offset or an abbreviation is refused', async () => {
  const { companyId } = await app.freshCompany();
  for (const wrong of ['Europe/Atlantis', '+02:00', 'CEST', '', 'europe/berlin', "UTC' or 1"])
    expect(await setTimeZone(companyId, wrong)).toMatchObject({
      status: 422,
      errors: [{ field: 'time_zone' }],
    });
});

test('a company sets its own name and time zone, and no other company does', async () => {
  const [company, other] = [await app.freshCompany(), await app.freshCompany()];
  const put = (body: object, by = company) => by.call('PUT', `/company/${company.companyId}`, body);
  expect(await put({ name: ' Pocket Games ', time_zone: 'America/New_York' })).toMatchObject({
    status: 200,
    data: { uuid: company.companyId, name: 'Pocket Games', time_zone: 'America/New_York' },
  });
  const { data: user } = await company.call('GET', `/users/${company.userId}`);
  expect(user.company).toMatchObject({ name: 'Pocket Games', time_zone: 'America/New_York' });
  const changes = (await changesOf(app, company, company.companyId)).map(({ author, fields }) => [
    author,
    fields,
  ]);
  expect(changes).toContainEqual([
    'Test Er',
    [expect.objectContaining({ field: 'name', after: 'Pocket Games' })],
  ]);
  expect(changes).toContainEqual([
    'Test Er',
    [{ field: 'time_zone', before: 'UTC', after: 'America/New_York' }],
  ]);
  const { data: notifications } = await company.call('GET', '/notifications');
  expect(notifications).toMatchObject([{ title: 'Time zone changed' }]);
  // An unchanged value is no change.
  expect((await put({ name: 'Pocket Games' })).status).toBe(200);
  expect(await changesOf(app, company, company.companyId)).toHaveLength(changes.length);
  expect(await put({ name: '', time_zone: 'Mars/Base' })).toMatchObject({
    status: 422,
    errors: [
      { field: 'name', message: 'Required' },
      { field: 'time_zone', message: 'Not a time zone' },
    ],
  });
  expect((await put({ name: 'Taken over' }, other)).status).toBe(404);
});
