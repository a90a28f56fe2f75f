import type { Adset } from '@bidwell/contract/adsets/schema';
import { campaignFields } from '@bidwell/contract/campaigns/fields';
import { CampaignKind, RE_ENGAGEMENT_ALGORITHM, isAlgorithmOf } from '@bidwell/contract/campaigns/kind';
import { campaignMessages } from '@bidwell/contract/campaigns/messages';
import { type Campaign, CampaignInput } from '@bidwell/contract/campaigns/schema';
import { truncate } from '@bidwell/contract/lib/truncate';
import { z } from 'zod';
import { randomId } from '../../../lib/random-id.ts';
import { AdsetValues, adsetErrors, adsetValues, issuesByField } from '../adset-form/adset-values.ts';

/** An ad set in the campaign form. */
export const AdsetFormItem = z.object({
  /** React key of the card; not the ad set's id. */
  key: z.string(),
  /** Null until it is created. */
  uuid: z.string().nullable(),
  values: AdsetValues,
  /** The values on the server; null until it is created. */
  saved: AdsetValues.nullable(),
});
export type AdsetFormItem = z.infer<typeof AdsetFormItem>;

/** A campaign and its ad sets in one form. Also the schema of its draft. */
export const CampaignFormValues = z.object({
  /** Absent from drafts of an earlier release. */
  kind: CampaignKind.default('acquisition'),
  name: z.string(),
  description: z.string(),
  app_uuid: z.string(),
  start_date: z.string().nullable(),
  end_date: z.string().nullable(),
  start_time: z.string().nullable().default(null),
  end_time: z.string().nullable().default(null),
  /** Absent from drafts of an earlier release. */
  start_when_approved: z.boolean().default(false),
  frequency_caps: campaignFields.frequency_caps.form.default([]),
  adsets: z.array(AdsetFormItem),
});
export type CampaignFormValues = z.infer<typeof CampaignFormValues>;

export const emptyCampaign: CampaignFormValues = {
  kind: 'acquisition',
  name: '',
  description: '',
  app_uuid: '',
  start_date: null,
  end_date: null,
  start_time: null,
  end_time: null,
  start_when_approved: false,
  frequency_caps: [],
  adsets: [],
};

/** The form values of an existing campaign with its ad sets. */
export function campaignFormValues(campaign: Campaign, adsets: readonly Adset[]): CampaignFormValues {
  const { name, description, app_uuid, start_date, end_date, start_time, end_time } = campaign;
  const { kind, start_when_approved, frequency_caps } = campaign;
  return {
    kind,
    name,
    description,
    app_uuid,
    start_date,
    end_date,
    start_time,
    end_time,
    start_when_approved,
    frequency_caps,
    adsets: adsets.map(existingAdsetItem),
  };
}

/** The card of an existing ad set. */
export function existingAdsetItem(adset: Adset): AdsetFormItem {
  const values = adsetValues(adset);
  return { key: adset.uuid, uuid: adset.uuid, values, saved: values };
}

/** The values of a new ad set of a campaign: where its kind has one bid strategy alone, the ad set has that. */
export function newAdsetValues(kind: CampaignKind): AdsetValues {
  return { ...adsetValues(), ...(kind === 're_engagement' && { algo: RE_ENGAGEMENT_ALGORITHM }) };
}

/** The card of a new ad set of a campaign; with `from` a copy of those values. */
export function newAdsetItem(kind: CampaignKind, from?: AdsetValues): AdsetFormItem {
  const values = from ? { ...from, name: `${truncate(from.name, 45)} copy` } : newAdsetValues(kind);
  return { key: `new-${randomId()}`, uuid: null, values, saved: null };
}

/** The campaign with an ad set as it is on the server now. */
export function withSavedAdset(
  campaign: CampaignFormValues,
  { key, ...saved }: { key: string; uuid: string; saved: AdsetValues },
): CampaignFormValues {
  const adsets = campaign.adsets.map((adset) => (adset.key === key ? { ...adset, ...saved } : adset));
  return { ...campaign, adsets };
}

/** Changes the kind of a new campaign; new ad sets without a bid strategy get the only one of the kind. */
export function withKind(campaign: CampaignFormValues, kind: CampaignKind): CampaignFormValues {
  const algo = newAdsetValues(kind).algo;
  return {
    ...campaign,
    kind,
    adsets: campaign.adsets.map((adset) =>
      adset.uuid === null && adset.values.algo === null
        ? { ...adset, values: { ...adset.values, algo } }
        : adset,
    ),
  };
}

/** Changes the app: removes existing ad sets and clears what new ones refer to, which belongs to the previous app. */
export function withApp(campaign: CampaignFormValues, appUuid: string): CampaignFormValues {
  if (campaign.app_uuid === appUuid) return campaign;
  const cleared = { target_id: '', tracking_link_id: '', creative_group_ids: [] };
  return {
    ...campaign,
    app_uuid: appUuid,
    adsets: campaign.adsets
      .filter(({ uuid }) => uuid === null)
      .map((adset) => ({ ...adset, values: { ...adset.values, ...cleared } })),
  };
}

/**
 * Messages by path, such as `name` and `adsets.0.bet_cpm`, in the order of the form; empty when it is valid. `isRunning`: whether
 * it is Active.
 */
export function campaignFormErrors(campaign: CampaignFormValues, isRunning = false): Record<string, string> {
  const { adsets, ...fields } = campaign;
  const errors = issuesByField(CampaignInput.safeParse({ ...fields, adset_uuids: [] }));
  adsets.forEach(({ values }, index) => {
    const ofKind: Record<string, string> = isAlgorithmOf(campaign.kind, values.algo)
      ? {}
      : { algo: campaignMessages.reEngagementAlgorithm };
    Object.assign(errors, withAdsetPath(index, { ...adsetErrors(values, isRunning), ...ofKind }));
  });
  return errors;
}

/** Prefixes an ad set's messages with its path in the form. */
export function withAdsetPath(
  index: number,
  errors: Readonly<Record<string, string>>,
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(errors).map(([field, message]) => [`adsets.${index}.${field}`, message]),
  );
}

/** The messages of one ad set, by its own field names. */
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
