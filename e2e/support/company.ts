import { type DemoUser, type UserSession, logIn, register } from '@bidwell/exchange/demo/api';
import { randomBytes } from 'node:crypto';
import sharp from 'sharp';
import { z } from 'zod';
import { type Server, freshAddress } from './server.ts';

const Made = z.object({ uuid: z.uuid() });
type Made = z.infer<typeof Made>;
const Uploaded = Made.extend({ internal_creative: Made });

/** A company's user, and a session of that user. */
export interface Company extends UserSession {
  user: DemoUser;
}

/** Credentials of a new user, to be registered. */
function freshUser(name: string): DemoUser {
  const letters = [...randomBytes(16)].map((byte) => String.fromCodePoint(97 + (byte % 26))).join('');
  return { login: `${name}.${letters}`, password: 'a-password-of-a-test' };
}

/** Registers a new company, for one test only. */
export async function freshCompany(server: Server): Promise<Company> {
  const user = freshUser('test');
  await register(server.url, user, { 'x-forwarded-for': freshAddress() });
  return companyOf(server, user);
}

/** Starts a session of a user. */
export async function companyOf({ url }: Server, user: DemoUser): Promise<Company> {
  return { user, ...(await logIn(url, user, { 'x-forwarded-for': freshAddress() })) };
}

/** The entities that an ad set refers to. */
export interface AdsetParts {
  app: Made;
  group: Made;
  target: Made;
  link: Made;
}

const stores = {
  android: {
    store_link: 'https://play.google.com/store/apps/details?id=com.example.pocketfarm',
    bundle_id: 'com.example.pocketfarm',
  },
  ios: { store_link: 'https://apps.apple.com/us/app/pocket-farm/id1234567891', bundle_id: '1234567891' },
};

/** Creates the app "Pocket Farm" with the group "Spring banners", the target "Everyone" and the link "Partner". */
export async function makeAdsetParts(
  { api }: Company,
  os: keyof typeof stores = 'android',
): Promise<AdsetParts> {
  const app = await api.send(
    'POST',
    '/app',
    {
      name: 'Pocket Farm',
      os,
      ...stores[os],
      iab_category: 'IAB9-30',
      advertiser_domain: 'pocketfarm.example',
      mobile_measurement_partner: 'appsflyer',
    },
    Made,
  );
  const creative = await api.send('POST', '/v2/internal_creative', await bannerForm(app), Uploaded);
  const addresses = {
    click_url: 'https://app.appsflyer.com/com.example.pocketfarm?pid=bidwell_int&clickid={click_id}',
    view_url: 'https://impression.appsflyer.com/com.example.pocketfarm?pid=bidwell_int&clickid={click_id}',
  };
  const addressed = { internal_creative_uuid: creative.internal_creative.uuid, ...addresses };
  await api.send('POST', '/creative', addressed, Made);
  const [group, target, link] = await Promise.all([
    api.send('POST', '/creative_group', { name: 'Spring banners', banner_creatives: [creative.uuid] }, Made),
    api.send('POST', '/target', { app_id: app.uuid, name: 'Everyone' }, Made),
    api.send('POST', '/tracking_link', { app_id: app.uuid, name: 'Partner', ...addresses }, Made),
  ]);
  return { app, group, target, link };
}

async function bannerForm(app: Made): Promise<FormData> {
  const form = new FormData();
  form.set('name', 'Harvest');
  form.set('type', 'Banner');
  form.set('app_id', app.uuid);
  form.set('banner', new Blob([new Uint8Array(await bannerPicture())], { type: 'image/png' }), 'Harvest.png');
  return form;
}

/** A banner image, by default of an allowed size. */
export function bannerPicture(width = 320, height = 50): Promise<Buffer> {
  return sharp({ create: { width, height, channels: 3, background: '#2a6f4e' } })
    .png()
    .toBuffer();
}

/** Creates the ad set "Broad reach". */
export async function makeAdset({ api }: Company, { group, target, link }: AdsetParts): Promise<Made> {
  const adset = {
    name: 'Broad reach',
    target_id: target.uuid,
    tracking_link_id: link.uuid,
    creative_group_ids: [group.uuid],
    algo: 'Manual CPM',
    bet_cpm: 4,
  };
  return api.send('POST', '/adset', adset, Made);
}

/** Creates a campaign with one ad set, "Broad reach". */
export async function makeCampaign(company: Company, parts: AdsetParts, name: string): Promise<Made> {
  const { uuid } = await makeAdset(company, parts);
  const campaign = { name, app_uuid: parts.app.uuid, adset_uuids: [uuid] };
  return company.api.send('POST', '/campaign', campaign, Made);
}

/** Approves everything of the company and credits it, as the operator does before a campaign can start. */
export async function approveAndFund({ operator }: Server, { api, companyUuid }: Company): Promise<void> {
  const { apps } = await api.get('/app', z.object({ apps: z.array(Made) }));
  const { internal_creatives: creatives } = await api.get(
    '/internal_creative',
    z.object({ internal_creatives: z.array(Made) }),
  );
  const approved = { status: 'Approved' };
  for (const { uuid } of apps) await operator('POST', `/apps/${uuid}/decision`, approved);
  for (const { uuid } of creatives) await operator('POST', `/creatives/${uuid}/decision`, approved);
  await operator('POST', `/companies/${companyUuid}/credit`, { amount: 50, reason: 'Welcome' });
}

/** A fresh company with the running campaign "Spring launch", and the path of the exchange "Shop", which is new too. */
export async function runningCampaign(server: Server): Promise<{ company: Company; path: string }> {
  const company = await freshCompany(server);
  const { uuid } = await makeCampaign(company, await makeAdsetParts(company), 'Spring launch');
  await approveAndFund(server, company);
  await company.api.send('POST', `/campaign/${uuid}/start`, undefined, z.object({}));
  const { path } = await server.operator<{ path: string }>('PUT', '/ssps/shop', { name: 'Shop' });
  return { company, path };
}

const lists = {
  app: 'apps',
  target: 'targets',
  tracking_link: 'tracking_links',
  internal_creative_group: 'internal_creative_groups',
  adset: 'adsets',
  campaign: 'campaigns',
} as const;

/** The sorted names of the company's entities of a kind. */
export async function listed({ api }: Company, kind: keyof typeof lists): Promise<string[]> {
  const answer = await api.get(`/${kind}`, z.record(z.string(), z.array(z.object({ name: z.string() }))));
  return answer[lists[kind]]!.map(({ name }) => name).sort();
}
