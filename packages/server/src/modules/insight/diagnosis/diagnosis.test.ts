import type { Finding, Findings } from '@bidwell/contract/insight/finding';
import { expect, test } from 'vitest';
import { dayText } from '@bidwell/contract/lib/calendar';
import { uploadBanner } from '@bidwell/testing/bidding';
import { type Planted, plantedCampaign } from '@bidwell/testing/planted-campaign';
import { storeEvents } from '@bidwell/testing/stored-events';
import { testApp } from '@bidwell/testing/test-app';
import type { CreativeFinding, CreativeFindings } from '@bidwell/contract/insight/creative-finding';
import { make } from '@bidwell/testing/advertising';
import type { CreativeFacts, CreativeUse } from './facts.ts';
import { creativeFinding } from './creative-findings.ts';

const app = await testApp({ MODERATION: 'auto' });
const planted = (over?: Parameters<typeof plantedCampaign>[1]) => plantedCampaign(app, over);

const day = (ms: number) => new Date(ms).toISOString().slice(0, 10);
const DAY_MS = 86_400_000;

async function findingsOf({ company, campaignUuid }: Planted): Promise<Finding[]> {
  await app.settled();
  const today = day(app.ctx.now().getTime());
  const path = `/campaign/${campaignUuid}/findings?start_date=${today}&end_date=${today}`;
  const { status, data } = await company.call('GET', path);
  expect(status).toBe(200);
  return (data as Findings).findings;
}

/** The finding that limits it most, after the sentence on its budget. */
const firstOf = async (campaign: Planted): Promise<Finding> =>
  (await findingsOf(campaign)).find(({ code }) => code !== 'budget_use')!;

const banner = (w: number, h: number, bidfloor: number) => ({
  imp: [{ id: '1', banner: { w, h }, bidfloor }],
});

