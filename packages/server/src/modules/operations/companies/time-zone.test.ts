import { dateAt } from '@bidwell/contract/lib/calendar';
import { expect, test } from 'vitest';
import { pathOf } from '../../../delivery/trackers/sample-ref.ts';
import { changesOf } from '@bidwell/testing/advertising';
import { campaignOn, freshExchange } from '@bidwell/testing/exchange';
import { storeEvents } from '@bidwell/testing/stored-events';
import { testApp } from '@bidwell/testing/test-app';

const app = await testApp({ MODERATION: 'auto' });
const setTimeZone = async (companyId: string, timeZone: string) => {
  const response = await app.operator('PATCH', `/companies/${companyId}`, { time_zone: timeZone });
  // Bidders request an exhausted budget again only after seconds.
  app.clock.now = new Date(app.clock.now.getTime() + 10_000);
  await app.settled();
  return response;
};

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
  // What stays as it is, is no change.
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
