import { Adset } from '@bidwell/contract/adset';
import { App } from '@bidwell/contract/app';
import { Campaign } from '@bidwell/contract/campaign';
import { Creative } from '@bidwell/contract/creative';
import { CreativeGroup } from '@bidwell/contract/creative-group';
import { OperatorCompany, Ssp } from '@bidwell/contract/operator';
import { Target } from '@bidwell/contract/target';
import { TrackingLink } from '@bidwell/contract/tracking-link';
import { z } from 'zod';
import type { Api, DemoUser } from './api.ts';
import { logIn, operatorApi, register } from './api.ts';
import { drawBanner } from './artwork.ts';
import { trackingLinksOf } from './links.ts';
import type { AdsetPlan, AppPlan, CampaignPlan } from './plan.ts';
import { PLAN } from './plan.ts';

export const DEMO_USER: DemoUser = { login: 'demo.bidwell', password: 'demo-bidwell' };
/** Slug of the demo's exchange. */
export const DEMO_SSP = 'sample';

const FUNDS_DOLLARS = 5000;
/** Below this balance the operator credits the company again. */
const FUNDS_LOW_DOLLARS = 1000;

/** The demo company, and the console's API as its user. */
export interface DemoCompany {
  api: Api;
  companyUuid: string;
  postbackSecret: string;
  /** The secret in the sample exchange's URL. */
  exchangeSecret: string;
}

/**
 * Creates the demo company through the server's API, as an advertiser and an operator would: user, apps, creatives,
 * groups, targets, tracking links, ad sets and campaigns, approved, funded and started. Idempotent: existing entities,
 * matched by name, stay as they are. Throws ApiError.
 */
export async function ensureDemoCompany(
  url: string,
  operatorToken: string,
  user: DemoUser = DEMO_USER,
): Promise<DemoCompany> {
  const operator = operatorApi(url, operatorToken);
  const { companies } = await operator.get(
    `/companies?q=${encodeURIComponent(user.login)}`,
    z.object({ companies: z.array(OperatorCompany) }),
  );
  if (!companies.some(({ logins }) => logins.includes(user.login))) await register(url, user);
  const { api, companyUuid } = await logIn(url, user);
  return equipDemoCompany({ api, operator, url }, companyUuid);
}

/** Gives a registered company everything of the demo company, as ensureDemoCompany does. Throws ApiError. */
export async function equipDemoCompany(demo: Demo, companyUuid: string): Promise<DemoCompany> {
  const { api, operator } = demo;
  const exchange = await operator.send(
    'PUT',
    `/ssps/${DEMO_SSP}`,
    { name: 'Sample exchange', charge_on: 'billing', active: true },
    Ssp,
  );
  const company = await operator.get(`/companies/${companyUuid}`, OperatorCompany);
  if (company.balance < FUNDS_LOW_DOLLARS) {
    const credit = { amount: FUNDS_DOLLARS, reason: 'Funds for the demo' };
    await operator.send('POST', `/companies/${companyUuid}/credit`, credit, z.object({}));
  }
  for (const plan of PLAN) await ensureApp(demo, plan);
  return { api, companyUuid, postbackSecret: company.postback_secret, exchangeSecret: exchange.secret };
}

interface Demo {
  /** The console's API as the company's user. */
  api: Api;
  operator: Api;
  url: string;
}

interface AppParts {
  plan: AppPlan;
  app: App;
  link: TrackingLink;
  /** Group name to uuid. */
  groups: ReadonlyMap<string, string>;
}

async function ensureApp(demo: Demo, plan: AppPlan): Promise<void> {
  const { apps } = await demo.api.get('/app', z.object({ apps: z.array(App) }));
  const app =
    apps.find(({ name }) => name === plan.name) ??
    (await demo.api.send(
      'POST',
      '/app',
      {
        name: plan.name,
        description: plan.description,
        os: plan.os,
        store_link: plan.storeLink,
        bundle_id: plan.bundleId,
        size_in_kb: plan.sizeKb,
        iab_category: plan.category,
        advertiser_domain: plan.advertiserDomain,
        rating: plan.rating,
        mobile_measurement_partner: plan.mmp,
      },
      App,
    ));
  if (app.advertiser_domain === null)
    await demo.api.send('PUT', `/app/${app.uuid}`, { advertiser_domain: plan.advertiserDomain }, App);
  if (app.status === 'Moderation') await approve(demo, `/apps/${app.uuid}`);
  const link = await ensureLink(demo, plan, app);
  const groups = await ensureGroups(demo, plan, app, link);
  for (const campaign of plan.campaigns) await ensureCampaign(demo, { plan, app, link, groups }, campaign);
}

async function approve(demo: Demo, path: string): Promise<void> {
  await demo.operator.send('POST', `${path}/decision`, { status: 'Approved' }, z.object({}));
}