test.each<[what: string, over: Parameters<typeof plantedCampaign>[1], request: object, found: object]>([
  [
    'a wrong country is named, with the countries that the requests come from',
    { target: { location_include: ['br'] } },
    {},
    {
      code: 'country',
      text: '100% of the requests are of another country than “Ad set” targets (most often United States).',
      remedy: { label: 'Add United States', screen: 'target', field: 'location_include', value: 'US' },
    },
  ],
  [
    'a wrong region is named, with the regions that the requests come from',
    { target: { region_include: ['US-NY'] } },
    { device: { os: 'Android', geo: { country: 'USA', region: 'CA' } } },
    {
      code: 'region',
      text: '100% of the requests are of another region than “Ad set” targets (most often US-CA).',
      remedy: { label: 'Add US-CA', screen: 'target', field: 'region_include', value: 'US-CA' },
    },
  ],
  [
    'a wrong city is named as a target writes it',
    { target: { city_include: ['US:Boston'] } },
    { device: { os: 'Android', geo: { country: 'USA', city: 'Los Angeles' } } },
    {
      code: 'city',
      remedy: {
        label: 'Add US:Los Angeles',
        screen: 'target',
        field: 'city_include',
        value: 'US:Los Angeles',
      },
    },
  ],
  [
    'requests without an advertising ID are named where one is wanted',
    { target: { device_id: 'with' } },
    {},
    {
      code: 'device_id',
      text: '100% of the requests do not fit “Ad set” (advertising ID not as targeted).',
      remedy: { label: 'Change the target', screen: 'target', field: 'device_id', value: null },
    },
  ],
  [
    'another kind of placement is named',
    { target: { placement_kinds: ['rewarded'] } },
    {},
    {
      code: 'placement_kind',
      remedy: { label: 'Add other', screen: 'target', field: 'placement_kinds', value: 'other' },
    },
  ],
  [
    'a bid below the floors is named, with a bid that reaches them',
    {},
    banner(320, 50, 3.21),
    {
      code: 'floor',
      text: 'The bid of $2.50 of “Ad set” is below the floor of 100% of the requests in United States. At $3.21 it would compete for 100% of them.',
      remedy: { label: 'Set the bid to $3.21', screen: 'adset', field: 'bet_cpm', value: 3.21 },
    },
  ],
  [
    'a missing size is named',
    {},
    banner(300, 250, 0),
    {
      code: 'size_missing',
      text: expect.stringContaining('(most often 300×250)'),
      remedy: { screen: 'creatives', field: 'type', value: 'Banner' },
    },
  ],
  [
    'a format without a creative is named',
    {},
    { imp: [{ id: '1', video: { mimes: ['video/mp4'], w: 640, h: 360 } }] },
    { code: 'format_missing', remedy: { value: 'Video' } },
  ],
  [
    'a spent budget is named',
    // Each bid reserves its price.
    { adset: { daily_budget_const: 0.01 } },
    {},
    { code: 'daily_budget', remedy: { screen: 'adset', field: 'daily_budget_const' } },
  ],
  [
    'a spent budget of a country is named with the country',
    { adset: { countries: [{ country: 'US', daily_budget: 0.01 }] } },
    {},
    {
      code: 'country_budget',
      text: expect.stringMatching(/^The daily budget of “Ad set” in United States was used up for \d+% of /),
      remedy: { screen: 'adset', field: 'countries' },
    },
  ],
  [
    'a frequency cap that people have reached is named',
    { adset: { frequency_caps: [{ impressions: 1, minutes: 1440 }] } },
    {
      device: {
        os: 'Android',
        osv: '14',
        geo: { country: 'USA' },
        ifa: '6d92078a-8246-4ba4-ae5b-76104861e7dc',
      },
    },
    {
      code: 'capped',
      text: expect.stringMatching(
        /^9\d% of .* “Ad set” .* the frequency caps of the ad set \(at most 1 in any 24 hours\)\.$/,
      ),
      remedy: { screen: 'adset', field: 'frequency_caps' },
    },
  ],
  [
    'people without an id whom an ad set skips are named',
    { adset: { frequency_caps: [{ impressions: 1, minutes: 1440 }], people_without_id: 'skip' } },
    { device: { os: 'Android', osv: '14', geo: { country: 'USA' } } },
    { code: 'no_person_key', remedy: { screen: 'adset', field: 'people_without_id', value: 'bid' } },
  ],
  [
    'a blocklist that is too wide is named',
    { adset: { black_list_bundles: ['com.publisher'] } },
    {},
    {
      code: 'blocklist',
      text: expect.stringContaining('com.publisher'),
      remedy: { screen: 'adset', field: 'black_list_bundles' },
    },
  ],
  [
    'an allowlist without the publishers is named',
    { adset: { white_list_bundles: ['com.other'] } },
    {},
    { code: 'allowlist' },
  ],
  [
    'versions that no device has are named',
    { target: { device_min_os_version: '99' } },
    {},
    { code: 'os_version', text: expect.stringContaining('(most often 14)') },
  ],
])('%s', async (_what, over, request, found) => {
  const campaign = await planted(over);
  await campaign.send(request);
  expect(await firstOf(campaign)).toMatchObject(found);
});

test('the suggested bid has the margin of the company in it', async () => {
  const campaign = await planted();
  await app.operator('PATCH', `/companies/${campaign.company.companyId}`, { margin_percent: 20 });
  await campaign.send(banner(320, 50, 3));
  expect(await firstOf(campaign)).toMatchObject({ code: 'floor', remedy: { value: 3.6 } });
});

test('a used up balance is named', async () => {
  const campaign = await planted();
  const debit = { amount: 100, reason: 'Test' };
  await app.operator('POST', `/companies/${campaign.company.companyId}/debit`, debit);
  await campaign.send();
  expect(await firstOf(campaign)).toMatchObject({ code: 'balance', remedy: { screen: 'finances' } });
});

test('a rejected creative, and then a rejected tracking link, are named', async () => {
  const campaign = await planted();
  const decide = async (table: 'creatives' | 'tracking_links', status: 'Rejected' | 'Approved') =>
    app.ctx.db
      .updateTable(table)
      .set({ status, approved: null })
      .where('company_uuid', '=', campaign.company.companyId)
      .execute();
  await decide('creatives', 'Rejected');
  expect(await firstOf(campaign)).toMatchObject({
    code: 'creative_rejected',
    text: 'All creatives of “Ad set” were rejected.',
  });
  await decide('creatives', 'Approved');
  await decide('tracking_links', 'Rejected');
  expect(await firstOf(campaign)).toMatchObject({
    code: 'tracking_link_rejected',
    remedy: { screen: 'tracking_link' },
  });
});

