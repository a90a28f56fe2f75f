import type { Adset } from '@bidwell/contract/adsets/schema';
import type { Campaign } from '@bidwell/contract/campaigns/schema';
import { type Loadable, combined, knownAs, mapped, useLoadable } from '../../lib/loadable.ts';
import { compareNames } from '../../lib/format/compare-names.ts';
import { adsetsQuery } from '../../entities/campaigns/adset-queries.ts';
import { levelQuery } from '../../entities/reports/queries.ts';
import { campaignsQuery } from '../../entities/campaigns/queries.ts';
import { creativeGroupsQuery } from '../../entities/creative-groups/queries.ts';

/** A filter value with its label. */
export interface Choice {
  value: string;
  label: string;
}

interface NamedCreative {
  uuid: string;
  internal_creative: { name: string };
}

const kinds = ['banner_creatives', 'video_creatives', 'native_creatives', 'playable_creatives'] as const;
type GroupOfCreatives = { uuid: string } & Record<(typeof kinds)[number], readonly NamedCreative[]>;

/** The creatives in a campaign's ad sets at present. Pure. */
export function creativesOfCampaign(
  campaign: Pick<Campaign, 'adsets'> | undefined,
  adsets: readonly Pick<Adset, 'uuid' | 'creative_groups'>[],
  groups: readonly GroupOfCreatives[],
): Choice[] {
  const adsetIds = new Set(campaign?.adsets.map(({ uuid }) => uuid));
  const groupIds = new Set(
    adsets
      .filter(({ uuid }) => adsetIds.has(uuid))
      .flatMap((adset) => adset.creative_groups.map(({ uuid }) => uuid)),
  );
  return groups
    .filter(({ uuid }) => groupIds.has(uuid))
    .flatMap((group) => kinds.flatMap((kind) => group[kind]))
    .map(({ uuid, internal_creative: { name } }) => ({ value: uuid, label: name }));
}

/** The creatives in a campaign at present, plus those it showed in the range, by name. */
export function useCampaignCreatives(
  campaignUuid: string | undefined,
  range: { start: string; end: string },
): Loadable<readonly Choice[]> {
  const chosen = campaignUuid !== undefined;
  const campaigns = useLoadable(campaignsQuery);
  const adsets = useLoadable({ ...adsetsQuery, enabled: chosen });
  const groups = useLoadable({ ...creativeGroupsQuery, enabled: chosen });
  const shown = useLoadable({
    ...levelQuery(range, ['creative'], { campaign: campaignUuid ?? '' }),
    enabled: chosen,
    refetchInterval: false,
  });
  if (!chosen) return knownAs([]);
  return mapped(
    combined(campaigns, adsets, groups, shown),
    ([allCampaigns, allAdsets, allGroups, report]) => {
      const now = creativesOfCampaign(
        allCampaigns.find(({ uuid }) => uuid === campaignUuid),
        allAdsets,
        allGroups,
      );
      const before = report.rows.map(({ value, name }) => ({ value, label: name }));
      const byUuid = new Map([...before, ...now].map((choice) => [choice.value, choice]));
      return [...byUuid.values()].toSorted((a, b) => compareNames(a.label, b.label));
    },
  );
}
