import type { CampaignKind } from '@bidwell/contract/campaigns/kind';
import type { Campaign } from '@bidwell/contract/campaigns/schema';
import type { AdsetSummary } from '@bidwell/contract/adsets/schema';
import type { Forecast } from '@bidwell/contract/insight/forecast';
import { median } from '@bidwell/contract/lib/statistics';

/** An amount in dollars and where it comes from. */
export interface SuggestedAmount {
  dollars: number;
  source: 'adsets' | 'paid' | 'forecast';
}

/** Amounts for a new ad set; null if nothing is known. */
export interface Suggestion {
  bet_cpm: SuggestedAmount | null;
  bet_cpi: SuggestedAmount | null;
  daily_budget_const: SuggestedAmount | null;
}

/** From this share of what the highest bid wins on, a higher bid gets little more. */
const ENOUGH_SHARE = 0.8;
const BUDGET_MIN = 10;

/**
 * The ad sets of campaigns of a kind, whose prices compare; an ad set without a campaign counts as one of acquisition. Pure.
 */
export function adsetsOfKind<One extends Pick<AdsetSummary, 'campaign'>>(
  adsets: readonly One[],
  campaigns: readonly Pick<Campaign, 'uuid' | 'kind'>[],
  kind: CampaignKind,
): One[] {
  const kindOf = new Map(campaigns.map((campaign) => [campaign.uuid, campaign.kind]));
  return adsets.filter(({ campaign }) => (kindOf.get(campaign?.uuid ?? '') ?? 'acquisition') === kind);
}

/**
 * Amounts from the company's own history: the medians of its ad sets that are not archived, the bid not below the average CPM
 * that it paid, the price of an install the paid price if no ad set has one (in dollars; null if nothing was paid). Pure.
 */
export function suggestionOfCompany(
  adsets: readonly Pick<AdsetSummary, 'bet_cpm' | 'bet_cpi' | 'daily_budget_const' | 'archived_at'>[],
  { cpm: paidCpm, cpi: paidCpi }: { cpm: number | null; cpi: number | null },
): Suggestion {
  const current = adsets.filter(({ archived_at: archivedAt }) => archivedAt === null);
  const bid = median(current.map(({ bet_cpm: dollars }) => dollars));
  const isPaidHigher = paidCpm !== null && (bid === null || paidCpm > bid);
  return {
    bet_cpm: isPaidHigher ? fromPaid(paidCpm) : fromAdsets(bid),
    bet_cpi:
      fromAdsets(median(current.flatMap(({ bet_cpi: dollars }) => dollars || []))) ?? fromPaid(paidCpi),
    daily_budget_const: fromAdsets(
      median(current.flatMap(({ daily_budget_const: dollars }) => dollars || [])),
    ),
  };
}

/**
 * Amounts from a forecast: the lowest bid that wins most of what the highest bid of its curve wins, what that bid spends a
 * day, and what an install costs at the bid of the forecast. Null where it expects nothing. Pure.
 */
export function suggestionOfForecast(forecast: Forecast | undefined): Suggestion {
  const point = enoughPoint(forecast);
  const { installs, spend } = forecast?.day ?? {};
  const cpi = installs && spend && installs.about > 0 ? spend.about / installs.about : null;
  return {
    bet_cpm: point ? { dollars: toCents(point.bid), source: 'forecast' } : null,
    bet_cpi: cpi ? { dollars: toCents(cpi), source: 'forecast' } : null,
    daily_budget_const:
      point && point.spend > 0
        ? { dollars: Math.max(BUDGET_MIN, Math.ceil(point.spend)), source: 'forecast' }
        : null,
  };
}

function enoughPoint(forecast: Forecast | undefined) {
  if (forecast?.curve?.price !== 'bet_cpm') return undefined;
  const { points } = forecast.curve;
  const most = Math.max(...points.map(({ win_share: share }) => share));
  return most > 0 ? points.find(({ win_share: share }) => share >= most * ENOUGH_SHARE) : undefined;
}

const fromAdsets = (dollars: number | null): SuggestedAmount | null =>
  dollars ? { dollars: toCents(dollars), source: 'adsets' } : null;

const fromPaid = (dollars: number | null): SuggestedAmount | null =>
  dollars ? { dollars: toCents(dollars), source: 'paid' } : null;

/** Rounds up, ignoring less than a hundredth of a cent. */
const toCents = (dollars: number): number => Math.ceil(Math.round(dollars * 10_000) / 100) / 100;