test('an end date that is past, and then a paused campaign, are named', async () => {
  const campaign = await planted();
  const past = day(app.ctx.now().getTime() - 2 * DAY_MS);
  const setEnd = async (end_date: string | null) =>
    app.ctx.db
      .updateTable('campaigns')
      .set({ end_date })
      .where('company_uuid', '=', campaign.company.companyId)
      .execute();
  await setEnd(past);
  expect(await firstOf(campaign)).toMatchObject({
    code: 'ended',
    text: `The campaign ended on ${dayText(past)}.`,
  });
  await setEnd(null);
  await campaign.company.call('POST', `/campaign/${campaign.campaignUuid}/pause`);
  expect(await firstOf(campaign)).toMatchObject({ code: 'campaign_paused' });
});

/** Gives an audience a number of people, without a file. */
const setSize = async (uuid: string, size: number) =>
  app.ctx.db.updateTable('audiences').set({ size }).where('uuid', '=', uuid).execute();

test('an included audience without people stops the ad set, with the step to take', async () => {
  const campaign = await planted();
  const { company, adsetUuid } = campaign;
  const audience = await make(company, '/audience', { name: 'Payers' });
  await company.call('PUT', `/adset/${adsetUuid}`, { audience_include: [[audience]] });
  expect(await firstOf(campaign)).toMatchObject({
    code: 'audience_empty',
    severity: 'blocked',
    text: '“Payers” has no people yet, and “Ad set” includes it: the ad set makes no bids. Fill the audience, or choose another one.',
    remedy: { screen: 'adset', uuid: adsetUuid, field: 'audience_include' },
  });
  const { target } = (await company.call('GET', `/adset/${adsetUuid}`)).data;
  await company.call('PUT', `/adset/${adsetUuid}`, { audience_include: [] });
  await company.call('PUT', `/target/${target.uuid}`, { audience_include: [[audience]] });
  expect(await firstOf(campaign)).toMatchObject({
    code: 'audience_empty',
    text: expect.stringContaining('the target of “Ad set” includes it'),
    remedy: { screen: 'target', uuid: target.uuid, field: 'audience_include' },
  });
  await app.ctx.db
    .updateTable('audiences')
    .set({ kind: 'url', source_url: 'https://files.example.com/ids.csv' })
    .where('uuid', '=', audience)
    .execute();
  expect((await findingsOf(campaign)).map(({ code }) => code)).not.toContain('audience_empty');
});

test('an audience that an ad set includes and its target leaves out stops the ad set', async () => {
  const campaign = await planted();
  const { company, adsetUuid } = campaign;
  const audience = await make(company, '/audience', { name: 'Payers' });
  await setSize(audience, 10);
  const { target } = (await company.call('GET', `/adset/${adsetUuid}`)).data;
  await company.call('PUT', `/adset/${adsetUuid}`, { audience_include: [[audience]] });
  await company.call('PUT', `/target/${target.uuid}`, { audience_exclude: [audience] });
  expect(await firstOf(campaign)).toMatchObject({
    code: 'audience_contradiction',
    severity: 'blocked',
    text: '“Ad set” includes “Payers”, and its target leaves it out, too: the ad set makes no bids.',
    remedy: { screen: 'adset', uuid: adsetUuid, field: 'audience_include' },
  });
  await company.call('PUT', `/target/${target.uuid}`, { audience_exclude: [] });
  await company.call('PUT', `/adset/${adsetUuid}`, { exclude_installed: true });
  await app.ctx.db
    .updateTable('audiences')
    .set({ is_installed: true, app_uuid: campaign.appUuid })
    .where('uuid', '=', audience)
    .execute();
  expect(await firstOf(campaign)).toMatchObject({
    code: 'audience_contradiction',
    text: '“Ad set” includes “Payers”, and leaves out people who have the app: the ad set makes no bids.',
    remedy: { screen: 'adset', field: 'exclude_installed' },
  });
});

