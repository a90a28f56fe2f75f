import { isAdsetAmount } from '@bidwell/contract/adsets/fields';
import type { CampaignKind } from '@bidwell/contract/campaigns/kind';
import { type Adset, adsetVersion } from '@bidwell/contract/adsets/schema';
import { consoleMessages } from '@bidwell/contract/text/console-messages';
import { Box, Paper, Skeleton } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { type SubmitEvent, Suspense, useEffect, useState } from 'react';
import { lazyPart } from '../../../ui/layout/lazy-part.tsx';
import { ApiError } from '../../../lib/api/api-error.ts';
import { readAgain } from '../../../lib/api/query-client.ts';
import { adsetQuery } from '../../../entities/campaigns/adset-queries.ts';
import { addAdset } from '../../../entities/campaigns/queries.ts';
import { offerApproval } from '../../../entities/campaigns/offer-approval.ts';
import { confirmBids } from '../../../entities/campaigns/confirm-bid.tsx';
import {
  type ChangedElsewhere,
  ChoiceNeeded,
  useChangedElsewhere,
} from '../../../ui/form/edited/changed-elsewhere.tsx';
import type { FormDraft } from '../../../ui/form/form-draft.tsx';
import { FormActions } from '../../../ui/form/form-actions.tsx';
import { useSave } from '../../../ui/form/use-save.ts';
import { PageHeader } from '../../../ui/layout/page-header.tsx';
import { useIsHere } from '../../../ui/layout/use-is-here.ts';
import { AdsetFields } from './adset-fields.tsx';
import { type AdsetOptions, useAdsetOptions } from './adset-options.ts';
import { adsetLabel, adsetValueText } from './adset-texts.ts';
import { AdsetValues, adsetErrors, adsetValues, changedBids } from './adset-values.ts';
import { newAdsetValues } from '../form/campaign-form-values.ts';
import { budgetChanges } from '../form/budget-changes.ts';
import { useFormState, useStateDraft } from '../form/form-state.ts';
import { saveAdset } from '../form/save-campaign.ts';
import { Segments, optionsOf } from '../../../ui/layout/segments.tsx';
import { WithSidePanel } from '../../../ui/layout/with-side-panel.tsx';

const ForecastPanel = lazyPart(() => import('../forecast/forecast-panel.tsx'), 'ForecastPanel');

interface AdsetFormProps {
  adset?: Adset;
  campaignUuid?: string | undefined;
  /** The kind of its campaign; acquisition without one. */
  campaignKind: CampaignKind;
  /** The field that is focused at first. */
  field?: string | undefined;
  /** Filled into `field` if it is an amount. */
  value?: number | undefined;
}

/** Form of a single ad set, new or existing, outside the campaign form. */
export function AdsetForm({ adset, campaignUuid, campaignKind, field, value }: AdsetFormProps) {
  const options = useAdsetOptions();
  const { uuid, back, busy, save, changedElsewhere, ...form } = useAdsetForm(
    { adset, campaignUuid, campaignKind },
    options,
  );
  const { values, setValues, focus } = form;
  useEffect(() => {
    if (field === undefined) return;
    if (value !== undefined && (isAdsetAmount(field) || field === 'roas'))
      setValues((before) => ({ ...before, [field]: value }));
    focus(field);
  }, [field, value, setValues, focus]);
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const errors = adsetErrors(values);
    if (Object.keys(errors).length > 0) form.showErrors(errors);
    else save(values);
  };
  const change = (changes: Partial<AdsetValues>) => {
    form.setValues((before) => ({ ...before, ...changes }));
    form.clearErrors(Object.keys(changes));
  };

  return (
    <>
      <PageHeader
        title={adset ? adset.name : 'New ad set'}
        description="Who to reach, with which creatives, and at what price."
        actions={
          adset && (
            <Segments
              label="Status"
              options={optionsOf(['Active', 'Paused'])}
              value={values.status}
              onChange={(status) => change({ status })}
            />
          )
        }
      />
      {form.notice}
      {changedElsewhere}
      <form onSubmit={submit} noValidate>
        <WithSidePanel
          side={
            <Suspense fallback={<Skeleton height={300} />}>
              <ForecastPanel values={values} uuid={uuid} campaignKind={campaignKind} />
            </Suspense>
          }
          actions={
            <Box maw={860}>
              <FormActions cancel={back} action="Save ad set" busy={busy} permission="adset.write" />
            </Box>
          }
        >
          <Box maw={860}>
            <Paper withBorder p="md">
              <AdsetFields
                values={values}
                onChange={change}
                errors={form.errors}
                options={options}
                uuid={uuid}
                campaignKind={campaignKind}
              />
            </Paper>
          </Box>
        </WithSidePanel>
      </form>
    </>
  );
}

