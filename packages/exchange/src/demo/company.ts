import { Adset } from '@bidwell/contract/adsets/schema';
import { App } from '@bidwell/contract/apps/schema';
import { Campaign } from '@bidwell/contract/campaigns/schema';
import { CreativeGroup } from '@bidwell/contract/creative-groups/schema';
import { Transaction } from '@bidwell/contract/finance/schema';
import { Notification } from '@bidwell/contract/notifications/schema';
import { ExchangeList, OperatorCompany, Ssp } from '@bidwell/contract/operator/schema';
import { OperatorAccount } from '@bidwell/contract/operator-accounts/schema';
import { Target } from '@bidwell/contract/targets/schema';
import { TrackingLink } from '@bidwell/contract/tracking-links/schema';
import { withDeepLink } from '@bidwell/contract/measurement/partners/deep-links';
import { z } from 'zod';
import type { Api, DemoUser } from './api.ts';
import { createAudiences } from './audiences.ts';
import { type CreativeDeps, createGroup } from './creatives.ts';
import { linksWithoutPublisher, trackingLinksOf } from './links.ts';
import type { AdsetPlan, AdsetPrices, AppPlan, CampaignPlan, CompanyPlan, WaitingPlan } from './plan.ts';
import { COMPANIES } from './companies.ts';
import { EXCHANGES, type ExchangePlan } from './exchanges.ts';
import { daysBefore } from './history/clock.ts';

/** The user of the demo's main company. */
export const DEMO_USER = COMPANIES[0]!.user;
/** Slug of the demo's first exchange. */
export const DEMO_SSP = EXCHANGES[0]!.slug;

const DAY_MS = 86_400_000;
/** A credit limit is a multiple of this. */
const LIMIT_STEP_DOLLARS = 10;

/** The dependencies to create a company of the demo. */
export interface DemoDeps {
  /** The console's API as the company's user. */
  api: Api;
  operator: Api;
  /** Public URL of the server, for tracking links. */
  url: string;
  /**
   * Moves the server's clock before each step, and leaves the {@link moneySteps} to the caller; without it, all steps happen
   * now, with all credits.
   */
  moveTo?: (daysAgo: number, hour?: number) => Promise<void>;
  /** What else its people do, each on its day; only with `moveTo`. */
  steps?: readonly Step[];
  /** Called after each step with the share of the steps that are done. */
  onStep?: (share: number) => void;
}

/** A step of an advertiser or an operator, at an hour of UTC. */
export interface Step {
  daysAgo: number;
  hour?: number;
  run: () => Promise<void>;
}

/**
 * Makes the entities of a plan through the server's API, as an advertiser and an operator would, in the order of their
 * days: credits, apps, links, creatives, groups, campaigns and what happened to them. Throws ApiError.
 */
export async function equipDemoCompany(
  demo: DemoDeps,
  companyUuid: string,
  plan: CompanyPlan = COMPANIES[0]!,
): Promise<void> {
  const credits = creditSteps(demo.operator, companyUuid, plan);
  const terms: Step = {
    daysAgo: Math.max(...plan.credits.map(({ daysAgo }) => daysAgo)),
    hour: 7,
    run: async () => {
      const { marginPercent, creditLimitDollars } = plan;
      const change = { margin_percent: marginPercent, credit_limit: creditLimitDollars };
      await demo.operator.send('PATCH', `/companies/${companyUuid}`, change, z.object({}));
    },
  };
  const read: Step = { daysAgo: plan.lastReadDaysAgo, run: async () => markAllRead(demo.api) };
  const { topUpDollars } = plan;
  const topUp: Step = {
    daysAgo: 1,
    hour: 15,
    run: async () =>
      void (await demo.api.send('POST', '/finance/top_up', { amount: topUpDollars }, Transaction)),
  };
  const steps = [
    terms,
    ...(demo.moveTo ? credits.slice(0, 1) : credits),
    ...(topUpDollars === undefined ? [] : [topUp]),
    ...plan.apps.flatMap((app) => stepsOfApp(demo, app)),
    ...(demo.steps ?? []),
    read,
  ];
  const isEarlier = (a: Step, b: Step) => b.daysAgo - a.daysAgo || hourOf(a) - hourOf(b);
  for (const [index, { daysAgo, hour, run }] of steps.toSorted(isEarlier).entries()) {
    await demo.moveTo?.(daysAgo, hour);
    await run();
    demo.onStep?.((index + 1) / steps.length);
  }
}