test('an audience that the people of the requests are not in, and people who cannot be looked up, are named', async () => {
  const campaign = await planted();
  const { company, adsetUuid } = campaign;
  const audience = await make(company, '/audience', { name: 'Payers' });
  await setSize(audience, 10);
  await company.call('PUT', `/adset/${adsetUuid}`, { audience_include: [[audience]] });
  const device = { os: 'Android', osv: '14', geo: { country: 'USA' } };
  await campaign.send({ device: { ...device, ifa: '6d92078a-8246-4ba4-ae5b-76104861e7dc' } });
  expect(await firstOf(campaign)).toMatchObject({
    code: 'audience',
    text: '100% of the requests that “Ad set” targets are of people who are not in its audiences.',
    remedy: { screen: 'adset', field: 'audience_include' },
  });
  await company.call('PUT', `/adset/${adsetUuid}`, { audience_include: [] });
  const { target } = (await company.call('GET', `/adset/${adsetUuid}`)).data;
  await company.call('PUT', `/target/${target.uuid}`, { audience_include: [[audience]] });
  expect(await firstOf(campaign)).toMatchObject({
    code: 'audience',
    remedy: { screen: 'target', uuid: target.uuid, field: 'audience_include' },
  });
  const other = await planted();
  const excluded = await make(other.company, '/audience', { name: 'Payers' });
  const choice = { audience_exclude: [excluded], audience_without_id: 'skip' };
  await other.company.call('PUT', `/adset/${other.adsetUuid}`, choice);
  await other.send({ device });
  expect(await firstOf(other)).toMatchObject({
    code: 'audience',
    text: expect.stringContaining('who cannot be looked up in its audiences'),
  });
});

test('an ad set of the same company that takes the impressions is named', async () => {
  const campaign = await planted();
  const { company, adsetUuid, groupUuid, campaignUuid, appUuid } = campaign;
  const { data: adset } = await company.call('GET', `/adset/${adsetUuid}`);
  const { data: stronger } = await company.call('POST', '/adset', {
    name: 'Stronger',
    target_id: adset.target.uuid,
    tracking_link_id: adset.tracking_link.uuid,
    creative_group_ids: [groupUuid],
    algo: 'Manual CPM',
    bet_cpm: 4,
  });
  await company.call('PUT', `/campaign/${campaignUuid}`, {
    name: 'Campaign',
    app_uuid: appUuid,
    adset_uuids: [adsetUuid, stronger.uuid],
  });
  await campaign.send();
  expect(await firstOf(campaign)).toMatchObject({
    code: 'outbid_by_own',
    adset: { name: 'Ad set' },
    remedy: { label: 'Open “Stronger”', uuid: stronger.uuid },
  });
});

test('a campaign shows the used share of its budget for the hours of the range in which it ran', async () => {
  const campaign = await planted({ adset: { daily_budget_const: 24 } });
  const { company, campaignUuid, adsetUuid } = campaign;
  await app.settled();
  // It ran from noon of the day before: half a day.
  const midnight = Date.parse(`${day(app.ctx.now().getTime())}T00:00:00Z`) - DAY_MS;
  const counts = { outbid_by: '', samples: 20, requests: 20, variance: 0 };
  await app.ctx.clickhouse.insert(
    'funnel',
    [12, 15].flatMap((hour) =>
      ['floor', 'sent', 'chosen'].map((exit) => ({
        hour: new Date(midnight + hour * 3_600_000).toISOString().slice(0, 19).replace('T', ' '),
        company_id: company.companyId,
        campaign_id: campaignUuid,
        adset_id: adsetUuid,
        exit,
        ...counts,
      })),
    ),
  );
  const at = new Date(midnight + 13 * 3_600_000).toISOString();
  const spent = { at, campaignId: campaignUuid, adsetId: adsetUuid, spendMicros: 6_000_000 };
  await storeEvents(app.ctx, company.companyId, [{ ...spent, kind: 'billing' }]);
  const path = `/campaign/${campaignUuid}/findings?start_date=${day(midnight)}&end_date=${day(midnight)}`;
  const { data } = await company.call('GET', path);
  expect(data.findings[0]).toMatchObject({
    code: 'budget_use',
    text: expect.stringContaining('It uses 50% of its budget: $6.00 of $12.00'),
  });
});

