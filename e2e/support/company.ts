import { type DemoUser, type UserSession, logIn, register } from '@bidwell/exchange/demo/api';
import { randomBytes, randomUUID } from 'node:crypto';
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
  return { user, ...(await register(server.url, user, { 'x-forwarded-for': freshAddress() })) };
}

/** Starts another session of a user. */
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

/** Creates an app, of Google Play unless `changes` says otherwise. */
export async function makeApp({ api }: Company, name: string, changes: object = {}): Promise<Made> {
  const word = name.toLowerCase().replaceAll(/[^a-z]/g, '');
  const app = {
    name,
    os: 'android',
    store_link: `https://play.google.com/store/apps/details?id=com.example.${word}`,
    bundle_id: `com.example.${word}`,
    iab_category: 'IAB9-30',
    advertiser_domain: `${word}.example`,
    mobile_measurement_partner: 'appsflyer',
    ...changes,
  };
  return api.send('POST', '/app', app, Made);
}

/** What an app of the App Store has in place of one of Google Play. */
export const appStore = (id: string) => ({
  os: 'ios',
  store_link: `https://apps.apple.com/us/app/id${id}`,
  bundle_id: id,
});

/**
 * Creates the app "Pocket Farm" with the group "Spring banners", the target "Everyone" and the link "Partner". The target has
 * all exchanges, or those with the given slugs.
 */
export async function makeAdsetParts(
  company: Company,
  { store = {}, exchanges = [] }: { store?: object; exchanges?: string[] } = {},
): Promise<AdsetParts> {
  const { api } = company;
  const app = await makeApp(company, 'Pocket Farm', store);
  const banner = bannerForm(app, 'Harvest', await bannerPicture());
  const creative = await api.send('POST', '/v2/internal_creative', banner, Uploaded);
  const addresses = {
    click_url: 'https://app.appsflyer.com/com.example.pocketfarm?pid=bidwell_int&clickid={click_id}',
    view_url: 'https://impression.appsflyer.com/com.example.pocketfarm?pid=bidwell_int&clickid={click_id}',
  };
  const addressed = { internal_creative_uuid: creative.internal_creative.uuid, ...addresses };
  await api.send('POST', '/creative', addressed, Made);
  const everyone = { app_id: app.uuid, name: 'Everyone', exchange_include: exchanges };
  const [group, target, link] = await Promise.all([
    api.send('POST', '/creative_group', { name: 'Spring banners', banner_creatives: [creative.uuid] }, Made),
    api.send('POST', '/target', everyone, Made),
    api.send('POST', '/tracking_link', { app_id: app.uuid, name: 'Partner', ...addresses }, Made),
  ]);
  return { app, group, target, link };
}

/** The upload of a banner. */
export function bannerForm(app: Made, name: string, picture: Buffer): FormData {
  const form = new FormData();
  form.set('name', name);
  form.set('type', 'Banner');
  form.set('app_id', app.uuid);
  form.set('banner', new Blob([new Uint8Array(picture)], { type: 'image/png' }), `${name}.png`);
  return form;
}

/** A banner image, by default of an allowed size. */
export function bannerPicture(width = 320, height = 50, background = '#2a6f4e'): Promise<Buffer> {
  return sharp({ create: { width, height, channels: 3, background } })
    .png()
    .toBuffer();
}

/** Creates the ad set "Broad reach", which bids $4 CPM unless `changes` says otherwise. */
export async function makeAdset(
  { api }: Company,
  { group, target, link }: AdsetParts,
  changes: object = {},
): Promise<Made> {
  const adset = {
    name: 'Broad reach',
    target_id: target.uuid,
    tracking_link_id: link.uuid,
    creative_group_ids: [group.uuid],
    algo: 'Manual CPM',
    bet_cpm: 4,
    ...changes,
  };
  return api.send('POST', '/adset', adset, Made);
}

/** Creates a campaign with an ad set for each of `adsets`, which are changes of {@link makeAdset}; by default it has one. */
export async function makeCampaign(
  company: Company,
  parts: AdsetParts,
  name: string,
  adsets: readonly object[] = [{}],
): Promise<Made> {
  const uuids = [];
  for (const changes of adsets) uuids.push((await makeAdset(company, parts, changes)).uuid);
  const campaign = { name, app_uuid: parts.app.uuid, adset_uuids: uuids };
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

/** Adds an exchange. */
export async function freshExchange(
  { operator }: Server,
  name: string,
): Promise<{ slug: string; path: string }> {
  const slug = `exchange-${randomUUID().slice(0, 8)}`;
  const { path } = await operator<{ path: string }>('PUT', `/ssps/${slug}`, { name });
  return { slug, path };
}

export async function startCampaign({ api }: Company, uuid: string): Promise<void> {
  await api.send('POST', `/campaign/${uuid}/start`, undefined, z.object({}));
}

/**
 * A fresh company with the running campaign "Spring launch", which buys from the new exchange "Shop" alone, and the path of the
 * exchange.
 */
export async function runningCampaign(server: Server): Promise<{ company: Company; path: string }> {
  const { slug, path } = await freshExchange(server, 'Shop');
  const company = await freshCompany(server);
  const parts = await makeAdsetParts(company, { exchanges: [slug] });
  const { uuid } = await makeCampaign(company, parts, 'Spring launch');
  await approveAndFund(server, company);
  await startCampaign(company, uuid);
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
