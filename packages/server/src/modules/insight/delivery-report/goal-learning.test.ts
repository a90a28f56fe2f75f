import { v7 as uuidv7 } from 'uuid';
import { expect, test } from 'vitest';
import { make, makeAdsetParts } from '@bidwell/testing/advertising';
import { storeEvents } from '@bidwell/testing/stored-events';
import { testApp } from '@bidwell/testing/test-app';

const server = await testApp();

test('a delivery report says how many conversions an ad set with a goal has to learn from', async () => {
  const company = await server.freshCompany();
  const { body, appUuid } = await makeAdsetParts(server, company);
  const adset = async (fields: object) => make(company, '/adset', { ...body, ...fields });
  const cpa = await adset({ algo: 'Target CPA', goal_event: 'purchase', cpa: 20 });
  const roas = await adset({ algo: 'Target ROAS', roas: 80 });
  const none = await adset({ algo: 'Target ROAS', roas: 80 });
  const other = await adset({ algo: 'Target CPA', goal_event: 'level_9', cpa: 20 });
  const manual = await adset({});
  const adset_uuids = [cpa, roas, none, other, manual];
  const campaign = await make(company, '/campaign', { name: 'Launch', app_uuid: appUuid, adset_uuids });
  const at = (daysAgo: number) => new Date(server.ctx.now().getTime() - daysAgo * 86_400_000).toISOString();
  const [first, two, three] = [uuidv7(), uuidv7(), uuidv7()];
  const event = (adsetId: string, clickBidId: string, name: string, micros?: number, daysAgo = 1) => ({
    kind: 'app_event' as const,
    appId: appUuid,
    at: at(daysAgo),
    adsetId,
    app: {
      name,
      clickBidId,
      isAdRevenue: name === 'ad',
      ...(micros !== undefined && { revenueMicros: micros }),
    },
  });
  await storeEvents(server.ctx, company.companyId, [
    ...[first, first, two].map((person) => event(cpa, person, 'purchase')),
    event(cpa, three, 'level_10'),
    event(cpa, three, 'purchase', undefined, 8),
    event(roas, first, 'purchase', 3_000_000),
    event(roas, two, 'ad', 3_000_000),
    event(roas, three, 'ad'),
  ]);
  const range = `start_date=${at(1).slice(0, 10)}&end_date=${at(0).slice(0, 10)}`;
  const learningOf = async (uuid: string) => {
    const { data } = await company.call('GET', `/campaign/${campaign}/delivery?${range}`);
    return data.adsets.find((row: { uuid: string }) => row.uuid === uuid).learning;
  };
  const bought = { event: 'purchase', revenue_sources: [], needed: 50 };
  const revenue = { event: null, revenue_sources: ['purchases', 'ad_revenue'], needed: 50 };
  // The person of eight days ago no longer counts for the last seven days, but is still known, with a weight of two
  // thirds.
  expect(await learningOf(cpa)).toEqual({ ...bought, conversions: 2, expected_error_percent: 58.4 });
  expect(await learningOf(roas)).toEqual({ ...revenue, conversions: 2, expected_error_percent: 70.7 });
  // The learned figures of the app apply to each of its ad sets.
  expect(await learningOf(none)).toEqual(await learningOf(roas));
  expect(await learningOf(other)).toEqual({
    ...bought,
    event: 'level_9',
    conversions: 0,
    expected_error_percent: null,
  });
  expect(await learningOf(manual)).toBeNull();
  await company.call('PUT', `/app/${appUuid}/events`, { revenue_sources: ['purchases'] });
  expect(await learningOf(roas)).toMatchObject({ conversions: 1 });
});
