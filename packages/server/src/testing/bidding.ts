import { appBody, linkBody, make, targetBody } from './advertising.ts';
import { picture } from './pictures.ts';
import type { TestApp, TestCompany } from './test-app.ts';

/** What a running campaign of a test is made of. */
export interface RunningCampaign {
  appUuid: string;
  adsetUuid: string;
  campaignUuid: string;
  creativeUuid: string;
  groupUuid: string;
  bundle: string;
}

/**
 * A campaign of the company that bids: app, banner, group, target, link and ad set made over HTTP, approved, paid for
 * and started; the bidder knows of it. On an app with `MODERATION=auto`.
 */
export async function makeRunningCampaign(
  app: TestApp,
  company: TestCompany,
  over: { app?: object; target?: object; adset?: object; link?: object; amount?: number } = {},
): Promise<RunningCampaign> {
  const appInput = { ...appBody(), ...over.app };
  const appUuid = await make(company, '/app', appInput);
  const creativeUuid = await uploadBanner(company, appUuid);
  const groupBody = { name: 'Banners', banner_creatives: [creativeUuid] };
  const groupUuid = await make(company, '/creative_group', groupBody);
  const adsetUuid = await make(company, '/adset', {
    name: 'Ad set',
    target_id: await make(company, '/target', targetBody(appUuid, { ...over.target })),
    tracking_link_id: await make(company, '/tracking_link', linkBody(appUuid, { ...over.link })),
    creative_group_ids: [groupUuid],
    algo: 'Manual CPM',
    bet_cpm: 2.5,
    ...over.adset,
  });
  const campaignInput = { name: 'Campaign', app_uuid: appUuid, adset_uuids: [adsetUuid] };
  const campaignUuid = await make(company, '/campaign', campaignInput);
  const credit = { amount: over.amount ?? 100, reason: 'Test' };
  await app.operator('POST', `/companies/${company.companyId}/credit`, credit);
  const started = await company.call('POST', `/campaign/${campaignUuid}/start`);
  if (started.status !== 200) throw new Error(`The campaign does not start: ${JSON.stringify(started.data)}`);
  await app.settled();
  return { appUuid, adsetUuid, campaignUuid, creativeUuid, groupUuid, bundle: appInput.bundle_id };
}

/** Uploads a banner of 320 by 50 for an app; answers the creative's uuid. */
export async function uploadBanner(company: TestCompany, appUuid: string): Promise<string> {
  const banner = { name: 'banner.png', content: await picture(320, 50) };
  const parts = { name: 'Banner', type: 'Banner', app_id: appUuid, banner };
  const { status, data } = await company.upload('POST', '/v2/internal_creative', parts);
  if (status !== 201) throw new Error(`The banner was not taken: ${JSON.stringify(data)}`);
  return data.uuid;
}
