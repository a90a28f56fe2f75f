import type { AdsetSummary } from '@bidwell/contract/adsets/schema';
import { dateAt } from '@bidwell/contract/lib/calendar';
import type { Campaign } from '@bidwell/contract/campaigns/schema';
import type { Creative } from '@bidwell/contract/creatives/schema';
import type { CreativeGroup } from '@bidwell/contract/creative-groups/schema';
import type { DeliveryQuery } from '@bidwell/contract/insight/delivery-query';
import { type AdsetPlacements } from '../../../delivery/public.ts';
import type { Context } from '../../../context.ts';
import { appendTo, groupBy } from '../../../platform/group-by.ts';
import type { Owner } from '../../../platform/actor.ts';
import { runYielding } from '../../../platform/concurrency/yielding.ts';
import { timeZoneOf } from '../../identity/public.ts';
import { adsetsOfCompany, campaignsOfCompany } from '../../campaigns/public.ts';
import { creativesOfCompany, groupsOfCompany } from '../../catalog/public.ts';
import type { CreativeFacts, CreativeUse, Withheld } from './facts.ts';
import { exchangesTooSmallFor, membersOf } from '../shown-creatives.ts';
import { reviewOf, withheldBy } from './read-facts.ts';
import { ROWS_MAX, countForReport, periodOf, rangeOf } from '../../reporting/public.ts';

/** Creatives of a response, and ad sets of each. */
const CREATIVES_MAX = 1000;
const USES_MAX = 10;

/** Facts of creatives before requests are replayed. */
export type DraftFacts = Omit<CreativeFacts, 'uses'> & { uses: readonly DraftUse[] };
type DraftUse = Omit<CreativeUse, 'isBidding' | 'isServed' | 'placement'>;

/**
 * Reads the facts of the newest creatives of a company that are not archived. Throws Invalid for dates that are not
 * supported.
 */
export async function readCreativeFacts(
  ctx: Context,
  owner: Owner,
  query: DeliveryQuery,
): Promise<DraftFacts[]> {
  const [creatives, groups, adsets, campaigns, impressions, timeZone, oversized, withheld] =
    await Promise.all([
      creativesOfCompany(ctx, owner),
      groupsOfCompany(ctx, owner),
      adsetsOfCompany(ctx, owner),
      campaignsOfCompany(ctx, owner),
      creativeImpressions(ctx, owner, query),
      timeZoneOf(ctx.db, owner.companyId),
      exchangesTooSmallFor(ctx, owner),
      withheldBy(ctx.db, owner.companyId),
    ]);
  const today = dateAt(ctx.now().getTime(), timeZone);
  return runYielding(
    factsOf({ creatives, groups, adsets, campaigns, impressions, today, oversized, withheld }),
  );
}

interface CompanyParts {
  creatives: readonly Creative[];
  groups: readonly CreativeGroup[];
  adsets: readonly AdsetSummary[];
  campaigns: readonly Campaign[];
  impressions: readonly CreativeImpressions[];
  today: string;
  /** Names of the exchanges for which a creative is too large, by its uuid. */
  oversized: ReadonlyMap<string, readonly string[]>;
  withheld: ReadonlyMap<string, readonly Withheld[]>;
}

/** Yields after each creative. */
function* factsOf(parts: CompanyParts): Generator<undefined, DraftFacts[]> {
  const groupsOf = new Map<string, CreativeGroup[]>();
  for (const group of parts.groups) for (const { uuid } of membersOf(group)) appendTo(groupsOf, uuid, group);
  const useOf = usesOf(parts);
  const adsetsOf = new Map<string, AdsetSummary[]>();
  for (const adset of parts.adsets)
    if (adset.archived_at === null)
      for (const { uuid } of adset.creative_groups) appendTo(adsetsOf, uuid, adset);
  const facts: DraftFacts[] = [];
  for (const creative of parts.creatives) {
    if (creative.archived_at !== null) continue;
    if (facts.length >= CREATIVES_MAX) break;
    const groups = (groupsOf.get(creative.uuid) ?? []).map(
      ({ uuid, name, status, archived_at: archivedAt }) => ({
        uuid,
        name,
        state:
          archivedAt === null
            ? status === 'Paused'
              ? ('paused' as const)
              : ('running' as const)
            : ('archived' as const),
      }),
    );
    const using = groups.flatMap(({ uuid, state }) =>
      state === 'running' ? (adsetsOf.get(uuid) ?? []) : [],
    );
    const tooLargeFor = parts.oversized.get(creative.uuid) ?? [];
    const notApprovedAt = parts.withheld.get(creative.uuid) ?? [];
    facts.push({
      ...assetOf(creative),
      tooLargeFor,
      notApprovedAt,
      groups,
      uses: useOf(creative, [...new Set(using)]),
    });
    yield;
  }
  return facts;
}

