import type { AdsetSummary } from '@bidwell/contract/adsets/schema';
import type { Campaign } from '@bidwell/contract/campaigns/schema';
import type { CreativeGroup } from '@bidwell/contract/creative-groups/schema';
import type { Creative } from '@bidwell/contract/creatives/schema';
import type { AdsetDelivery } from '@bidwell/contract/insight/delivery-report';
import type { Context } from '../../context.ts';
import { oversizedOf } from '../../delivery/public.ts';
import type { Owner } from '../../platform/actor.ts';
import { daysBefore } from '../../platform/days-before.ts';
import { adsetsOfCompany } from '../campaigns/public.ts';
import { groupsOfCompany } from '../catalog/public.ts';

/**
 * The creatives that an ad set can show: creatives of the campaign's app in groups that are not paused or
 * archived.
 */
export function shownCreatives(
  adset: AdsetSummary,
  { app_uuid: appUuid }: Pick<Campaign, 'app_uuid'>,
  groups: readonly CreativeGroup[],
): Creative[] {
  const own = new Set(adset.creative_groups.map(({ uuid }) => uuid));
  return groups
    .filter((group) => own.has(group.uuid) && group.status !== 'Paused' && group.archived_at === null)
    .flatMap(membersOf)
    .filter(({ app, archived_at: archivedAt }) => app.uuid === appUuid && archivedAt === null);
}

/** The creatives of a group, of every type. */
export function membersOf(group: CreativeGroup): Creative[] {
  return [
    ...group.banner_creatives,
    ...group.native_creatives,
    ...group.video_creatives,
    ...group.playable_creatives,
  ];
}

/** Days, with today, in which a creative that was too large for an exchange counts as such. */
const OVERSIZED_DAYS = 2;

/** The names of the exchanges for which creatives of a company were too large in the last days, by creative. */
export async function exchangesTooSmallFor(
  { db, now }: Pick<Context, 'db' | 'now'>,
  { companyId }: Owner,
): Promise<ReadonlyMap<string, readonly string[]>> {
  return oversizedOf(db, companyId, daysBefore(now(), OVERSIZED_DAYS - 1));
}

/** The creatives of campaigns' ad sets that were too large for exchanges in the last days, by ad set; ad sets without any are absent. */
export async function tooLargeByAdset(
  ctx: Context,
  owner: Owner,
  campaigns: readonly Pick<Campaign, 'adsets' | 'app_uuid'>[],
): Promise<ReadonlyMap<string, AdsetDelivery['too_large']>> {
  const exchangesOf = await exchangesTooSmallFor(ctx, owner);
  if (exchangesOf.size === 0) return new Map();
  const [adsets, groups] = await Promise.all([adsetsOfCompany(ctx, owner), groupsOfCompany(ctx, owner)]);
  const summaries = new Map(adsets.map((adset) => [adset.uuid, adset]));
  const found = new Map<string, AdsetDelivery['too_large']>();
  for (const campaign of campaigns)
    for (const { uuid } of campaign.adsets) {
      const adset = summaries.get(uuid);
      const creatives = adset ? shownCreatives(adset, campaign, groups) : [];
      // A creative may be in several groups.
      const large = new Map(
        creatives.flatMap(({ uuid: creative, internal_creative: { name } }) => {
          const exchanges = exchangesOf.get(creative);
          return exchanges ? [[creative, { creative_uuid: creative, name, exchanges: [...exchanges] }]] : [];
        }),
      );
      if (large.size > 0) found.set(uuid, [...large.values()]);
    }
  return found;
}