/** Values, messages and saving of the form; the one of an existing ad set follows what others save. */
function useAdsetForm(
  { adset, campaignUuid, campaignKind }: Pick<AdsetFormProps, 'adset' | 'campaignUuid' | 'campaignKind'>,
  options: AdsetOptions,
) {
  const navigate = useNavigate();
  const isHere = useIsHere();
  const [initial] = useState(() => (adset ? adsetValues(adset) : newAdsetValues(campaignKind)));
  // The ad set of an earlier attempt: a retry after the campaign was rejected must not create another.
  const [created, setCreated] = useState<{ uuid: string; values: AdsetValues } | null>(null);
  const { save, busy } = useSave<AdsetValues>({
    confirm: (sent) => confirmBids([changedBids(sent, saved)]),
    send: async (sent): Promise<void> =>
      sendCurrent(sent, async (current, version, base) => {
        const known = base ? adsetValues(base) : (created?.values ?? null);
        const uuid = await saveAdset(adset?.uuid ?? created?.uuid ?? null, current, known, version);
        if (!adset) setCreated({ uuid, values: current });
        if (campaignUuid) await addAdset(campaignUuid, uuid);
      }),
    done: consoleMessages.saved('Ad set'),
    onSaved: async () => {
      draft.flush();
      if (isHere()) await navigate(back);
    },
    onFailure: (error, sent): boolean | undefined => {
      if (error instanceof ChoiceNeeded) return true;
      if (adset && offerApprovalOf(adset, { values: sent, saved }, error)) return true;
      form.showErrors(error instanceof ApiError ? { ...error.fields } : {});
      return undefined;
    },
  });
  const form = useFormState<AdsetValues>(initial);
  const saved: AdsetValues | null = adset ? form.saved : (created?.values ?? null);
  const { sendCurrent, notice, base, rebase }: ChangedElsewhere<AdsetValues, Adset> = useChangedElsewhere(
    {
      getValues: form.getValues,
      setInitialValues: form.setSaved,
      setFieldValue: (name, present) => form.setValues((all) => ({ ...all, [name]: present })),
    },
    adset && {
      saved: adset,
      valuesOf: adsetValues,
      version: adsetVersion,
      reload: () => readAgain(adsetQuery(adset.uuid)),
      nameOf: (name, one) => adsetValueText(options, name, one),
      labelOf: adsetLabel,
    },
    busy,
  );
  const draft: FormDraft = useStateDraft(form, {
    draftKey: `adset.${adset?.uuid ?? 'new'}`,
    schema: AdsetValues,
    base,
    onRestored: rebase,
    busy,
  });
  const campaign = campaignUuid ?? adset?.campaign?.uuid;
  const back = campaign
    ? { to: '/campaigns/edit' as const, search: { uuid: campaign } }
    : { to: '/campaigns' as const };

  const uuid = adset?.uuid ?? created?.uuid ?? null;
  return { ...form, ...draft, uuid, back, busy, save, changedElsewhere: notice };
}

/** Asks whether to request an approval of the budgets of the form, where saving them needs one. Returns whether it asks. */
function offerApprovalOf(
  { uuid, campaign }: Adset,
  budgets: { values: AdsetValues; saved: AdsetValues | null },
  error: unknown,
): boolean {
  // No approval can be requested for an ad set that the campaign does not have yet.
  if (!campaign) return false;
  const adsets = budgetChanges([{ uuid, ...budgets }]);
  return offerApproval(error, { campaign_uuid: campaign.uuid, adsets });
}
