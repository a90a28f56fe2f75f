import type { CampaignReach } from '@bidwell/contract/campaign-reports/reach';
import { v7 as uuidv7 } from 'uuid';
import { expect, test } from 'vitest';
import { type SampleEvent, makeCampaign, storeEvents } from '@bidwell/testing/stored-events';
import { type TestCompany, testApp } from '@bidwell/testing/test-app';
import { campaignReach } from './campaign-reach.ts';

const app = await testApp({ MODERATION: 'auto' });
const DAY_MS = 86_400_000;
const nowMs = app.ctx.now().getTime();
const dayOf = (ms: number) => new Date(ms).toISOString().slice(0, 10);

/** Charged impressions of a person, of the ad set or of each of several in turn. */
function seenBy(
  personKey: string,
  campaignId: string,
  adsets: readonly string[],
  times: number,
): SampleEvent[] {
  return Array.from({ length: times }, (_, index) => ({
    at: new Date(nowMs - DAY_MS).toISOString(),
    kind: 'billing' as const,
    campaignId,
    adsetId: adsets[index % adsets.length]!,
    spendMicros: 1000,
    personKey,
  }));
}

async function reachOf(company: TestCompany, campaign: string, from = nowMs - 7 * DAY_MS) {
  const { status, data, errors } = await company.call(
    'GET',
    `/campaign/${campaign}/reach?start_date=${dayOf(from)}&end_date=${dayOf(nowMs)}`,
  );
  return { status, errors, reach: data as CampaignReach };
}

const peopleOf = ({ distribution }: CampaignReach['total']) =>
  distribution.map(({ from, to, people }) => [`${from}-${to ?? ''}`, people]);

test('people and how often they saw the ads are counted, in all and by ad set', async () => {
  const company = await app.freshCompany();
  const campaign = await makeCampaign(app.ctx, company, 'Reach');
  const [one, two] = [uuidv7(), uuidv7()];
  const twice = seenBy('7', campaign, [one], 1)[0]!;
  const bidId = uuidv7();
  await storeEvents(app.ctx, company.companyId, [
    ...[1, 2, 3, 4, 5, 6, 10, 11, 40].flatMap((times) =>
      seenBy(String(times * 1000), campaign, [one], times),
    ),
    // Of both ad sets, and so once in all.
    ...seenBy('18446744073709551615', campaign, [one, two], 4),
    // One impression that two events charge.
    { ...twice, bidId },
    { ...twice, bidId, kind: 'impression', spendMicros: 20 },
    // Not an impression that counts.
    { ...twice, spendMicros: 0, kind: 'loss', personKey: '99' },
    { ...twice, test: true, personKey: '98' },
    { ...twice, personKey: '97', at: new Date(nowMs - 30 * DAY_MS).toISOString() },
    ...seenBy('0', campaign, [two], 5),
  ]);
  const { reach } = await reachOf(company, campaign);
  expect(reach.total).toMatchObject({ people: 11, impressions: 87, frequency: 87 / 11 });
  expect(peopleOf(reach.total)).toEqual([
    ['1-1', 2],
    ['2-2', 1],
    ['3-3', 1],
    ['4-5', 3],
    ['6-10', 2],
    ['11-', 2],
  ]);
  expect(reach.adsets.map(({ uuid, people, impressions }) => [uuid, people, impressions])).toEqual([
    [one, 11, 85],
    [two, 1, 2],
  ]);
  expect([reach.unknown_impressions, reach.one_in]).toEqual([5, 1]);
  expect(reach).not.toHaveProperty('re_engagement');
});

