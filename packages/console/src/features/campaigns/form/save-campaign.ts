import { AdsetInput, adsetVersion } from '@bidwell/contract/adsets/schema';
import { type Campaign, CampaignInput } from '@bidwell/contract/campaigns/schema';
import type { DraftVersion } from '@bidwell/contract/drafts/schema';
import { versionOf } from '@bidwell/contract/lib/version';
import { consoleMessages } from '@bidwell/contract/text/console-messages';
import { failureText } from '../../../lib/api/api-error.ts';
import { createAdset, updateAdset } from '../../../entities/campaigns/adset-queries.ts';
import { createCampaign, updateCampaign } from '../../../entities/campaigns/queries.ts';
import { type AdsetValues, adsetChanges } from '../adset-form/adset-values.ts';
import { isOutdated } from '../../../lib/api/change-as-shown.ts';
import type { CampaignFormValues } from './campaign-form-values.ts';
import { type EditedCampaign, versionWith } from './edited-campaign.ts';

/** An ad set of the form that could not be saved. */
export class AdsetSaveError extends Error {
  /** Index in the form. */
  readonly index: number;
  override readonly cause: unknown;

  constructor(index: number, name: string, cause: unknown) {
    super(consoleMessages.adsetNotSaved(name, failureText(cause)));
    this.index = index;
    this.cause = cause;
  }
}

/**
 * Saves the ad sets, then the campaign: creates new ad sets, updates changed ones and skips the others. `onSaved` is
 * called for each ad set on the server, so that a retry does not create it again. Throws AdsetSaveError, and ApiError
 * for the campaign itself, and where someone else changed the campaign or an ad set since `base`.
 */
export async function saveCampaign(
  campaign: CampaignFormValues,
  {
    base,
    draft,
    onSaved,
  }: {
    /** The base of the form; absent for a new campaign. */
    base?: EditedCampaign | undefined;
    /** The draft that a new campaign is created from. */
    draft: DraftVersion | null;
    onSaved: (key: string, uuid: string, values: AdsetValues) => void;
  },
): Promise<Campaign> {
  const uuids: string[] = [];
  const changed = new Map<string, Campaign['adsets'][number]>();
  for (const [index, { key, uuid, values, saved }] of campaign.adsets.entries()) {
    const before = base?.adsets.find((adset) => adset.uuid === uuid);
    try {
      const savedUuid = await saveAdset(uuid, values, saved, before && versionOf(adsetVersion, before));
      uuids.push(savedUuid);
      changed.set(savedUuid, { uuid: savedUuid, name: values.name.trim(), status: values.status });
      onSaved(key, savedUuid, values);
    } catch (error) {
      if (isOutdated(error)) throw error;
      throw new AdsetSaveError(index, values.name, error);
    }
  }
  const { adsets: _adsets, ...fields } = campaign;
  const input = CampaignInput.parse({ ...fields, adset_uuids: uuids });
  return base
    ? updateCampaign(base.campaign.uuid, input, versionWith(base, changed))
    : createCampaign({ ...input, draft });
}

/** Saves one ad set, an existing one only in this version, and returns its uuid. Throws ApiError. */
export async function saveAdset(
  uuid: string | null,
  values: AdsetValues,
  saved: AdsetValues | null,
  version: string | undefined,
): Promise<string> {
  if (uuid === null) return (await createAdset(AdsetInput.parse(values))).uuid;
  const changes = saved ? adsetChanges(values, saved) : values;
  if (Object.keys(changes).length > 0) await updateAdset(uuid, AdsetInput.partial().parse(changes), version);
  return uuid;
}
