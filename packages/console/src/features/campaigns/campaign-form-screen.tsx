import type { Adset } from '@bidwell/contract/adset';
import type { Campaign } from '@bidwell/contract/campaign';
import { messages } from '@bidwell/contract/messages';
import { Box, Button, Group, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import type { SubmitEvent } from 'react';
import { currentOnly } from '../../lib/current-only.ts';
import { ApiError } from '../../lib/api-error.ts';
import { adsetsQuery } from '../../lib/queries/adsets.ts';
import { appsQuery } from '../../lib/queries/apps.ts';
import { campaignQuery } from '../../lib/queries/campaigns.ts';
import { balanceQuery } from '../../lib/queries/finance.ts';
import { useToday } from '../../lib/today.ts';
import { toastError, toastSuccess } from '../../lib/toast.ts';
import { LoadErrorScreen } from '../../ui/error-screens.tsx';
import { LeaveGuard } from '../../ui/leave-guard.tsx';
import { ButtonLink } from '../../ui/links.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { PageLoader } from '../../ui/page-loader.tsx';
import { useIsHere } from '../../ui/use-is-here.ts';
import { useAdsetOptions } from './adset-options.ts';
import type { AdsetValues } from './adset-values.ts';
import { CampaignFields } from './campaign-fields.tsx';
import { CampaignAdsets } from './campaign-adsets.tsx';
import { CampaignSummaryPanel } from './campaign-summary-panel.tsx';
import { campaignSummary } from './campaign-summary.ts';
import {
  CampaignFormValues,
  withAdsetPath,
  emptyCampaign,
  campaignFormErrors,
  campaignFormValues,
  withApp,
} from './campaign-form-values.ts';
import { useFormState } from './form-state.ts';
import { RestoredDraft } from './restored-draft.tsx';
import { AdsetSaveError, saveCampaign } from './save-campaign.ts';
import classes from './campaign-form.module.css';

const none: never[] = [];

/** /campaigns/create */
export function CampaignCreateScreen() {
  const { data: adsets = none } = useQuery(adsetsQuery);
  return <CampaignForm adsets={adsets} />;
}

/** /campaigns/edit?uuid= */
export function CampaignEditScreen() {
  const { uuid } = useSearch({ strict: false }) as { uuid?: string };
  const { data: campaign, error } = useQuery({ ...campaignQuery(uuid ?? ''), enabled: Boolean(uuid) });
  // Always refetched: a form that starts from an old copy would save it back.
  const {
    data: adsets,
    isFetchedAfterMount,
    error: adsetsError,
  } = useQuery({ ...adsetsQuery, staleTime: 0 });
  // An open form stays when a refetch fails.
  if (!uuid || (error && !campaign)) return <LoadErrorScreen error={error} />;
  if (adsetsError && !adsets) return <LoadErrorScreen error={adsetsError} />;
  if (!campaign || !adsets || !isFetchedAfterMount) return <PageLoader />;
  return <CampaignForm key={campaign.uuid} campaign={campaign} adsets={adsets} />;
}

/** Form of a campaign with its ad sets. */
function CampaignForm({ campaign, adsets }: { campaign?: Campaign; adsets: readonly Adset[] }) {
  const navigate = useNavigate();
  const isHere = useIsHere();
  const today = useToday();
  const [busy, setBusy] = useState(false);
  // The server's state when the form opened; later changes must not reset the input.
  const [initial] = useState(() => (campaign ? campaignFormValues(campaign, adsets) : emptyCampaign));
  const [opened, setOpened] = useState<string | null>(null);
  const { data: apps = none } = useQuery(appsQuery);
  const { data: balance } = useQuery(balanceQuery);
  const options = useAdsetOptions();
  const form = useFormState<CampaignFormValues>({
    initial,
    draftKey: `campaign.${campaign?.uuid ?? 'new'}`,
    schema: CampaignFormValues,
  });
  const { values, setValues } = form;

  const fail = (errors: Record<string, string>) => {
    const place = /^adsets\.(\d+)\./.exec(Object.keys(errors)[0] ?? '')?.[1];
    if (place !== undefined) setOpened(values.adsets[Number(place)]?.key ?? null);
    form.fail(errors);
  };
  const markSaved = (key: string, uuid: string, saved: AdsetValues) =>
    setValues((before) => ({
      ...before,
      adsets: before.adsets.map((adset) => (adset.key === key ? { ...adset, uuid, saved } : adset)),
    }));
  const save = async () => {
    setBusy(true);
    try {
      await saveCampaign(values, campaign?.uuid, markSaved);
      form.flush();
      toastSuccess(campaign ? 'Campaign saved' : messages.campaignCreated);
      if (isHere()) await navigate({ to: '/campaigns' });
    } catch (error) {
      toastError(error);
      const cause = error instanceof AdsetSaveError ? error.cause : error;
      const fields = cause instanceof ApiError ? cause.fields : {};
      fail(error instanceof AdsetSaveError ? withAdsetPath(error.index, fields) : fields);
    } finally {
      setBusy(false);
    }
  };
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const errors = campaignFormErrors(values);
    if (Object.keys(errors).length > 0) fail(errors);
    else if (!busy) void save();
  };
  const summary = campaignSummary(values, {
    app: apps.find(({ uuid }) => uuid === values.app_uuid),
    options,
    balance: balance?.balance,
    today,
    status: campaign?.status,
  });

  return (
    <>
      <LeaveGuard when={form.dirty && !busy} onDiscard={form.flush} />
      <PageHeader
        title={campaign ? campaign.name : 'New campaign'}
        description="One app, the days it runs, and the ad sets that bid for it."
      />
      {form.restored && <RestoredDraft onStartOver={form.startOver} />}
      <div className={classes['columns']}>
        <form onSubmit={submit} noValidate className={classes['form']}>
          <Stack>
            <CampaignFields
              values={values}
              apps={currentOnly(apps, values.app_uuid)}
              errors={form.errors}
              onChange={(changes) => {
                setValues((before) => ({ ...before, ...changes }));
                form.clear(Object.keys(changes));
              }}
              onApp={(uuid) => {
                setValues((before) => withApp(before, uuid));
                form.clear(['app_uuid']);
              }}
            />
            <CampaignAdsets
              values={values}
              onChange={(changed) => setValues((before) => ({ ...before, adsets: changed }))}
              onClearErrors={form.clear}
              errors={form.errors}
              opened={opened}
              onOpen={setOpened}
              options={options}
              adsets={adsets}
              campaignUuid={campaign?.uuid}
            />
            <Group justify="flex-end">
              <ButtonLink to="/campaigns" variant="default">
                Cancel
              </ButtonLink>
              <Button type="submit" loading={busy}>
                {campaign ? 'Save campaign' : 'Create campaign'}
              </Button>
            </Group>
          </Stack>
        </form>
        <Box className={classes['aside']}>
          <CampaignSummaryPanel {...summary} />
        </Box>
      </div>
    </>
  );
}