test('a finding stays between two readings until its figure is clearly better', async () => {
  const low = banner(320, 50, 0.01);
  const high = banner(320, 50, 3.21);
  const [read, unread] = [await planted(), await planted()];
  for (const campaign of [read, unread]) {
    await campaign.send(high, 11);
    await campaign.send(low, 9);
    if (campaign === read) expect((await firstOf(read)).code).toBe('floor');
    await campaign.send(low, 3);
  }
  expect((await findingsOf(read)).map(({ code }) => code)).toContain('floor');
  expect((await findingsOf(unread)).map(({ code }) => code)).not.toContain('floor');
  await read.send(low, 60);
  expect((await findingsOf(read)).map(({ code }) => code)).not.toContain('floor');
});

test('the causes that limit the campaigns and ad sets of a company most are listed, without the ones that are fine', async () => {
  const limited = await planted();
  await limited.send(banner(320, 50, 3.21));
  // Bids that may still win, without a budget to use.
  const fine = await planted();
  await fine.send();
  await app.settled();
  const today = day(app.ctx.now().getTime());
  const listOf = async ({ company }: Planted) =>
    (await company.call('GET', `/findings?start_date=${today}&end_date=${today}`)).data.campaigns;
  expect(await listOf(limited)).toMatchObject([
    {
      uuid: limited.campaignUuid,
      finding: { code: 'floor' },
      adsets: [{ uuid: limited.adsetUuid, finding: { code: 'floor', adset: { name: 'Ad set' } } }],
    },
  ]);
  expect(await listOf(fine)).toEqual([]);
});

test('a lost request is shown without personal data and without data between exchange and operator', async () => {
  const campaign = await planted();
  const device = { os: 'Android', osv: '14', ifa: 'an-id', ip: '203.0.113.9', geo: { country: 'USA' } };
  const imp = {
    id: '1',
    banner: { w: 320, h: 50 },
    bidfloor: 7.77,
    tagid: 'a-placement',
    pmp: { deals: [{ id: 'a-deal' }] },
    ext: { bidder: 'a-setting' },
  };
  await campaign.send({
    imp: [imp],
    device,
    app: { bundle: 'com.publisher', id: 'an-app', url: 'https://example.com/?mail=a@example.com' },
    wseat: ['Bidwell'],
    source: { schain: { complete: 1, nodes: [{ asi: 'exchange.example', sid: '1' }] } },
    regs: { coppa: 0, ext: { gdpr: 0 } },
  });
  await app.settled();
  const lost = async (exit: string) =>
    (await campaign.company.call('GET', `/campaign/${campaign.campaignUuid}/delivery/request?exit=${exit}`))
      .data.lost;
  const { request } = await lost('floor');
  expect(request).toEqual({
    id: expect.any(String),
    imp: [{ id: '1', banner: { w: 320, h: 50 }, bidfloor: 7.77 }],
    device: { os: 'Android', osv: '14', geo: { country: 'USA' } },
    app: { bundle: 'com.publisher', url: 'example.com' },
    regs: { coppa: 0 },
  });
  expect(await lost('connection_type')).toBeNull();
});

test('a range without data is no reason to change anything', async () => {
  const campaign = await planted();
  await uploadBanner(campaign.company, campaign.appUuid);
  const path = `/campaign/${campaign.campaignUuid}/findings?start_date=2026-01-01&end_date=2026-01-02`;
  const { data } = await campaign.company.call('GET', path);
  expect((data as Findings).findings).toMatchObject([
    {
      code: 'no_requests',
      text: expect.stringContaining('There is no data for Jan 01 / 2026 to Jan 02 / 2026'),
    },
  ]);
});

test('the findings of another company are not found', async () => {
  const { campaignUuid } = await planted();
  const other = await app.freshCompany();
  const path = `/campaign/${campaignUuid}/findings?start_date=2026-01-01&end_date=2026-01-02`;
  expect((await other.call('GET', path)).status).toBe(404);
});

