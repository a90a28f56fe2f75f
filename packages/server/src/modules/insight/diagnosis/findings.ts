import type { Campaign } from '@bidwell/contract/campaigns/schema';
import type { RankedFindings } from '@bidwell/contract/insight/company-delivery';
import type { CreativeFinding } from '@bidwell/contract/insight/creative-finding';
import type { DeliveryQuery } from '@bidwell/contract/insight/delivery-query';
import type { LostRequest, LostRequestQuery } from '@bidwell/contract/insight/delivery-report';
import type {
  AdsetLearning,
  CampaignFinding,
  Finding,
  MainFindings,
} from '@bidwell/contract/insight/finding';
import { learningText } from '@bidwell/contract/text/learning-text';
import { type Market, type MarketReader, redacted } from '../../../delivery/public.ts';
import type { Context } from '../../../context.ts';
import type { Actor } from '../../../platform/actor.ts';
import { NotFound } from '../../../platform/errors.ts';
import { requirePermission } from '../../../platform/permissions.ts';
import { campaignOf, campaignsOfCompany } from '../../campaigns/public.ts';
import type { CampaignFacts } from './facts.ts';
import { diagnose, losingAdsets, rankFindings } from './diagnose.ts';
import { creativeFinding } from './creative-findings.ts';
import { readCreativeFacts, withPlacements } from './read-creative-facts.ts';
import { readFacts } from './read-facts.ts';

/** Dependencies of the diagnosis of one campaign. */
export interface DiagnosisDeps {
  ctx: Context;
  market: MarketReader;
}

/** Ad sets against which requests are replayed, those that lose the most; the others are diagnosed by their counts alone. */
const REPLAYED_MAX = 5;
/** Campaigns and ad sets that are diagnosed at once. */
const CAMPAIGNS_MAX = 200;
const ADSETS_MAX = 2000;
/** Ad sets against whose creatives requests are replayed. */
const PLACED_MAX = 100;
/** Findings of a ranking. */
const RANKED_MAX = 100;
/** Ad sets for which a lost request is searched. */
const SEARCHED_MAX = 50;

/** Why a campaign spends less than it could in a range of days. Throws NotFound; Invalid for dates that are not supported. */
export async function findingsOf(
  deps: DiagnosisDeps,
  actor: Actor,
  uuid: string,
  query: DeliveryQuery,
): Promise<Finding[]> {
  requirePermission(actor, 'report.read');
  const campaign = await campaignOf(deps.ctx, actor, uuid);
  const [facts] = await readFacts(deps.ctx, actor, [campaign], query);
  if (!facts) throw new NotFound('App');
  const markets = new Map<string, Market | null>();
  for (const adset of losingAdsets(facts).slice(0, REPLAYED_MAX))
    markets.set(adset, await deps.market.marketOf(adset));
  const adsets = facts.adsets.map((adset) => ({ ...adset, market: markets.get(adset.uuid) ?? null }));
  return diagnose({ ...facts, adsets });
}

/**
 * The main finding of each active campaign of a company and of each of its ad sets, by their counts alone; campaigns and ad
 * sets without a limiting cause are absent. Also the learning data of its ad sets with a goal of value. Reads the newest
 * campaigns, up to a number of campaigns and ad sets. Throws Invalid for dates that are not supported.
 */
export async function mainFindings(ctx: Context, actor: Actor, query: DeliveryQuery): Promise<MainFindings> {
  requirePermission(actor, 'report.read');
  const campaigns = await activeCampaigns(ctx, actor);
  if (campaigns.length === 0) return { campaigns: [], learning: [] };
  const all = await readFacts(ctx, actor, campaigns, query);
  return { campaigns: all.flatMap(mainFindingOf), learning: all.flatMap(learningOf) };
}