function creditSteps(operator: Api, companyUuid: string, { credits }: CompanyPlan): Step[] {
  return credits.map(({ daysAgo, dollars, reason }) => ({
    daysAgo,
    hour: 7,
    run: async () => {
      const credit = { amount: dollars, reason };
      await operator.send('POST', `/companies/${companyUuid}/credit`, credit, z.object({}));
    },
  }));
}

/**
 * The actions of operators with the money of a company after its first credit. Each step states or uses the balance: the spend
 * until then is to be posted before it. `nowMs` is the first start of the demo.
 */
export function moneySteps(operator: Api, companyUuid: string, plan: CompanyPlan, nowMs: number): Step[] {
  const [, ...credits] = creditSteps(operator, companyUuid, plan);
  const { lowersCreditLimit } = plan;
  if (!lowersCreditLimit) return credits;
  const { daysAgo, hour, leftDollars } = lowersCreditLimit;
  const days = (nowMs - daysBefore(nowMs, daysAgo, hour)) / DAY_MS;
  const adsets = plan.apps.flatMap((app) => app.campaigns.flatMap((campaign) => campaign.adsets));
  const budgetDollars = adsets.reduce(
    (sum, { dailyBudgetDollars, changes = [] }) =>
      sum +
      (changes.findLast((change) => change.dailyBudgetDollars !== undefined)?.dailyBudgetDollars ??
        dailyBudgetDollars),
    0,
  );
  const run = async (): Promise<void> => {
    const { balance } = await operator.get(`/companies/${companyUuid}`, OperatorCompany);
    const limit =
      Math.ceil((leftDollars + days * budgetDollars - balance) / LIMIT_STEP_DOLLARS) * LIMIT_STEP_DOLLARS;
    await operator.send('PATCH', `/companies/${companyUuid}`, { credit_limit: limit }, OperatorCompany);
  };
  return [...credits, { daysAgo, hour, run }];
}

const hourOf = ({ hour }: Step): number => hour ?? 9;

/** Creates an exchange of the demo, unless it exists as planned; returns the secret in its URL. Throws ApiError. */
export async function ensureExchange(
  operator: Api,
  { slug, name, chargeOn, profile = 'openrtb' }: ExchangePlan = EXCHANGES[0]!,
): Promise<string> {
  const { ssps } = await operator.get('/ssps', ExchangeList);
  const known = ssps.find((ssp) => ssp.slug === slug);
  if (known?.active && known.name === name && known.charge_on === chargeOn && known.profile === profile)
    return known.secret;
  const settings = { name, profile, charge_on: chargeOn, active: true };
  return (await operator.send('PUT', `/ssps/${slug}`, settings, Ssp)).secret;
}

/** The operator of the demo, who sets up a second factor at the first login. */
export const DEMO_OPERATOR: DemoUser = { login: 'demo.operator', password: 'demo-bidwell' };

/** Creates the account of the demo's operator. Throws ApiError. */
export async function createOperator(operator: Api): Promise<void> {
  const account = { ...DEMO_OPERATOR, name: 'Demo Operator', role: 'admin' };
  await operator.send('POST', '/operators', account, OperatorAccount);
}

/** Below this balance the operator credits a company of the demo again. */
const FUNDS_LOW_DOLLARS = 500;
/** Unless it has as much of its credit left. */
const CREDIT_LOW_DOLLARS = 50;
const FUNDS_DOLLARS = 2500;

/** Credits the companies of the demo whose balance has become low. Throws ApiError. */
export async function refillFunds(operator: Api, companies: readonly OperatorCompany[]): Promise<void> {
  for (const { uuid, balance, credit_limit: limit } of companies) {
    if (balance >= FUNDS_LOW_DOLLARS || (limit > 0 && balance + limit >= CREDIT_LOW_DOLLARS)) continue;
    const credit = { amount: FUNDS_DOLLARS, reason: 'Funds for the demo' };
    await operator.send('POST', `/companies/${uuid}/credit`, credit, z.object({}));
  }
}

/** The companies of the demo that exist. Throws ApiError. */
export async function demoCompanies(operator: Api): Promise<OperatorCompany[]> {
  const { companies } = await operator.get('/companies', z.object({ companies: z.array(OperatorCompany) }));
  const logins = new Set(COMPANIES.map(({ user }) => user.login));
  return companies.filter((company) => company.logins.some((login) => logins.has(login)));
}