test('a Target CPI that loses its auctions is told its target, not a CPM bid', async () => {
  const campaign = await planted({ adset: { algo: 'Target CPI', bet_cpi: 2, bet_cpm: 40 } });
  const { company, campaignUuid, adsetUuid } = campaign;
  await app.settled();
  const now = app.ctx.now().getTime();
  const of = { campaignId: campaignUuid, adsetId: adsetUuid };
  const hour = new Date(Math.floor(now / 3_600_000) * 3_600_000).toISOString().slice(0, 19).replace('T', ' ');
  await app.ctx.clickhouse.insert(
    'funnel',
    ['sent', 'chosen'].map((exit) => ({
      hour,
      company_id: company.companyId,
      campaign_id: campaignUuid,
      adset_id: adsetUuid,
      exit,
      outbid_by: '',
      samples: 100,
      requests: 100,
      variance: 0,
    })),
  );
  // Bids of $5.00 with the margin, of which others would have won at $8.00 and $12.00.
  const lost = (minToWinCpmMicros: number) => ({
    at: new Date(now - 1000).toISOString(),
    kind: 'loss' as const,
    ...of,
    lossReason: 102,
    bidCpmMicros: 4_000_000,
    chargedCpmMicros: 5_000_000,
    minToWinCpmMicros,
  });
  await storeEvents(app.ctx, company.companyId, [
    ...Array.from({ length: 40 }, () => lost(8_000_000)),
    ...Array.from({ length: 20 }, () => lost(12_000_000)),
  ]);
  const found = (await findingsOf(campaign)).find(({ code }) => code === 'win_price')!;
  expect(found.text).toContain('Its target CPI of $2.00 limits its bids.');
  expect(found.text).toContain(
    'half would have won at a target CPI of about $3.20, four of five at about $4.80.',
  );
  expect(found.remedy).toMatchObject({ label: 'Set the target CPI to $3.20', field: 'bet_cpi', value: 3.2 });
});

test('a goal whose event never arrived for the app says so, and names the basis of its bids and the remedy', async () => {
  const campaign = await planted({
    adset: { algo: 'Target CPA', goal_event: 'purchase', cpa: 20, daily_budget_const: 50 },
  });
  await campaign.send();
  const found = async () =>
    (await findingsOf(campaign)).find(
      ({ code, text }) => code === 'goal_missing' && text.includes('arrived'),
    );
  expect(await found()).toMatchObject({
    severity: 'advice',
    adset: { uuid: campaign.adsetUuid },
    text: expect.stringMatching(
      /^No event “purchase” has arrived for “.+” since it was added on .+\. Until one does, “Ad set” bids by an assumed value of \$1\.00 per install, and by less the more installs bring none\. Check that .+ sends the postback of this event, under exactly this name\.$/,
    ),
    remedy: { screen: 'measurement', uuid: campaign.campaignUuid },
  });
  await app.ctx.db
    .insertInto('app_event_names')
    .values({
      company_uuid: campaign.company.companyId,
      app_uuid: campaign.appUuid,
      name: 'purchase',
      first_seen_at: app.ctx.now(),
    })
    .execute();
  expect(await found()).toBeUndefined();
});

test('a goal event that is not among the names that are counted for its app says that, not that it never came', async () => {
  const campaign = await planted({ adset: { algo: 'Target CPA', goal_event: 'level_900', cpa: 20 } });
  await campaign.send();
  await app.ctx.db
    .insertInto('app_event_names')
    .values(
      Array.from({ length: 500 }, (_unused, index) => ({
        company_uuid: campaign.company.companyId,
        app_uuid: campaign.appUuid,
        name: `level_${index}`,
        first_seen_at: app.ctx.now(),
      })),
    )
    .execute();
  const found = (await findingsOf(campaign)).find(({ code }) => code === 'goal_missing');
  expect(found!.text).toContain('“level_900” is not among the 500 event names that are counted for');
  expect(found!.text).not.toContain('arrived');
});

test('the list of causes that limit campaigns has the learning of ad sets with a goal, in the same words as their findings', async () => {
  const campaign = await planted({ adset: { algo: 'Target CPA', goal_event: 'purchase', cpa: 20 } });
  const { company, campaignUuid, adsetUuid } = campaign;
  await campaign.send();
  const at = new Date(app.ctx.now().getTime() - 1000).toISOString();
  const { data: adset } = await company.call('GET', `/adset/${adsetUuid}`);
  const event = {
    at,
    kind: 'app_event' as const,
    appId: adset.target.app.uuid,
    adsetId: adsetUuid,
    app: { name: 'purchase' },
  };
  await storeEvents(app.ctx, company.companyId, [event, event]);
  await app.settled();
  const today = day(app.ctx.now().getTime());
  const { data } = await company.call('GET', `/findings?start_date=${today}&end_date=${today}`);
  const text = '2 of about 50 people with “purchase” in 7 days, of all ad sets of the app, ± 71%';
  expect(data.learning).toEqual([
    {
      uuid: adsetUuid,
      campaign_uuid: campaignUuid,
      event: 'purchase',
      revenue_sources: [],
      conversions: 2,
      needed: 50,
      expected_error_percent: 70.7,
      text: `Learning: ${text}.`,
    },
  ]);
  expect((await findingsOf(campaign)).find(({ code }) => code === 'learning')!.text).toContain(text);
});

