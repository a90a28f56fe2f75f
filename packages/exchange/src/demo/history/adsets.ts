import { Adset } from '@bidwell/contract/adsets/schema';
import { Campaign } from '@bidwell/contract/campaigns/schema';
import type { Creative, CreativeType } from '@bidwell/contract/creatives/schema';
import { CreativeGroup } from '@bidwell/contract/creative-groups/schema';
import { type Micros, toMicros } from '@bidwell/contract/lib/money';
import { z } from 'zod';
import type { Api } from '../api.ts';
import { mediaCpmMicros } from '@bidwell/server/delivery/model/price-rules';
import type { AdsetPlan, AdsetPrices, AppPlan, CampaignPlan, CompanyPlan } from '../plan.ts';
import { daysBefore } from './clock.ts';

/** A creative that an ad set may show. */
export interface HistoryCreative {
  creativeId: string;
  creativeGroupId: string;
  type: CreativeType;
  width: number;
  height: number;
  durationMs: number;
}

/** An ad set as its history needs it. */
export interface HistoryAdset {
  companyId: string;
  appId: string;
  campaignId: string;
  adsetId: string;
  trackingLinkId: string;
  mmp: AppPlan['mmp'];
  os: AppPlan['os'];
  /** The name of the app. */
  appName: string;
  model: AppPlan['model'];
  plan: Pick<AdsetPlan, 'algorithm' | 'target' | 'frequencyCaps'>;
  /** Whether it brings people back who have the app, in place of installs. */
  reEngages: boolean;
  creatives: readonly HistoryCreative[];
  /** Whether it could bid at an instant. */
  isRunning(atMs: number): boolean;
  /** Its settings at an instant. */
  pricesAt(atMs: number): HistoryPrices;
  /** The company's margin on the media cost. */
  marginBasisPoints: number;
}

/** Prices of an ad set without the margin, as bids are made of, and its daily budget with the margin. */
export interface HistoryPrices {
  /** The highest bid per thousand impressions. */
  cpmMicros: Micros;
  /** The price of an install; 0 without one. */
  cpiMicros: Micros;
  /** The price of a person who buys something; 0 without one. */
  cpaMicros: Micros;
  /** The maximum cost of a dollar of the first week's revenue; 0 without a target. */
  dollarMicros: Micros;
  budgetMicros: Micros;
}

/** The ad sets of a company that was made by its plan, as they were on each day before `nowMs`. Throws ApiError. */
export async function readHistoryAdsets(
  api: Api,
  plan: CompanyPlan,
  { companyId, nowMs }: { companyId: string; nowMs: number },
): Promise<HistoryAdset[]> {
  const { campaigns } = await api.get('/campaign', z.object({ campaigns: z.array(Campaign) }));
  const { adsets } = await api.get('/adset', z.object({ adsets: z.array(Adset) }));
  const { internal_creative_groups: groups } = await api.get(
    '/internal_creative_group',
    z.object({ internal_creative_groups: z.array(CreativeGroup) }),
  );
  return plan.apps.flatMap((app) =>
    app.campaigns.flatMap((campaignPlan) =>
      campaignPlan.adsets.map((adsetPlan): HistoryAdset => {
        const campaign = campaigns.find(({ name }) => name === campaignPlan.name)!;
        const adset = adsets.find(({ name }) => name === adsetPlan.name)!;
        const shown = groups.filter(({ name }) => adsetPlan.groups.includes(name));
        return {
          companyId,
          appId: campaign.app_uuid,
          campaignId: campaign.uuid,
          adsetId: adset.uuid,
          trackingLinkId: adset.tracking_link.uuid,
          mmp: app.mmp,
          os: app.os,
          appName: app.name,
          model: app.model,
          plan: adsetPlan,
          reEngages: campaignPlan.reEngages ?? false,
          creatives: inFixedOrder(shown.flatMap(creativesOf)),
          ...timesOf(app, campaignPlan, adsetPlan, { nowMs, marginPercent: plan.marginPercent }),
        };
      }),
    ),
  );
}

function creativesOf(group: CreativeGroup): HistoryCreative[] {
  const creatives: Creative[] = [
    ...group.banner_creatives,
    ...group.video_creatives,
    ...group.native_creatives,
    ...group.playable_creatives,
  ];
  return creatives.map(({ uuid, internal_creative: asset }) => ({
    creativeId: uuid,
    creativeGroupId: group.uuid,
    type: asset.type,
    width: asset.width ?? 0,
    height: asset.height ?? 0,
    durationMs: asset.duration_ms ?? 0,
  }));
}

/** Uploads end in any order: without this, the same seed would choose other creatives. */
function inFixedOrder(creatives: readonly HistoryCreative[]): HistoryCreative[] {
  const keyOf = ({ type, width, height }: HistoryCreative) => `${type} ${width} ${height}`;
  return creatives.toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : keyOf(a) > keyOf(b) ? 1 : 0));
}

/** When an ad set runs, and at which prices, by the plan. */
export function timesOf(
  app: Pick<AppPlan, 'groups'>,
  { startedDaysAgo, pause }: Pick<CampaignPlan, 'startedDaysAgo' | 'pause'>,
  { changes = [], groups, ...first }: AdsetPlan,
  { nowMs, marginPercent }: { nowMs: number; marginPercent: number },
): Pick<HistoryAdset, 'isRunning' | 'pricesAt' | 'marginBasisPoints'> {
  const startedMs = daysBefore(nowMs, startedDaysAgo);
  const pausedMs = pause ? daysBefore(nowMs, pause.fromDaysAgo) : Infinity;
  const resumedMs = pause?.untilDaysAgo === undefined ? Infinity : daysBefore(nowMs, pause.untilDaysAgo);
  // An ad set stops with the last of its groups.
  const rejections = groups.map((name) => app.groups[name]?.rejected?.daysAgo);
  const stoppedMs = rejections.every((daysAgo) => daysAgo !== undefined)
    ? daysBefore(nowMs, Math.min(...(rejections as number[])))
    : Infinity;
  const marginBasisPoints = Math.round(marginPercent * 100);
  const periods = [{ fromMs: -Infinity, prices: pricesOf(first, marginBasisPoints) }];
  let dollars: AdsetPrices = first;
  for (const { daysAgo, hour, ...changed } of changes) {
    dollars = { ...dollars, ...changed };
    periods.unshift({
      fromMs: daysBefore(nowMs, daysAgo, hour),
      prices: pricesOf(dollars, marginBasisPoints),
    });
  }
  return {
    isRunning: (atMs) => atMs >= startedMs && !(atMs >= pausedMs && atMs < resumedMs) && atMs < stoppedMs,
    pricesAt: (atMs) => periods.find(({ fromMs }) => atMs >= fromMs)!.prices,
    marginBasisPoints,
  };
}

function pricesOf(
  { cpmDollars, cpiDollars = 0, cpaDollars = 0, roasPercent, dailyBudgetDollars }: AdsetPrices,
  margin: number,
): HistoryPrices {
  return {
    cpmMicros: mediaCpmMicros(toMicros(cpmDollars), margin),
    cpiMicros: mediaCpmMicros(toMicros(cpiDollars), margin),
    cpaMicros: mediaCpmMicros(toMicros(cpaDollars), margin),
    dollarMicros: roasPercent ? mediaCpmMicros(toMicros(100 / roasPercent), margin) : 0,
    budgetMicros: toMicros(dailyBudgetDollars),
  };
}