/** The entities of an app, by name. */
interface AppParts extends CreativeDeps {
  links: Map<string, TrackingLink>;
  groups: Map<string, string>;
  audiences: Map<string, string>;
  campaigns: Map<string, Campaign>;
}

function stepsOfApp(demo: DemoDeps, plan: AppPlan): Step[] {
  let parts!: AppParts;
  const firstDaysAgo = Math.max(...plan.campaigns.map(({ startedDaysAgo }) => startedDaysAgo)) + 1;
  const make: Step = {
    daysAgo: firstDaysAgo,
    run: async () => {
      const app = await createApp(demo, plan);
      const links = await createLinks(demo, plan, app);
      const link = links.get(`${plan.name} link`)!;
      const audiences = await createAudiences(demo.api, app.uuid, plan.audiences ?? []);
      parts = { ...demo, plan, app, link, links, audiences, groups: new Map(), campaigns: new Map() };
    },
  };
  const groups = Object.entries(plan.groups).flatMap(([name, group]): Step[] => {
    const uuids: string[] = [];
    const { rejected } = group;
    const add: Step = {
      daysAgo: group.addedDaysAgo ?? firstDaysAgo,
      hour: 9,
      run: async () => {
        const { uuid, creatives } = await createGroup(parts, name, group);
        uuids.push(...creatives);
        parts.groups.set(name, uuid);
      },
    };
    const reject = async ({ reason }: { reason: string }): Promise<void> => {
      const decision = { status: 'Rejected', reason, withdraw: true };
      for (const uuid of uuids)
        await demo.operator.send('POST', `/creatives/${uuid}/decision`, decision, z.object({}));
    };
    return rejected ? [add, { daysAgo: rejected.daysAgo, run: () => reject(rejected) }] : [add];
  });
  const campaigns = plan.campaigns.flatMap((campaign) => stepsOfCampaign(() => parts, campaign));
  return [make, ...groups, ...campaigns, ...stepsOfWaiting(() => parts, plan.waiting)];
}

/** The entities that were created on the day before, and wait for review. */
function stepsOfWaiting(parts: () => AppParts, { group, texts, link }: WaitingPlan): Step[] {
  const at = (hour: number, run: () => Promise<unknown>): Step => ({
    daysAgo: 1,
    hour,
    run: async () => void (await run()),
  });
  const add = async () => createGroup({ ...parts(), isWaiting: true }, group.name, group.plan);
  const changeTexts = async ({ group: name, title, description }: Required<WaitingPlan>['texts']) => {
    const changed = { native_title: title, native_description: description };
    return parts().api.send('PUT', `/creative_group/${parts().groups.get(name)!}`, changed, CreativeGroup);
  };
  const addLink = async ({ name, clickUrl, viewUrl }: Required<WaitingPlan>['link']) => {
    const body = { app_id: parts().app.uuid, name, click_url: clickUrl, view_url: viewUrl };
    return parts().api.send('POST', '/tracking_link', body, TrackingLink);
  };
  return [
    at(group.hour, add),
    ...(texts ? [at(group.hour + 1, async () => changeTexts(texts))] : []),
    ...(link ? [at(group.hour + 2, async () => addLink(link))] : []),
  ];
}

function stepsOfCampaign(parts: () => AppParts, plan: CampaignPlan): Step[] {
  const adsets = new Map<string, Adset>();
  const turn = async (into: 'start' | 'pause'): Promise<void> => {
    const { api, campaigns } = parts();
    await api.send('POST', `/campaign/${campaigns.get(plan.name)!.uuid}/${into}`, undefined, Campaign);
  };
  const start: Step = {
    daysAgo: plan.startedDaysAgo,
    run: async () => {
      const { api, app, campaigns } = parts();
      for (const adset of plan.adsets) adsets.set(adset.name, await createAdset(parts(), adset));
      const body = {
        name: plan.name,
        description: plan.description,
        app_uuid: app.uuid,
        adset_uuids: [...adsets.values()].map(({ uuid }) => uuid),
        ...(plan.reEngages && { kind: 're_engagement' }),
      };
      campaigns.set(plan.name, await api.send('POST', '/campaign', body, Campaign));
      await turn('start');
    },
  };
  const { pause } = plan;
  const pausing: Step[] = pause
    ? [
        { daysAgo: pause.fromDaysAgo, run: async () => turn('pause') },
        ...(pause.untilDaysAgo === undefined
          ? []
          : [{ daysAgo: pause.untilDaysAgo, run: async () => turn('start') }]),
      ]
    : [];
  const changing = plan.adsets.flatMap(({ name, changes = [] }) =>
    changes.map(({ daysAgo, hour, ...prices }): Step => ({
      daysAgo,
      ...(hour !== undefined && { hour }),
      run: async () => {
        await parts().api.send('PUT', `/adset/${adsets.get(name)!.uuid}`, pricesOf(prices), Adset);
      },
    })),
  );
  return [start, ...pausing, ...changing];
}