async function creativeFindingsOf({ company }: Pick<Planted, 'company'>): Promise<CreativeFinding[]> {
  await app.settled();
  const today = app.ctx.now().toISOString().slice(0, 10);
  const { status, data } = await company.call(
    'GET',
    `/findings/creatives?start_date=${today}&end_date=${today}`,
  );
  expect(status).toBe(200);
  return (data as CreativeFindings).creatives;
}

/** The finding of the creative with which a campaign was planted. */
const creativeFindingOf = async (campaign: Planted, uuid = campaign.creativeUuid) =>
  (await creativeFindingsOf(campaign)).find((one) => one.uuid === uuid)!;

test('a rejected creative and one in review are named, with the reason', async () => {
  const campaign = await planted();
  const set = (values: object) =>
    app.ctx.db
      .updateTable('creatives')
      .set({ approved: null, ...values })
      .where('company_uuid', '=', campaign.company.companyId)
      .execute();
  await set({ status: 'Rejected', rejection_reason: 'The text is too small.' });
  expect(await creativeFindingOf(campaign)).toMatchObject({
    code: 'creative_rejected',
    severity: 'blocked',
    text: 'It was rejected: The text is too small.',
    adsets: [],
  });
  await set({ status: 'Moderation', rejection_reason: null });
  expect(await creativeFindingOf(campaign)).toMatchObject({ code: 'creative_in_review' });
});

test('a creative that no running ad set uses names the missing parts', async () => {
  const campaign = await planted();
  const { company, groupUuid, adsetUuid, campaignUuid, appUuid } = campaign;
  const alone = await uploadBanner(company, appUuid);
  expect(await creativeFindingOf(campaign, alone)).toMatchObject({
    code: 'no_group',
    text: 'It is in no creative group.',
  });
  const unused = await make(company, '/creative_group', { name: 'Unused', banner_creatives: [alone] });
  expect(await creativeFindingOf(campaign, alone)).toMatchObject({
    code: 'no_adset',
    text: expect.stringMatching(/^No ad set for .* uses its creative group “Unused”\.$/),
  });
  await company.call('POST', `/creative_group/${unused}/archive`);
  expect(await creativeFindingOf(campaign, alone)).toMatchObject({
    code: 'group_archived',
    text: 'Its creative group “Unused” is archived.',
    remedy: { screen: 'creative_group', uuid: unused },
  });

  await company.call('POST', `/campaign/${campaignUuid}/pause`);
  expect(await creativeFindingOf(campaign)).toMatchObject({
    code: 'adsets_not_running',
    remedy: { screen: 'adset', uuid: adsetUuid },
  });
  await company.call('PUT', `/creative_group/${groupUuid}`, { status: 'Paused' });
  expect(await creativeFindingOf(campaign)).toMatchObject({
    code: 'group_paused',
    text: 'Its creative group “Banner” is paused.',
  });
});

test('a size that no request asks for is named, with those that they ask for', async () => {
  const campaign = await planted();
  await campaign.send({ imp: [{ id: '1', banner: { w: 300, h: 250 }, bidfloor: 0.5 }] });
  const finding = await creativeFindingOf(campaign);
  expect(finding).toMatchObject({
    code: 'no_placement',
    severity: 'limited',
    text: 'None of the newest bid requests that “Ad set” targets has a place for this banner of 320×50: 100% ask for another size (most often 300×250).',
    remedy: { label: 'Add a creative', screen: 'creatives', uuid: campaign.appUuid, value: 'Banner' },
    adsets: [{ uuid: campaign.adsetUuid, name: 'Ad set', code: 'no_placement' }],
  });
  const { placement } = finding;
  expect(placement!.fitting).toBe(0);
  expect(placement!.exits).toEqual([{ exit: 'no_matching_size', requests: placement!.requests }]);
});