async function ensureLink(demo: Demo, plan: AppPlan, app: App): Promise<TrackingLink> {
  const name = `${plan.name} link`;
  const { tracking_links } = await demo.api.get(
    '/tracking_link',
    z.object({ tracking_links: z.array(TrackingLink) }),
  );
  const addresses = trackingLinksOf(plan, demo.url);
  return (
    tracking_links.find((link) => link.name === name) ??
    demo.api.send('POST', '/tracking_link', { app_id: app.uuid, name, ...addresses }, TrackingLink)
  );
}

async function ensureGroups(
  demo: Demo,
  plan: AppPlan,
  app: App,
  link: TrackingLink,
): Promise<Map<string, string>> {
  const { internal_creative_groups: present } = await demo.api.get(
    '/internal_creative_group',
    z.object({ internal_creative_groups: z.array(CreativeGroup) }),
  );
  const { internal_creatives: creatives } = await demo.api.get(
    '/internal_creative',
    z.object({ internal_creatives: z.array(Creative) }),
  );
  const groups = new Map(present.map((group) => [group.name, group.uuid]));
  for (const [name, { description, sizes, palettes }] of Object.entries(plan.groups)) {
    if (groups.has(name)) continue;
    const banners = plan.brand.palettes
      .slice(0, palettes)
      .flatMap((palette) => sizes.map(([width, height]) => ({ palette, width, height })));
    const uuids = await Promise.all(
      banners.map(async ({ palette, width, height }) => {
        const title = `${plan.name} ${palette.name} ${width}x${height}`;
        const creative =
          creatives.find(({ internal_creative }) => internal_creative.name === title) ??
          (await upload(demo.api, app, title, await drawBanner(plan.brand, palette, width, height)));
        return addressed(demo, creative, link);
      }),
    );
    const group = { name, description, banner_creatives: uuids };
    groups.set(name, (await demo.api.send('POST', '/creative_group', group, CreativeGroup)).uuid);
  }
  return groups;
}

async function upload(api: Api, app: App, name: string, png: Buffer): Promise<Creative> {
  const form = new FormData();
  form.set('name', name);
  form.set('type', 'Banner');
  form.set('app_id', app.uuid);
  form.set('banner', new Blob([new Uint8Array(png)], { type: 'image/png' }), `${name}.png`);
  return api.send('POST', '/v2/internal_creative', form, Creative);
}

/** Sets a creative's click and view URLs and approves it; returns its uuid. */
async function addressed(demo: Demo, creative: Creative, link: TrackingLink): Promise<string> {
  let current = creative;
  if (!current.click_url) {
    current = await demo.api.send(
      'POST',
      '/creative',
      {
        internal_creative_uuid: creative.internal_creative.uuid,
        click_url: link.click_url,
        view_url: link.view_url,
      },
      Creative,
    );
  }
  if (current.status === 'Moderation') await approve(demo, `/creatives/${current.uuid}`);
  return current.uuid;
}

async function ensureCampaign(demo: Demo, parts: AppParts, plan: CampaignPlan): Promise<void> {
  const { campaigns } = await demo.api.get('/campaign', z.object({ campaigns: z.array(Campaign) }));
  // An existing campaign stays as it is, even if the user paused it.
  if (campaigns.some(({ name }) => name === plan.name)) return;
  const { adsets } = await demo.api.get('/adset', z.object({ adsets: z.array(Adset) }));
  const uuids: string[] = [];
  for (const adsetPlan of plan.adsets) {
    const present = adsets.find(({ name }) => name === adsetPlan.name);
    uuids.push((present ?? (await createAdset(demo.api, parts, adsetPlan))).uuid);
  }
  const body = {
    name: plan.name,
    description: plan.description,
    app_uuid: parts.app.uuid,
    adset_uuids: uuids,
  };
  const campaign = await demo.api.send('POST', '/campaign', body, Campaign);
  await demo.api.send('POST', `/campaign/${campaign.uuid}/start`, undefined, Campaign);
}

async function createAdset(api: Api, { app, link, groups }: AppParts, plan: AdsetPlan): Promise<Adset> {
  const { target } = plan;
  const settings = {
    app_id: app.uuid,
    name: target.name,
    location_include: target.countries,
    device_types: target.deviceTypes,
    device_connection_types: target.connections,
    genre_include: target.genres,
    device_min_os_version: target.osVersionMin,
  };
  const { uuid: targetUuid } = await api.send('POST', '/target', settings, Target);
  const body = {
    name: plan.name,
    target_id: targetUuid,
    tracking_link_id: link.uuid,
    creative_group_ids: plan.groups.map((group) => groups.get(group)!),
    algo: plan.algorithm,
    bet_cpm: plan.cpmDollars,
    bet_cpi: plan.cpiDollars,
    daily_budget_const: plan.dailyBudgetDollars,
    all_budget_const: plan.totalBudgetDollars,
  };
  return api.send('POST', '/adset', body, Adset);
}