/** Prices as the API takes them. */
const pricesOf = (prices: Partial<AdsetPrices>) => {
  const { cpmDollars, cpiDollars, cpaDollars, roasPercent, dailyBudgetDollars } = prices;
  return {
    bet_cpm: cpmDollars,
    bet_cpi: cpiDollars,
    cpa: cpaDollars,
    goal_event: cpaDollars === undefined ? undefined : 'purchase',
    roas: roasPercent,
    daily_budget_const: dailyBudgetDollars,
  };
};

async function createApp({ api, operator }: DemoDeps, plan: AppPlan): Promise<App> {
  const app = await api.send(
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
  );
  if (app.status === 'Moderation')
    await operator.send('POST', `/apps/${app.uuid}/decision`, { status: 'Approved' }, z.object({}));
  return app;
}

async function createLinks(
  { api, operator, url }: DemoDeps,
  plan: AppPlan,
  app: App,
): Promise<Map<string, TrackingLink>> {
  const planned = [{ name: `${plan.name} link`, ...trackingLinksOf(plan, url) }];
  if (plan.campaigns.some(({ reEngages }) => reEngages)) {
    const { click_url: clickUrl, view_url } = trackingLinksOf(plan, url);
    planned.push({ name: comebackLink(plan), click_url: withDeepLink(clickUrl, plan.mmp), view_url });
  }
  if (plan.linkWithoutPublisher)
    planned.push({ name: plan.linkWithoutPublisher, ...linksWithoutPublisher(plan) });
  const links = new Map<string, TrackingLink>();
  for (const link of planned) {
    const body = { app_id: app.uuid, ...link };
    const created = await api.send('POST', '/tracking_link', body, TrackingLink);
    links.set(link.name, created);
    if (created.status === 'Moderation')
      await operator.send(
        'POST',
        `/tracking_links/${created.uuid}/decision`,
        { status: 'Approved' },
        z.object({}),
      );
  }
  return links;
}

const comebackLink = ({ name }: AppPlan): string => `${name} comeback link`;

async function createAdset(
  { api, app, links, plan, groups, audiences }: AppParts,
  adset: AdsetPlan,
): Promise<Adset> {
  const { target, comeback } = adset;
  const settings = {
    app_id: app.uuid,
    name: target.name,
    location_include: target.countries,
    device_types: target.deviceTypes,
    device_connection_types: target.connections,
    genre_include: target.genres,
    device_min_os_version: target.osVersionMin,
    region_exclude: target.regionsExcluded,
    carrier_exclude: target.carriersExcluded,
  };
  const { uuid: targetUuid } = await api.send('POST', '/target', settings, Target);
  const ownLink = adset.usesLinkWithoutPublisher ? plan.linkWithoutPublisher! : `${plan.name} link`;
  const link = comeback ? comebackLink(plan) : ownLink;
  const body = {
    name: adset.name,
    target_id: targetUuid,
    tracking_link_id: links.get(link)!.uuid,
    creative_group_ids: adset.groups.map((group) => groups.get(group)!),
    algo: adset.algorithm,
    frequency_caps: adset.frequencyCaps,
    audience_exclude: adset.audiencesExcluded?.map((name) => audiences.get(name)!),
    ...adset.bidding,
    ...pricesOf(adset),
    ...(comeback && {
      deep_link: comeback.deepLink,
      audience_include: [[audiences.get(comeback.audience)!]],
    }),
  };
  return api.send('POST', '/adset', body, Adset);
}

/** Marks notifications from before an instant (by default all) and alarms as read. Throws ApiError. */
export async function markAllRead(api: Api, before = new Date(8.64e15)): Promise<void> {
  const notifications = await api.get('/notifications', z.array(Notification));
  const ids = notifications
    .filter(({ read }) => !read)
    .filter(({ severity, created_at: at }) => severity !== 'info' || Date.parse(at) < before.getTime())
    .map(({ uuid }) => uuid);
  if (ids.length > 0) await api.send('PATCH', '/notifications', { ids }, z.array(Notification));
}