function mainFindingOf(facts: CampaignFacts): CampaignFinding | [] {
  const limiting = diagnose(facts).filter(
    ({ severity, code }) => (severity === 'blocked' || severity === 'limited') && code !== 'no_requests',
  );
  const adsets = new Map<string, Finding>();
  for (const finding of limiting.toReversed()) if (finding.adset) adsets.set(finding.adset.uuid, finding);
  const finding = limiting.find(({ code }) => code !== 'budget_use') ?? limiting[0];
  if (!finding) return [];
  return {
    uuid: facts.uuid,
    finding,
    adsets: [...adsets].map(([uuid, own]) => ({ uuid, finding: own })),
  };
}

function learningOf({ uuid: campaign, adsets }: CampaignFacts): AdsetLearning[] {
  return adsets.flatMap(({ uuid, isActive, delivery: { learning } }) =>
    isActive && learning
      ? [{ uuid, campaign_uuid: campaign, ...learning, text: learningText(learning) }]
      : [],
  );
}

/**
 * The causes that limit the active campaigns of a company, by their counts alone, the most costly first; for the
 * campaigns that {@link mainFindings} reads. Throws Invalid for dates that are not supported.
 */
export async function rankedFindings(
  ctx: Context,
  actor: Actor,
  query: DeliveryQuery,
): Promise<RankedFindings> {
  requirePermission(actor, 'report.read');
  const campaigns = await activeCampaigns(ctx, actor);
  if (campaigns.length === 0) return { findings: [], total: 0 };
  const ranked = rankFindings(await readFacts(ctx, actor, campaigns, query));
  const names = new Map(campaigns.map(({ uuid, name }) => [uuid, name]));
  const findings = ranked.slice(0, RANKED_MAX).map(({ campaign, finding }) => ({
    ...finding,
    campaign: campaign === null ? null : { uuid: campaign, name: names.get(campaign)! },
  }));
  return { findings, total: ranked.length };
}

/** The newest active campaigns, up to a number of campaigns and ad sets. */
async function activeCampaigns(ctx: Context, actor: Actor): Promise<Campaign[]> {
  const all = await campaignsOfCompany(ctx, actor);
  let room = ADSETS_MAX;
  return all
    .filter(({ status, archived_at: archivedAt }) => status === 'Active' && archivedAt === null)
    .slice(0, CAMPAIGNS_MAX)
    .filter(({ adsets }) => (room -= adsets.length) >= 0);
}

/**
 * The cause that keeps each of the newest creatives of a company from being shown, or its share of the impressions in a
 * range of days. Throws Invalid for dates that are not supported.
 */
export async function creativeFindings(
  { ctx, market }: DiagnosisDeps,
  actor: Actor,
  query: DeliveryQuery,
): Promise<CreativeFinding[]> {
  requirePermission(actor, 'report.read');
  const drafts = await readCreativeFacts(ctx, actor, query);
  const active = drafts.flatMap(({ review, uses }) =>
    review === 'Approved' ? uses.filter(({ isActive }) => isActive) : [],
  );
  // Ad sets that do not show the creative come first: the others need no reason.
  const adsets = active.toSorted((a, b) => a.impressions - b.impressions).map(({ adset }) => adset.uuid);
  const replayed = new Set([...new Set(adsets)].slice(0, PLACED_MAX));
  const found = await market.placementsOf(replayed);
  return withPlacements(drafts, replayed, found).map(creativeFinding);
}

/**
 * A bid request of the sample that a campaign loses for a reason now, as far as advertisers see it; null if there is none.
 * Throws NotFound.
 */
export async function lostRequest(
  { ctx, market }: DiagnosisDeps,
  actor: Actor,
  uuid: string,
  { exit, adset_uuid: adset }: LostRequestQuery,
): Promise<LostRequest | null> {
  requirePermission(actor, 'report.read');
  const { adsets } = await campaignOf(ctx, actor, uuid);
  const own = adsets.map((one) => one.uuid).filter((one) => adset === undefined || one === adset);
  const found = await market.lostRequest(new Set(own.slice(0, SEARCHED_MAX)), exit);
  const request = found && redacted(JSON.parse(found.request), 'advertisers');
  if (!found || !request) return null;
  return { exchange: found.exchange, received_at: new Date(found.atMs).toISOString(), request };
}