test('the revenue per person reached is of the events in the range, and not known without everyone or of unknown amounts', async () => {
  const company = await app.freshCompany();
  const campaign = await makeCampaign(app.ctx, company, 'Bought');
  const [paying, other] = [uuidv7(), uuidv7()];
  const seen = [
    ...seenBy('5', campaign, [paying], 2),
    ...seenBy('6', campaign, [paying], 1),
    ...seenBy('7', campaign, [other], 1),
  ];
  const event = { ...seen[0]!, kind: 'app_event' as const, spendMicros: 0, personKey: '0' };
  await storeEvents(app.ctx, company.companyId, [
    ...seen,
    { ...event, bidId: uuidv7(), app: { revenueMicros: 6_000_000 } },
    { ...event, bidId: uuidv7(), app: {} },
    {
      ...event,
      bidId: uuidv7(),
      app: { revenueMicros: 50 },
      at: new Date(nowMs - 30 * DAY_MS).toISOString(),
    },
  ]);
  const revenues = ({ total, adsets }: CampaignReach) =>
    [total, ...adsets].map(({ revenue, revenue_per_person: perPerson }) => [revenue, perPerson]);
  const known = (await reachOf(company, campaign)).reach;
  expect(revenues(known)).toEqual([
    [6, 2],
    [6, 3],
    [0, 0],
  ]);
  // An impression of the other ad set to a person who is not known.
  await storeEvents(app.ctx, company.companyId, seenBy('0', campaign, [other], 1));
  expect(revenues((await reachOf(company, campaign)).reach)).toEqual([
    [6, null],
    [6, 3],
    [0, null],
  ]);
  // An amount that is not known, and no other.
  const unknown = { ...event, adsetId: other, bidId: uuidv7(), app: { amount: '5' } };
  await storeEvents(app.ctx, company.companyId, [unknown]);
  expect(revenues((await reachOf(company, campaign)).reach)[2]).toEqual([null, null]);
});

test('a re-engagement campaign has its returns, and the revenue of its own events', async () => {
  const company = await app.freshCompany();
  const campaign = await makeCampaign(app.ctx, company, 'Back', 're_engagement');
  const adset = uuidv7();
  const events = [...seenBy('5', campaign, [adset], 2), ...seenBy('6', campaign, [adset], 1)];
  const returned = { ...events[0]!, spendMicros: 0, personKey: '0' };
  await storeEvents(app.ctx, company.companyId, [...events, { ...returned, kind: 'reattribution' }]);
  expect((await reachOf(company, campaign)).reach).toMatchObject({
    total: { revenue: 0, revenue_per_person: 0 },
    re_engagement: { reattributions: 1 },
  });
  await storeEvents(app.ctx, company.companyId, [
    { ...returned, kind: 'reengaged_event', app: { revenueMicros: 6_000_000 } },
  ]);
  expect((await reachOf(company, campaign)).reach).toMatchObject({
    total: { revenue: 6, revenue_per_person: 3 },
    adsets: [{ revenue: 6, revenue_per_person: 3 }],
  });
});

test('of many people a part is counted, and stands for all within 2%', async () => {
  const company = await app.freshCompany();
  const campaign = await makeCampaign(app.ctx, company, 'Many people');
  const adset = uuidv7();
  const people = 40_000;
  await app.ctx.clickhouse.command(
    `insert into events (time, kind, bid_id, company_id, campaign_id, adset_id, spend_micros, person_key)
     select toDateTime64('${new Date(nowMs - DAY_MS).toISOString().slice(0, 19).replace('T', ' ')}', 3, 'UTC'), 'billing',
       generateUUIDv4(), '${company.companyId}', '${campaign}', '${adset}', 1000, cityHash64(number % ${people})
     from numbers(${people * 3})`,
  );
  const query = { uuid: campaign, start_date: dayOf(nowMs - 2 * DAY_MS), end_date: dayOf(nowMs) };
  const all = await campaignReach(app.ctx, company, query);
  expect(all).toMatchObject({ one_in: 1, total: { people, impressions: people * 3, frequency: 3 } });
  const part = await campaignReach(app.ctx, company, query, people / 4);
  expect(part.one_in).toBeGreaterThanOrEqual(4);
  expect(Math.abs(part.total.people / people - 1)).toBeLessThan(0.02);
  expect(part.total.frequency).toBeCloseTo(3, 6);
});

test('nothing is known of another company, of no one, and of more than 90 days', async () => {
  const company = await app.freshCompany();
  const campaign = await makeCampaign(app.ctx, company, 'No one');
  const { reach } = await reachOf(company, campaign);
  expect(reach).toMatchObject({ total: { people: 0, frequency: null }, adsets: [], unknown_impressions: 0 });
  expect(await reachOf(company, campaign, nowMs - 90 * DAY_MS)).toMatchObject({
    status: 422,
    errors: [{ field: 'end_date', message: 'At most 90 days' }],
  });
  expect((await reachOf(company, campaign, nowMs - 89 * DAY_MS)).status).toBe(200);
  const other = await app.freshCompany();
  expect((await reachOf(other, campaign)).status).toBe(404);
});
