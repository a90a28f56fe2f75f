import { AdsetInput } from '@bidwell/contract/adsets/schema';
import { type Campaign, CampaignInput } from '@bidwell/contract/campaigns/schema';
import type { DraftVersion } from '@bidwell/contract/drafts/schema';
import { consoleMessages, messages } from '@bidwell/contract/text/messages';
import { createAdset, updateAdset } from '../../../entities/campaigns/adset-queries.ts';
import { createCampaign, updateCampaign } from '../../../entities/campaigns/queries.ts';
import { type AdsetValues, adsetChanges } from '../adset-form/adset-values.ts';
import type { CampaignFormValues } from './campaign-form-values.ts';

/** An ad set of the form that could not be saved. */
export class AdsetSaveError extends Error {
  /** Index in the form. */
  readonly index: number;
  override readonly cause: unknown;

  constructor(index: number, name: string, cause: unknown) {
    super(consoleMessages.adsetNotSaved(name, cause instanceof Error ? cause.message : messages.tryAgain));
    this.index = index;
    this.cause = cause;
  }
}

/**
 * Saves the ad sets, then the campaign: creates new ad sets, updates changed ones and skips the others. `onSaved` is
 * called for each ad set on the server, so that a retry does not create it again. Throws AdsetSaveError, and ApiError
 * for the campaign itself.
 */
export async function saveCampaign(
  campaign: CampaignFormValues,
  {
    campaignUuid,
    draft,
    onSaved,
  }: {
    /** Absent for a new campaign. */
    campaignUuid?: string;
    /** The draft that a new campaign is created from. */
    draft: DraftVersion | null;
    onSaved: (key: string, uuid: string, values: AdsetValues) => void;
  },
): Promise<Campaign> {
  const uuids: string[] = [];
  for (const [index, { key, uuid, values, saved }] of campaign.adsets.entries()) {
    try {
      const savedUuid = await saveAdset(uuid, values, saved);
      uuids.push(savedUuid);
      onSaved(key, savedUuid, values);
    } catch (error) {
      throw new AdsetSaveError(index, values.name, error);
    }
  }
  const { adsets: _adsets, ...fields } = campaign;
  const input = CampaignInput.parse({ ...fields, adset_uuids: uuids });
  return campaignUuid ? updateCampaign(campaignUuid, input) : createCampaign({ ...input, draft });
}

/** Saves one ad set and returns its uuid. Throws ApiError. */
export async function saveAdset(
  uuid: string | null,
  values: AdsetValues,
  saved: AdsetValues | null,
): Promise<string> {
  if (uuid === null) return (await createAdset(AdsetInput.parse(values))).uuid;
  const changes = saved ? adsetChanges(values, saved) : values;
  if (Object.keys(changes).length > 0) await updateAdset(uuid, AdsetInput.partial().parse(changes));
  return uuid;
}
