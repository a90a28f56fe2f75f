import type { CreativeFinding, CreativeFindings } from '@bidwell/contract/insight/creative-finding';
import { expect, test } from 'vitest';
import { make } from '@bidwell/testing/advertising';
import { uploadBanner } from '@bidwell/testing/bidding';
import { type Planted, plantedCampaign } from '@bidwell/testing/planted-campaign';
import { storeEvents } from '@bidwell/testing/stored-events';
import { testApp } from '@bidwell/testing/test-app';
import type { CreativeFacts, CreativeUse } from './facts.ts';
import { creativeFinding } from './creative-findings.ts';

const app = await testApp({ MODERATION: 'auto' });
const planted = (over?: Parameters<typeof plantedCampaign>[1]) => plantedCampaign(app, over);

async function findingsOf({ company }: Pick<Planted, 'company'>): Promise<CreativeFinding[]> {
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
const findingOf = async (campaign: Planted, uuid = campaign.creativeUuid) =>
  (await findingsOf(campaign)).find((one) => one.uuid === uuid)!;

test('a rejected creative and one in review are named, with the reason', async () => {
  const campaign = await planted();
  const set = (values: object) =>
    app.ctx.db
      .updateTable('creatives')
      .set({ approved: null, ...values })
      .where('company_uuid', '=', campaign.company.companyId)
      .execute();
  await set({ status: 'Rejected', rejection_reason: 'The text is too small.' });
  expect(await findingOf(campaign)).toMatchObject({
    code: 'creative_rejected',
    severity: 'blocked',
    text: 'It was rejected: The text is too small.',
    adsets: [],
  });
  await set({ status: 'Moderation', rejection_reason: null });
  expect(await findingOf(campaign)).toMatchObject({ code: 'creative_in_review' });
});

test('a creative that no running ad set uses names the missing parts', async () => {
  const campaign = await planted();
  const { company, groupUuid, adsetUuid, campaignUuid, appUuid } = campaign;
  const alone = await uploadBanner(company, appUuid);
  expect(await findingOf(campaign, alone)).toMatchObject({
    code: 'no_group',
    text: 'It is in no creative group.',
  });
  const unused = await make(company, '/creative_group', { name: 'Unused', banner_creatives: [alone] });
  expect(await findingOf(campaign, alone)).toMatchObject({
    code: 'no_adset',
    text: expect.stringMatching(/^No ad set for .* uses its creative group “Unused”\.$/),
  });
  await company.call('POST', `/creative_group/${unused}/archive`);
  expect(await findingOf(campaign, alone)).toMatchObject({
    code: 'group_archived',
    text: 'Its creative group “Unused” is archived.',
    remedy: { screen: 'creative_group', uuid: unused },
  });

  await company.call('POST', `/campaign/${campaignUuid}/pause`);
  expect(await findingOf(campaign)).toMatchObject({
    code: 'adsets_not_running',
    remedy: { screen: 'adset', uuid: adsetUuid },
  });
  await company.call('PUT', `/creative_group/${groupUuid}`, { status: 'Paused' });
  expect(await findingOf(campaign)).toMatchObject({
    code: 'group_paused',
    text: 'Its creative group “Banner” is paused.',
  });
});

test('a size that no request asks for is named, with those that they ask for', async () => {
  const campaign = await planted();
  await campaign.send({ imp: [{ id: '1', banner: { w: 300, h: 250 }, bidfloor: 0.5 }] });
  const finding = await findingOf(campaign);
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
  const { code, placement } = await findingOf(campaign);
  // No bid reaches the floor: the ad set has no impressions, but the creative has places.
  expect(code).toBe('adset_not_shown');
  expect(placement!.fitting).toBeGreaterThan(0);
  expect(placement!.exits).toMatchObject([{ exit: 'no_matching_format' }]);
  expect(placement!.fitting + placement!.exits[0]!.requests).toBe(placement!.requests);
});

test('an ad set whose target no request fits is named', async () => {
  const campaign = await planted({ target: { location_include: ['br'] } });
  await campaign.send();
  expect(await findingOf(campaign)).toMatchObject({
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
  expect(await findingOf(campaign, other)).toMatchObject({
    code: 'shown',
    severity: 'fine',
    text: 'It has 100% of the impressions of “Ad set”.',
  });
  expect(await findingOf(campaign)).toMatchObject({
    code: 'others_shown',
    severity: 'limited',
    text: '100% of the newest bid requests that “Ad set” targets have a place for it, but other creatives were shown: most often “Banner”, with 100% of the impressions.',
  });
  // Another company does not see it.
  expect(await findingsOf({ company: await app.freshCompany() })).toEqual([]);
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
