import type { Adset } from '@bidwell/contract/adset';
import { dateAt } from '@bidwell/contract/calendar';
import type { Campaign } from '@bidwell/contract/campaign';
import type { CreativeGroup } from '@bidwell/contract/creative-group';
import type { DeliveryQuery } from '@bidwell/contract/delivery-report';
import type { Finding } from '@bidwell/contract/finding';
import { toDollars } from '@bidwell/contract/money';
import type { TrackingLink } from '@bidwell/contract/tracking-link';
import type { Market } from '../../delivery/funnel/market.ts';
import { isBiddingStopped } from '../../delivery/snapshot/bidding-stop-store.ts';
import type { Engines } from '../../engines.ts';
import type { Actor } from '../../platform/actor.ts';
import { timeZoneOf } from '../accounts/service.ts';
import { listAdsets } from '../adsets/service.ts';
import { deliveryReport } from '../analytics/service.ts';
import { getApp } from '../apps/service.ts';
import { getCampaign } from '../campaigns/service.ts';
import { listGroups } from '../creative-groups/service.ts';
import { availableMicros } from '../finance/service.ts';
import { recentOutcomes } from '../postbacks/service.ts';
import { getTrackingLink } from '../tracking-links/service.ts';
import { diagnose, losingAdsets } from './diagnose.ts';
import type { AdsetFacts, CampaignFacts, Review } from './facts.ts';
import { countActiveExchanges, isSuspended, spendOfAdsets } from './store.ts';

/** Dependencies of {@link findingsOf}. */
export interface DiagnosisDeps {
  engines: Engines;
  /** Replays sampled bid requests against an ad set; null if it does not run. */
  marketOf: (adsetId: string) => Promise<Market | null>;
}

/** Ad sets against which requests are replayed, those that lose the most; the others are diagnosed by their counts alone. */
const REPLAYED_MAX = 5;

/** Why a campaign spends less than it could in a range of days. Throws NotFound; Invalid for dates that are not supported. */
export async function findingsOf(
  deps: DiagnosisDeps,
  actor: Actor,
  uuid: string,
  query: DeliveryQuery,
): Promise<Finding[]> {
  const campaign = await getCampaign(deps.engines, actor, uuid);
  const facts = await factsOf(deps.engines, actor, campaign, query);
  const markets = new Map<string, Market | null>();
  for (const adset of losingAdsets(facts).slice(0, REPLAYED_MAX))
    markets.set(adset, await deps.marketOf(adset));
  const adsets = facts.adsets.map((adset) => ({ ...adset, market: markets.get(adset.uuid) ?? null }));
  return diagnose({ ...facts, adsets });
}

async function factsOf(
  engines: Engines,
  actor: Actor,
  campaign: Campaign,
  query: DeliveryQuery,
): Promise<CampaignFacts> {
  const { db } = engines;
  const { companyId } = actor;
  const [app, adsets, available, suspended, stopped, exchanges, timeZone] = await Promise.all([
    getApp(engines, actor, campaign.app_uuid),
    adsetFacts(engines, actor, campaign, query),
    availableMicros(engines, companyId),
    isSuspended(db, companyId),
    isBiddingStopped(db),
    countActiveExchanges(db),
    timeZoneOf(db, companyId),
  ]);
  return {
    uuid: campaign.uuid,
    isActive: campaign.status === 'Active',
    startDate: campaign.start_date,
    endDate: campaign.end_date,
    today: dateAt(engines.now().getTime(), timeZone),
    range: { start: query.start_date, end: query.end_date },
    app: { uuid: app.uuid, name: app.name, review: reviewOf(app) },
    isSuspended: suspended,
    available: toDollars(available),
    isBiddingStopped: stopped,
    exchanges,
    adsets,
    postbacks: await recentOutcomes(engines, companyId, app.mobile_measurement_partner),
  };
}

async function adsetFacts(
  engines: Engines,
  actor: Actor,
  campaign: Campaign,
  query: DeliveryQuery,
): Promise<AdsetFacts[]> {
  const uuids = campaign.adsets.map(({ uuid }) => uuid);
  const [report, all, groups, spend] = await Promise.all([
    deliveryReport(engines, actor, campaign.uuid, query),
    listAdsets(engines, actor),
    listGroups(engines, actor),
    spendOfAdsets(engines.db, actor.companyId, uuids),
  ]);
  const own = all.filter(({ uuid }) => uuids.includes(uuid));
  const links = new Map<string, TrackingLink>();
  for (const uuid of new Set(own.map(({ tracking_link: { uuid: of } }) => of)))
    links.set(uuid, await getTrackingLink(engines, actor, uuid));
  return own.map((adset) => {
    const link = links.get(adset.tracking_link.uuid)!;
    return {
      uuid: adset.uuid,
      name: adset.name,
      isActive: adset.status === 'Active' && adset.archived_at === null,
      algorithm: adset.algo,
      betCpm: adset.bet_cpm,
      betCpi: adset.bet_cpi,
      dailyBudget: adset.daily_budget_const,
      totalBudget: adset.all_budget_const,
      appUuid: campaign.app_uuid,
      target: { uuid: adset.target.uuid },
      link: { uuid: link.uuid, name: link.name, review: reviewOf(link) },
      creatives: creativeReviews(adset, campaign, groups),
      spentEver: toDollars(spend.get(adset.uuid) ?? 0),
      delivery: report.adsets.find(({ uuid }) => uuid === adset.uuid)!,
      market: null,
    };
  });
}

/** The reviews of what an ad set can show: creatives of the campaign's app in groups that are not paused or archived. */
function creativeReviews(
  adset: Adset,
  { app_uuid: appUuid }: Campaign,
  groups: readonly CreativeGroup[],
): Review[] {
  const own = new Set(adset.creative_groups.map(({ uuid }) => uuid));
  return groups
    .filter((group) => own.has(group.uuid) && group.status !== 'Paused' && group.archived_at === null)
    .flatMap((group) => [
      ...group.banner_creatives,
      ...group.native_creatives,
      ...group.video_creatives,
      ...group.playable_creatives,
    ])
    .filter(({ app, archived_at: archivedAt }) => app.uuid === appUuid && archivedAt === null)
    .map(reviewOf);
}

/** An approved version runs while the present one is in review or rejected. */
function reviewOf({
  status,
  approved_version: approved,
}: {
  status: Review;
  approved_version: unknown;
}): Review {
  return approved === null ? status : 'Approved';
}