test('each request is counted at the imp that takes the creative furthest', async () => {
  const campaign = await planted();
  await campaign.send({
    imp: [
      { id: '1', banner: { w: 300, h: 250 } },
      { id: '2', banner: { w: 320, h: 50 }, bidfloor: 90 },
    ],
  });
  await campaign.send({ imp: [{ id: '1', video: { mimes: ['video/mp4'], w: 640, h: 360 } }] });
  const { code, placement } = await creativeFindingOf(campaign);
  // No bid reaches the floor: the ad set has no impressions, but the creative has places.
  expect(code).toBe('adset_not_shown');
  expect(placement!.fitting).toBeGreaterThan(0);
  expect(placement!.exits).toMatchObject([{ exit: 'no_matching_format' }]);
  expect(placement!.fitting + placement!.exits[0]!.requests).toBe(placement!.requests);
});

test('an ad set whose target no request fits is named', async () => {
  const campaign = await planted({ target: { location_include: ['br'] } });
  await campaign.send();
  expect(await creativeFindingOf(campaign)).toMatchObject({
    code: 'no_requests',
    remedy: { screen: 'delivery', uuid: campaign.campaignUuid },
  });
});

test('a creative that was shown has its share, and one that was not names that which is', async () => {
  const campaign = await planted();
  const { company, appUuid, groupUuid, creativeUuid, adsetUuid, campaignUuid } = campaign;
  const other = await uploadBanner(company, appUuid);
  await company.call('PUT', `/creative_group/${groupUuid}`, { banner_creatives: [creativeUuid, other] });
  await campaign.send();
  const at = app.ctx.now().toISOString();
  const event = { at, kind: 'impression', campaignId: campaignUuid, adsetId: adsetUuid } as const;
  await storeEvents(
    app.ctx,
    company.companyId,
    Array.from({ length: 40 }, () => ({ ...event, creativeId: other })),
  );
  expect(await creativeFindingOf(campaign, other)).toMatchObject({
    code: 'shown',
    severity: 'fine',
    text: 'It has 100% of the impressions of “Ad set”.',
  });
  expect(await creativeFindingOf(campaign)).toMatchObject({
    code: 'others_shown',
    severity: 'limited',
    text: '100% of the newest bid requests that “Ad set” targets have a place for it, but other creatives were shown: most often “Banner”, with 100% of the impressions.',
  });
  // Another company does not see it.
  expect(await creativeFindingsOf({ company: await app.freshCompany() })).toEqual([]);
});

const use: CreativeUse = {
  adset: { uuid: 'a', name: 'Broad' },
  campaign: { uuid: 'c', name: 'Spring' },
  isActive: true,
  isBidding: true,
  isServed: true,
  impressions: 0,
  adsetImpressions: 0,
  leader: null,
  placement: null,
};
const facts: CreativeFacts = {
  uuid: 'u',
  appUuid: 'p',
  appName: 'Harbor',
  type: 'Native',
  size: '1200×627',
  review: 'Approved',
  rejectionReason: null,
  tooLargeFor: [],
  notApprovedAt: [],
  groups: [{ uuid: 'g', name: 'Natives', state: 'running' }],
  uses: [use],
};

test('parts that the bidder lacks are named, and the ad set that shows a creative comes first', () => {
  const codeOf = (...uses: Partial<CreativeUse>[]) =>
    creativeFinding({ ...facts, uses: uses.map((one) => ({ ...use, ...one })) }).code;
  expect(codeOf({ isServed: false })).toBe('texts_missing');
  expect(codeOf({ isBidding: false })).toBe('adset_not_bidding');
  expect(codeOf({})).toBe('not_shown');
  expect(codeOf({ isBidding: false }, {})).toBe('not_shown');
  expect(codeOf({ isBidding: false }, { impressions: 3, adsetImpressions: 12 }, {})).toBe('shown');
  const shares = creativeFinding({
    ...facts,
    uses: [
      { ...use, impressions: 3, adsetImpressions: 12 },
      { ...use, adset: { uuid: 'b', name: 'Narrow' }, impressions: 9, adsetImpressions: 10 },
    ],
  });
  expect(shares.text).toBe('It has 90% of the impressions of “Narrow”.');
  expect(shares.adsets.map(({ name }) => name)).toEqual(['Narrow', 'Broad']);
});
