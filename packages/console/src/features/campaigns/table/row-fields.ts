import { type AdsetSummary, adsetVersion } from '@bidwell/contract/adsets/schema';
import { type Campaign, campaignVersion } from '@bidwell/contract/campaigns/schema';
import { adsetQuery, updateAdset } from '../../../entities/campaigns/adset-queries.ts';
import { campaignQuery, updateCampaign } from '../../../entities/campaigns/queries.ts';
import { readAgain } from '../../../lib/api/query-client.ts';
import { type FieldInPlace, fieldInPlace } from '../../../ui/form/inline/edited-field.ts';

/** A text of a campaign, editable in its row. */
export const campaignField = (campaign: Campaign, name: 'name' | 'description'): FieldInPlace<string> =>
  fieldInPlace({
    saved: campaign,
    valueOf: (present: Campaign) => present[name],
    version: campaignVersion,
    reload: async () => readAgain(campaignQuery(campaign.uuid)),
    send: async (text, version) => updateCampaign(campaign.uuid, { [name]: text }, version),
  });

/** What an ad set has in a field of its row, and how it is saved. */
type AdsetField<Value> = Pick<FieldInPlace<Value>, 'send'> & { valueOf: (adset: InRow) => Value };

/** The values of the table and of the ad set. */
type InRow = Omit<AdsetSummary, 'bundle_counts'>;

/** A field of an ad set, editable in its row. */
export const adsetField = <Value>(adset: AdsetSummary, field: AdsetField<Value>): FieldInPlace<Value> =>
  fieldInPlace({
    ...field,
    saved: adset,
    version: adsetVersion,
    // The table has no lists of bundles.
    isPart: true,
    reload: async (): Promise<InRow> => readAgain(adsetQuery(adset.uuid)),
  });

/** A text of an ad set, editable in its row. */
export const adsetText = (adset: AdsetSummary, name: 'name' | 'description'): FieldInPlace<string> =>
  adsetField(adset, {
    valueOf: (present) => present[name],
    send: async (text, version) => updateAdset(adset.uuid, { [name]: text }, version),
  });
