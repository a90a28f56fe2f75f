import type { Campaign } from '@bidwell/contract/campaigns/schema';
import { campaignMessages } from '@bidwell/contract/campaigns/messages';
import { consoleMessages } from '@bidwell/contract/text/console-messages';
import { useNavigate } from '@tanstack/react-router';
import { type SubmitEvent, useState } from 'react';
import { ApiError } from '../../../lib/api/api-error.ts';
import { type OpenedDraft, useCampaignDraft, useShownDraft } from './use-campaign-draft.ts';
import { adsetQuery } from '../../../entities/campaigns/adset-queries.ts';
import { queryClient } from '../../../lib/api/query-client.ts';
import { toastError } from '../../../lib/toast.ts';
import { confirmBids } from '../../../entities/campaigns/confirm-bid.tsx';
import type { FormDraft } from '../../../ui/form/form-draft.tsx';
import { useIsHere } from '../../../ui/layout/use-is-here.ts';
import { ChoiceNeeded } from '../../../ui/form/edited/changed-elsewhere.tsx';
import type { AdsetOptions } from '../adset-form/adset-options.ts';
import { type AdsetValues, changedBids } from '../adset-form/adset-values.ts';
import {
  type AdsetFormItem,
  CampaignFormValues,
  campaignFormErrors,
  campaignFormValues,
  emptyCampaign,
  existingAdsetItem,
  withAdsetPath,
  withSavedAdset,
} from './campaign-form-values.ts';
import { CampaignFields, type EditedCampaign } from './edited-campaign.ts';
import { type FollowedCampaign, useFollowedCampaign } from './use-followed-campaign.ts';
import { useFormState, useStateDraft } from './form-state.ts';
import { offerApproval } from '../../../entities/campaigns/offer-approval.ts';
import { budgetChanges } from './budget-changes.ts';
import { AdsetSaveError, saveCampaign } from './save-campaign.ts';
import { useSave } from '../../../ui/form/use-save.ts';

/** State of the campaign form: values, messages, the expanded ad set, ad sets that are being added, and saving. */
export function useCampaignForm(
  edited: EditedCampaign | undefined,
  opened: OpenedDraft | undefined,
  options: AdsetOptions,
) {
  const campaign = edited?.campaign;
  const navigate = useNavigate();
  const isHere = useIsHere();
  // The server's state when the form opened: later changes are taken over field by field.
  const [initial] = useState(() =>
    edited ? campaignFormValues(edited.campaign, edited.adsets) : (opened?.values ?? emptyCampaign),
  );
  const serverDraft = useCampaignDraft(campaign?.uuid, opened);
  const { saver } = serverDraft.stored;
  const [expanded, setOpened] = useState<string | null>(null);
  const { save, busy } = useSave({
    confirm: ({ adsets }: CampaignFormValues) =>
      confirmBids(adsets.map((adset) => changedBids(adset.values, adset.saved))),
    send: async (sent: CampaignFormValues): Promise<Campaign> =>
      campaign
        ? saveCurrent(async (values, base) => saveCampaign(values, { base, draft: null, onSaved: markSaved }))
        : saveCampaign(sent, { draft: await saver.settle(), onSaved: markSaved }),
    done: campaign ? consoleMessages.saved('Campaign') : campaignMessages.campaignCreated,
    onSaved: async () => {
      draft.flush();
      saver.reset();
      if (isHere()) await navigate({ to: '/campaigns' });
    },
    onFailure: (error): boolean => {
      saver.resume();
      if (error instanceof ChoiceNeeded) return true;
      if (campaign !== undefined && offerApprovalOf(campaign.uuid, form.getValues(), error)) return true;
      showErrors(errorsOf(error));
      return false;
    },
  });
  const form = useFormState<CampaignFormValues>(initial);
  const { values, setValues } = form;
  const isStored = campaign === undefined && (opened !== undefined || form.isChanged);
  const takeDraft = useShownDraft(serverDraft.stored, isStored ? values : null, setValues);
  const followed: FollowedCampaign = useFollowedCampaign(form, { edited, options, busy });
  const { saveCurrent, notice } = followed;
  const draft: FormDraft = useStateDraft<CampaignFormValues, CampaignFields>(form, {
    draftKey: serverDraft.key,
    schema: CampaignFormValues,
    base: followed.base,
    baseSchema: CampaignFields,
    onRestored: followed.rebase,
    busy,
    ...serverDraft.leaving,
  });

  const expandAdsetOf = (path: string | undefined) => {
    const index = /^adsets\.(\d+)\./.exec(path ?? '')?.[1];
    if (index !== undefined) setOpened(values.adsets[Number(index)]?.key ?? null);
  };
  /** Shows messages by path, and expands the ad set that has the first one. */
  const showErrors = (errors: Record<string, string>) => {
    expandAdsetOf(Object.keys(errors)[0]);
    form.showErrors(errors);
  };
  /** Focuses a field by its path, and expands its ad set. */
  const focus = (path: string) => {
    expandAdsetOf(path);
    form.focus(path);
  };
  /** Adds an ad set, expanded, with the focus on its title. */
  const addAdset = (item: AdsetFormItem) => {
    setValues((before) => ({ ...before, adsets: [...before.adsets, item] }));
    setOpened(item.key);
    form.focus(`adsets.${form.getValues().adsets.length - 1}.name`);
  };
  const { adding, addExisting } = useExistingAdsets(form.getValues, addAdset);
  const markSaved = (key: string, uuid: string, saved: AdsetValues) =>
    setValues((before) => withSavedAdset(before, { key, uuid, saved }));
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const errors = campaignFormErrors(values, campaign?.status === 'Active');
    if (Object.keys(errors).length > 0) showErrors(errors);
    else if (adding.length === 0) save(values);
  };
  return {
    ...form,
    ...draft,
    changedElsewhere: notice,
    busy,
    draft: { ...serverDraft.stored, take: takeDraft },
    opened: expanded,
    setOpened,
    focus,
    adding,
    addAdset,
    addExisting,
    submit,
  };
}

/** Adding ad sets that exist already; `adding` are those on their way. */
function useExistingAdsets(getValues: () => CampaignFormValues, addAdset: (item: AdsetFormItem) => void) {
  const [adding, setAdding] = useState<readonly string[]>([]);
  /**
   * Adds an existing ad set, unless another app has been selected meanwhile. It is fetched, because the list of ad sets does
   * not have their bundle lists, which the form saves.
   */
  const addExisting = async (uuid: string) => {
    setAdding((before) => [...before, uuid]);
    try {
      const adset = await queryClient.fetchQuery({ ...adsetQuery(uuid), staleTime: 0 });
      if (adset.target.app.uuid === getValues().app_uuid) addAdset(existingAdsetItem(adset));
    } catch (error) {
      toastError(error);
    } finally {
      setAdding((before) => before.filter((one) => one !== uuid));
    }
  };
  return { adding, addExisting };
}

/** Asks whether to request an approval of the budgets of the form, where saving them needs one. Returns whether it asks. */
function offerApprovalOf(campaignUuid: string, { adsets }: CampaignFormValues, error: unknown): boolean {
  return offerApproval(error instanceof AdsetSaveError ? error.cause : error, {
    campaign_uuid: campaignUuid,
    adsets: budgetChanges(adsets),
  });
}

/** The server's messages by path. Messages of an ad set have its path in the form. */
function errorsOf(error: unknown): Record<string, string> {
  const cause = error instanceof AdsetSaveError ? error.cause : error;
  const fields = cause instanceof ApiError ? cause.fields : {};
  return error instanceof AdsetSaveError ? withAdsetPath(error.index, fields) : fields;
}
