import { dateTimeAt } from '@bidwell/contract/lib/calendar';
import type { AdsetSummary } from '@bidwell/contract/adsets/schema';
import { Box, Stack } from '@mantine/core';
import { Suspense } from 'react';
import { lazyPart } from '../../../ui/layout/lazy-part.tsx';
import { type Loadable, combined, isKnown, knownData, mapped, useLoadable } from '../../../lib/loadable.ts';
import type { Commented } from '../../../entities/campaigns/comment-queries.ts';
import { currentOnly } from '../../../lib/current-only.ts';
import { appsQuery } from '../../../entities/apps/queries.ts';
import { approvalLimitsQuery } from '../../../entities/campaigns/approval-queries.ts';
import { balanceQuery } from '../../../entities/finance/queries.ts';
import { usePresent, useTimeZone } from '../../../lib/today.ts';
import { FormActions } from '../../../ui/form/form-actions.tsx';
import { PageHeader } from '../../../ui/layout/page-header.tsx';
import { useAdsetOptions } from '../adset-form/adset-options.ts';
import { CampaignAdsets } from './campaign-adsets.tsx';
import { CampaignFields } from './campaign-fields.tsx';
import classes from './campaign-form.module.css';
import { withApp, withKind, newAdsetItem } from './campaign-form-values.ts';
import { CampaignSummaryPanel } from './campaign-summary-panel.tsx';
import { campaignSummary } from './campaign-summary.ts';
import { startChecklist, type Fix } from './start-checklist.ts';
import type { EditedCampaign } from './edited-campaign.ts';
import { useCampaignForm } from './use-campaign-form.ts';
import type { OpenedDraft } from './use-campaign-draft.ts';
import { DraftBar } from '../drafts/draft-bar.tsx';
import { useDrawer } from '../../../ui/form/drawer-requests.ts';

// Below the form, which has to be there first.
const Comments = lazyPart(() => import('../comments/comments.tsx'), 'Comments');

/** Form of a campaign with its ad sets. */
export function CampaignForm({
  saved,
  opened,
  adsets,
}: {
  saved?: EditedCampaign;
  /** The draft with which the form of a new campaign opens. */
  opened?: OpenedDraft;
  /** All ad sets of the company. */
  adsets: Loadable<readonly AdsetSummary[]>;
}) {
  const campaign = saved?.campaign;
  const timeZone = useTimeZone();
  const now = dateTimeAt(usePresent(timeZone).nowMs, timeZone);
  const apps = useLoadable(appsQuery);
  const balance = useLoadable(balanceQuery);
  const approvalLimits = useLoadable(approvalLimitsQuery);
  const options = useAdsetOptions();
  const form = useCampaignForm(saved, opened, options);
  const { values, setValues } = form;
  const app = knownData(apps)?.find(({ uuid }) => uuid === values.app_uuid);
  const [targets, groups] = [knownData(options.targets), knownData(options.groups)];
  const outcome = campaignSummary(values, {
    app,
    targets,
    groups,
    approvalLimits: knownData(approvalLimits),
    now,
    status: campaign?.status,
  });
  const missing = startChecklist(values, {
    app,
    hasApps: !isKnown(apps) || apps.data.length > 0,
    groups,
    balance: knownData(mapped(balance, (known) => known.balance + known.credit_limit)),
    now,
  });
  const selectApp = (uuid: string) => {
    setValues((before) => withApp(before, uuid));
    form.clearErrors(['app_uuid']);
  };
  const fix = useFix(form, selectApp);
  const commented = commentedOf(campaign?.uuid, form.draft.state.draft?.uuid);
  return (
    <>
      <PageHeader
        title={campaign ? campaign.name : 'New campaign'}
        description="One app, its flight dates, and the ad sets that bid for it."
      />
      <DraftBar draft={form.draft} onTake={form.draft.take} onDiscarded={form.flush} />
      {form.notice}
      {form.changedElsewhere}
      <div className={classes['columns']}>
        <form onSubmit={form.submit} noValidate className={classes['form']}>
          <Stack>
            <CampaignFields
              values={values}
              apps={mapped(apps, (known) => currentOnly(known, values.app_uuid))}
              isNew={campaign === undefined}
              isPaused={campaign?.status !== 'Active'}
              errors={form.errors}
              onChange={(changes) => {
                setValues((before) => ({ ...before, ...changes }));
                form.clearErrors(Object.keys(changes));
              }}
              onKind={(kind) => setValues((before) => withKind(before, kind))}
              onApp={selectApp}
            />
            <CampaignAdsets form={form} options={options} adsets={adsets} campaignUuid={campaign?.uuid} />
            <FormActions
              cancel={{ to: '/campaigns' }}
              action={campaign ? 'Save campaign' : 'Create campaign'}
              busy={form.busy || form.adding.length > 0}
              permission="campaign.write"
            />
          </Stack>
        </form>
        <Box className={classes['aside']}>
          <CampaignSummaryPanel
            outcome={outcome}
            missing={missing}
            needs={combined(apps, balance, options.targets, options.links, options.groups)}
            onFix={fix}
            startsByItself={values.start_when_approved}
          />
        </Box>
      </div>
      {commented && (
        <Suspense>
          <Box mt="md" maw={1180}>
            <Comments key={commented.uuid} on={commented} />
          </Box>
        </Suspense>
      )}
    </>
  );
}

/** The entity to comment on: a campaign, or its draft once it is stored. */
function commentedOf(campaign: string | undefined, draft: string | undefined): Commented | null {
  if (campaign !== undefined) return { kind: 'campaign', uuid: campaign };
  return draft === undefined ? null : { kind: 'draft', uuid: draft };
}

/** Leads from an item of the checklist to the field or the drawer where it is fixed. */
function useFix(
  { values, focus, addAdset }: Pick<ReturnType<typeof useCampaignForm>, 'values' | 'focus' | 'addAdset'>,
  onApp: (uuid: string) => void,
): (fix: Fix) => void {
  const open = useDrawer();
  return (fix) => {
    if ('field' in fix) focus(fix.field);
    else if ('add' in fix) addAdset(newAdsetItem(values.kind));
    else if (fix.drawer === 'top-up') open({ kind: 'top-up' });
    else open({ kind: 'app', appUuid: values.app_uuid || undefined, field: 'app_uuid', onSaved: onApp });
  };
}
