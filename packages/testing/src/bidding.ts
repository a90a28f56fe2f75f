import { appBody, linkBody, make, targetBody } from './advertising.ts';
import type { CreativeType } from '@bidwell/contract/creatives/schema';
import { picture } from './files/pictures.ts';
import type { TestApp, TestCompany } from './test-app.ts';
import { video } from './files/videos.ts';

/** Ids of a running campaign and its parts. */
export interface RunningCampaign {
  appUuid: string;
  adsetUuid: string;
  campaignUuid: string;
  creativeUuid: string;
  groupUuid: string;
  bundle: string;
}

/**
 * Creates a campaign that bids: app, banner, group, target, link and ad set are created over HTTP, approved, funded and
 * started, and the bidder's snapshot contains it. Needs an app with `MODERATION=auto`.
 */
export async function makeRunningCampaign(
  app: Pick<TestApp, 'operator' | 'settled'>,
  company: Pick<TestCompany, 'companyId' | 'call' | 'upload'>,
  over: {
    app?: object;
    target?: object;
    adset?: object;
    link?: object;
    campaign?: object;
    amount?: number;
    creative?: CreativeType;
  } = {},
): Promise<RunningCampaign> {
  const appInput = { ...appBody(), ...over.app };
  const appUuid = await make(company, '/app', appInput);
  const type = over.creative ?? 'Banner';
  const creativeUuid = await uploadCreative(company, appUuid, type);
  const groupBody = { name: type, [`${type.toLowerCase()}_creatives`]: [creativeUuid] };
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
  const campaignInput = { name: 'Campaign', app_uuid: appUuid, adset_uuids: [adsetUuid], ...over.campaign };
  const campaignUuid = await make(company, '/campaign', campaignInput);
  const credit = { amount: over.amount ?? 100, reason: 'Test' };
  await app.operator('POST', `/companies/${company.companyId}/credit`, credit);
  const started = await company.call('POST', `/campaign/${campaignUuid}/start`);
  if (started.status !== 200) throw new Error(`The campaign does not start: ${JSON.stringify(started.data)}`);
  await app.settled();
  return { appUuid, adsetUuid, campaignUuid, creativeUuid, groupUuid, bundle: appInput.bundle_id };
}

/** Uploads a banner of 320 by 50 for an app; returns the creative's uuid. */
export function uploadBanner(company: Pick<TestCompany, 'upload'>, appUuid: string): Promise<string> {
  return uploadCreative(company, appUuid, 'Banner');
}

/** Uploads a minimal creative for an app (a video has 720 by 1280 pixels and 15 seconds); returns its uuid. */
async function uploadCreative(
  company: Pick<TestCompany, 'upload'>,
  appUuid: string,
  type: CreativeType,
): Promise<string> {
  const { status, data } = await company.upload('POST', '/v2/internal_creative', {
    name: type,
    type,
    app_id: appUuid,
    ...(await filesOf(type)),
  });
  if (status !== 201) throw new Error(`The creative was not taken: ${JSON.stringify(data)}`);
  return data.uuid;
}

async function filesOf(type: CreativeType): Promise<Parameters<TestCompany['upload']>[2]> {
  const image = async (width: number, height: number) => ({
    name: 'image.png',
    content: await picture(width, height),
  });
  switch (type) {
    case 'Banner':
      return { banner: await image(320, 50) };
    case 'Native':
      return {
        banner: await image(1200, 627),
        title: 'Solve a puzzle',
        sponsor: 'Puzzle Company',
        description: 'A puzzle a day',
      };
    case 'Video':
      return { video: { name: 'v.mp4', content: await video(720, 1280) }, banner: await image(720, 1280) };
    case 'Playable':
      return {
        playable: {
          name: 'p.html',
          content: Buffer.from('<!DOCTYPE html><p onclick="mraid.open()">Play</p>'),
        },
      };
  }
}
