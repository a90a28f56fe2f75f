import { campaignFields } from '@bidwell/contract/campaigns/fields';
import { campaignVersion } from '@bidwell/contract/campaigns/schema';
import { capsText } from '@bidwell/contract/frequency/caps';
import type { ReactNode } from 'react';
import { appsQuery } from '../../../entities/apps/queries.ts';
import { adsetsOfCampaignQuery } from '../../../entities/campaigns/adset-queries.ts';
import { campaignQuery } from '../../../entities/campaigns/queries.ts';
import { queryClient, readAgain } from '../../../lib/api/query-client.ts';
import { formatDay } from '../../../lib/format/format.ts';
import { useChangedElsewhere } from '../../../ui/form/edited/changed-elsewhere.tsx';
import type { AdsetOptions } from '../adset-form/adset-options.ts';
import { adsetLabel, adsetValueText } from '../adset-form/adset-texts.ts';
import type { CampaignFormValues } from './campaign-form-values.ts';
import {
  type CampaignFields,
  type EditedCampaign,
  adsetFieldOf,
  draftBase,
  formFields,
  rebased,
  savedFields,
  savedForm,
  withField,
} from './edited-campaign.ts';
import type { useFormState } from './form-state.ts';

type CampaignFormState = Pick<
  ReturnType<typeof useFormState<CampaignFormValues>>,
  'getValues' | 'setValues' | 'getSaved' | 'setSaved'
>;

export interface FollowedCampaign {
  /**
   * Saves what the form has, based on what the server has: where someone else saved meanwhile, that is taken over first. Throws
   * ChoiceNeeded where both changed a field.
   */
  saveCurrent: <Sent>(
    save: (values: CampaignFormValues, base: EditedCampaign | undefined) => Promise<Sent>,
  ) => Promise<Sent>;
  /** Render it above the fields: what someone else changed that the person changed too. */
  notice: ReactNode;
  /** The base of the form, for its draft; undefined for a new campaign. */
  base: CampaignFields | undefined;
  /**
   * Compares a draft that was put into the form with the saved campaign; `base` is the base of the draft, null if it is not
   * known.
   */
  rebase: (base: CampaignFields | null) => void;
}

/** Lets the form of a campaign follow the campaign and its ad sets, field by field; a new one has nothing to follow. */
export function useFollowedCampaign(
  { getValues, setValues, getSaved, setSaved }: CampaignFormState,
  { edited, options, busy }: { edited: EditedCampaign | undefined; options: AdsetOptions; busy: boolean },
): FollowedCampaign {
  const fields = () => formFields(getValues(), getSaved());
  const { sendCurrent, notice, base, rebase } = useChangedElsewhere<CampaignFields, EditedCampaign>(
    {
      getValues: fields,
      setInitialValues: (saved) => {
        setSaved(savedForm(saved, getValues()));
        setValues((form) => rebased(form, getSaved()));
      },
      setFieldValue: (name, value) => setValues((form) => withField(form, getSaved(), name, value)),
    },
    edited && {
      saved: edited,
      valuesOf: (saved) => savedFields(saved, getValues()),
      version: campaignVersion,
      reload: () => readCampaignAgain(edited.campaign.uuid),
      nameOf: (name, value) => campaignValueText(options, name, value),
      labelOf: (name) => campaignLabel(getValues(), name),
    },
    busy,
  );
  return {
    saveCurrent: (save) => sendCurrent(fields(), async (_fields, _version, of) => save(getValues(), of)),
    notice,
    base,
    rebase: (stored) => {
      if (!edited) return;
      // Before the comparison: which ad sets the form has removed is what it lacks of its base.
      if (stored) setSaved(savedForm(stored, getValues()));
      rebase(draftBase(stored, savedFields(edited, getValues()), fields()));
    },
  };
}

/** Reads a campaign and its ad sets again. Throws ApiError. */
async function readCampaignAgain(uuid: string): Promise<EditedCampaign> {
  const [campaign, adsets] = await Promise.all([
    readAgain(campaignQuery(uuid)),
    readAgain(adsetsOfCampaignQuery(uuid)),
  ]);
  return { campaign, adsets };
}

/** What the form calls a field of the campaign or of one of its ad sets. */
function campaignLabel({ adsets }: CampaignFormValues, name: string): string | undefined {
  const of = adsetFieldOf(name);
  if (of === null) return labels[name];
  const title = adsets.find(({ uuid }) => uuid === of.uuid)?.saved?.name ?? 'Ad set';
  return of.field === undefined ? title : `${title}: ${adsetLabel(of.field)}`;
}

const labels: Readonly<Record<string, string>> = {
  name: 'Campaign name',
  app_uuid: 'App',
  start_date: 'First day',
  end_date: 'Last day',
  start_time: 'Start time',
  end_time: 'End time',
  start_when_approved: 'Start by itself when approved',
  frequency_caps: 'Frequency caps',
};

/** Frequency caps in words; undefined for any other value. */
function cappedText(value: unknown): string | undefined {
  const caps = campaignFields.frequency_caps.form.safeParse(value).data;
  return caps && (capsText(caps) || 'none');
}

function campaignValueText(options: AdsetOptions, name: string, value: unknown): string | undefined {
  const of = adsetFieldOf(name);
  if (of?.field !== undefined) return adsetValueText(options, of.field, value);
  if (of) return value === 'left' ? 'not in the campaign' : 'in the campaign, with your changes';
  if (name === 'app_uuid')
    return queryClient.getQueryData(appsQuery.queryKey)?.find(({ uuid }) => uuid === value)?.name;
  if (name === 'frequency_caps') return cappedText(value);
  return name.endsWith('_date') && typeof value === 'string' ? formatDay(value) : undefined;
}
