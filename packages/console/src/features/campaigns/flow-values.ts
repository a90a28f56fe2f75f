import type { Adset } from '@bidwell/contract/adset';
import type { Campaign } from '@bidwell/contract/campaign';
import { CampaignInput } from '@bidwell/contract/campaign';
import { z } from 'zod';
import { randomId } from '../../lib/random-id.ts';
import { AdsetValues, adsetErrors, adsetValues, issuesByField } from './adset-values.ts';

/** An ad set within the campaign's form. */
export const FlowAdset = z.object({
  /** Tells the cards apart; not the ad set's id. */
  key: z.string(),
  /** Null until it is created. */
  uuid: z.string().nullable(),
  values: AdsetValues,
  /** What the server has of it; null until it is created. */
  saved: AdsetValues.nullable(),
});
export type FlowAdset = z.infer<typeof FlowAdset>;

/** A campaign and its ad sets while they are edited as one. Also what a draft keeps. */
export const CampaignFlow = z.object({
  name: z.string(),
  description: z.string(),
  app_uuid: z.string(),
  start_date: z.string().nullable(),
  end_date: z.string().nullable(),
  adsets: z.array(FlowAdset),
});
export type CampaignFlow = z.infer<typeof CampaignFlow>;

export const emptyFlow: CampaignFlow = {
  name: '',
  description: '',
  app_uuid: '',
  start_date: null,
  end_date: null,
  adsets: [],
};

/** The form of a campaign that exists, with those of `adsets` that are its own. */
export function flowOf(campaign: Campaign, adsets: readonly Adset[]): CampaignFlow {
  const { name, description, app_uuid, start_date, end_date } = campaign;
  const own = adsets.filter((adset) => adset.campaign?.uuid === campaign.uuid);
  return { name, description, app_uuid, start_date, end_date, adsets: own.map(existingAdset) };
}

/** A card of an ad set that exists. */
export function existingAdset(adset: Adset): FlowAdset {
  const values = adsetValues(adset);
  return { key: adset.uuid, uuid: adset.uuid, values, saved: values };
}

/** A card of a new ad set; a copy when it is made from another's values. */
export function newAdset(from?: AdsetValues): FlowAdset {
  const values = from ? { ...from, name: `${from.name.slice(0, 45)} copy` } : adsetValues();
  return { key: `new-${randomId()}`, uuid: null, values, saved: null };
}

/** The form with another app: what belongs to the app before goes, so that nothing refers across. */
export function withApp(flow: CampaignFlow, appUuid: string): CampaignFlow {
  if (flow.app_uuid === appUuid) return flow;
  const cleared = { target_id: '', tracking_link_id: '', creative_group_ids: [] };
  return {
    ...flow,
    app_uuid: appUuid,
    adsets: flow.adsets
      .filter(({ uuid }) => uuid === null)
      .map((adset) => ({ ...adset, values: { ...adset.values, ...cleared } })),
  };
}

/** Messages by path, such as `name` and `adsets.0.bet_cpm`, in the order of the form; none when it can be saved. */
export function flowErrors(flow: CampaignFlow): Record<string, string> {
  const { adsets, ...fields } = flow;
  const errors = issuesByField(CampaignInput.safeParse({ ...fields, adset_uuids: [] }));
  adsets.forEach(({ values }, index) => Object.assign(errors, atAdset(index, adsetErrors(values))));
  return errors;
}

/** The paths of an ad set's fields in the whole form. */
export function atAdset(index: number, errors: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(errors).map(([field, message]) => [`adsets.${index}.${field}`, message]),
  );
}

/** The messages of one ad set, by its own fields. */
export function errorsOfAdset(
  errors: Readonly<Record<string, string>>,
  index: number,
): Record<string, string> {
  const prefix = `adsets.${index}.`;
  return Object.fromEntries(
    Object.entries(errors)
      .filter(([path]) => path.startsWith(prefix))
      .map(([path, message]) => [path.slice(prefix.length), message]),
  );
}