function assetOf(creative: Creative): Omit<DraftFacts, 'groups' | 'uses' | 'tooLargeFor' | 'notApprovedAt'> {
  const { uuid, app, internal_creative: asset, rejection_reason: rejectionReason } = creative;
  return {
    uuid,
    appUuid: app.uuid,
    appName: app.name,
    type: asset.type,
    size: asset.width && asset.height ? `${asset.width}×${asset.height}` : '',
    review: reviewOf(creative),
    rejectionReason,
  };
}

/** Creates a function that gives the uses of a creative in ad sets for its app: active ones and those that showed it first. */
function usesOf({
  creatives,
  campaigns,
  impressions,
  today,
}: CompanyParts): (creative: Creative, adsets: readonly AdsetSummary[]) => DraftUse[] {
  const names = new Map(creatives.map(({ uuid, internal_creative: { name } }) => [uuid, name]));
  const campaignOf = new Map(campaigns.map((campaign) => [campaign.uuid, campaign]));
  const shown = new Map(impressions.map((row) => [`${row.adset} ${row.creative}`, row.impressions]));
  const rowsOf = groupBy(impressions, ({ adset }) => adset);
  const totals = new Map(
    [...rowsOf].map(([adset, rows]) => {
      const most = rows.reduce((best, row) => (row.impressions > best.impressions ? row : best));
      const name = names.get(most.creative);
      return [
        adset,
        {
          adsetImpressions: rows.reduce((sum, row) => sum + row.impressions, 0),
          leader: name === undefined ? null : { uuid: most.creative, name, impressions: most.impressions },
        },
      ];
    }),
  );
  return (creative, adsets) =>
    adsets
      .filter(({ target }) => target.app.uuid === creative.app.uuid)
      .map((adset): DraftUse => {
        const campaign = adset.campaign && campaignOf.get(adset.campaign.uuid);
        return {
          adset: { uuid: adset.uuid, name: adset.name },
          campaign: campaign ? { uuid: campaign.uuid, name: campaign.name } : null,
          isActive:
            adset.status === 'Active' && campaign !== null && campaign !== undefined && runs(campaign, today),
          impressions: shown.get(`${adset.uuid} ${creative.uuid}`) ?? 0,
          ...(totals.get(adset.uuid) ?? { adsetImpressions: 0, leader: null }),
        };
      })
      .toSorted((a, b) => Number(b.isActive) - Number(a.isActive) || b.impressions - a.impressions)
      .slice(0, USES_MAX);
}

function runs(
  { status, archived_at: archivedAt, start_date: start, end_date: end }: Campaign,
  today: string,
): boolean {
  return status === 'Active' && archivedAt === null && (start ?? today) <= today && (end ?? today) >= today;
}

/** The facts with the placements that a replay of requests found; null for ad sets that were not replayed. */
export function withPlacements(
  drafts: readonly DraftFacts[],
  replayed: ReadonlySet<string>,
  found: AdsetPlacements,
): CreativeFacts[] {
  return drafts.map((draft) => ({
    ...draft,
    uses: draft.uses.map((use): CreativeUse => {
      const { uuid } = use.adset;
      const placement = found.get(uuid)?.get(draft.uuid) ?? null;
      const isKnown = replayed.has(uuid);
      return {
        ...use,
        isBidding: !isKnown || found.has(uuid),
        isServed: !isKnown || placement !== null,
        placement,
      };
    }),
  }));
}

/** Impressions of a creative in an ad set. */
interface CreativeImpressions {
  adset: string;
  creative: string;
  impressions: number;
}

/**
 * Impressions of the company's creatives by ad set in a range of days, of those with the highest spend. Throws Invalid for
 * dates that are not supported.
 */
async function creativeImpressions(
  ctx: Context,
  owner: Owner,
  query: DeliveryQuery,
): Promise<CreativeImpressions[]> {
  const rows = await countForReport(ctx, owner.companyId, {
    period: periodOf(await rangeOf(ctx, owner, query)),
    by: ['adset', 'creative'],
    filters: {},
    limit: ROWS_MAX,
  });
  return rows.map(({ values, impressions }) => ({ adset: values[0]!, creative: values[1]!, impressions }));
}
