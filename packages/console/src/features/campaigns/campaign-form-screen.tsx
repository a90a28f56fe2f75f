import type { Campaign } from '@bidwell/contract/campaign';
import { CampaignInput } from '@bidwell/contract/campaign';
import { limits } from '@bidwell/contract/limits';
import { messages } from '@bidwell/contract/messages';
import { Button, Group, Paper, Select, SimpleGrid, Stack } from '@mantine/core';
import { DateInput } from '@mantine/dates';
import { schemaResolver, useForm } from '@mantine/form';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { NotFoundScreen } from '../../ui/error-screens.tsx';
import { PageLoader } from '../../ui/page-loader.tsx';
import { appsQuery } from '../../lib/queries/apps.ts';
import { campaignQuery, createCampaign, updateCampaign } from '../../lib/queries/campaigns.ts';
import { toastError, toastSuccess } from '../../lib/toast.ts';
import { CountedInput, CountedTextarea, focusFirstError, showServerErrors } from '../../ui/form-fields.tsx';
import { ButtonLink } from '../../ui/links.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { AdsetChoice } from './adset-choice.tsx';

/** /campaigns/create */
export function CampaignCreateScreen() {
  return <CampaignForm />;
}

/** /campaigns/edit?uuid= */
export function CampaignEditScreen() {
  const { uuid } = useSearch({ strict: false }) as { uuid?: string };
  const { data: campaign, isError } = useQuery({ ...campaignQuery(uuid ?? ''), enabled: Boolean(uuid) });
  if (!uuid || isError) return <NotFoundScreen />;
  return campaign ? <CampaignForm key={campaign.uuid} campaign={campaign} /> : <PageLoader />;
}

const empty = {
  name: '',
  description: '',
  app_uuid: '',
  start_date: null,
  end_date: null,
  adset_uuids: [] as string[],
};

function CampaignForm({ campaign }: { campaign?: Campaign }) {
  const navigate = useNavigate();
  const [busy, setBusy] = useState(false);
  const { data: apps = [] } = useQuery(appsQuery);
  const form = useForm<CampaignInput>({
    initialValues: campaign ? { ...campaign, adset_uuids: campaign.adsets.map(({ uuid }) => uuid) } : empty,
    validate: schemaResolver(CampaignInput, { sync: true }),
  });
  const { app_uuid: appUuid, adset_uuids: adsetUuids } = form.values;

  const save = async (values: CampaignInput) => {
    setBusy(true);
    try {
      const input = CampaignInput.parse(values);
      await (campaign ? updateCampaign(campaign.uuid, input) : createCampaign(input));
      toastSuccess(campaign ? 'Campaign saved' : messages.campaignCreated);
      await navigate({ to: '/campaigns' });
    } catch (error) {
      showServerErrors(form, error);
      toastError(error);
    } finally {
      setBusy(false);
    }
  };

  return (
    <>
      <PageHeader
        title={campaign ? campaign.name : 'New campaign'}
        description="One app, the days it runs, and the ad sets that bid for it. A new campaign is paused until you start it."
      />
      <form onSubmit={form.onSubmit((values) => void save(values), focusFirstError(form))} noValidate>
        <Stack maw={860}>
          <Paper withBorder p="md">
            <Stack>
              <CountedInput
                label="Campaign name"
                withAsterisk
                maxLength={limits.titleMax}
                {...form.getInputProps('name')}
              />
              <CountedTextarea
                label="Description"
                maxLength={limits.descriptionMax}
                {...form.getInputProps('description')}
              />
              <Select
                label="App"
                withAsterisk
                searchable
                placeholder="Choose the app to promote"
                nothingFoundMessage="No app of that name"
                data={apps.map((app) => ({
                  value: app.uuid,
                  label: `${app.name} (${app.os === 'ios' ? 'iOS' : 'Android'})`,
                }))}
                {...form.getInputProps('app_uuid')}
                onChange={(uuid) => form.setValues({ app_uuid: uuid ?? '', adset_uuids: [] })}
              />
              <SimpleGrid cols={{ base: 1, xs: 2 }}>
                <DateInput
                  label="First day"
                  valueFormat="MM/DD/YYYY"
                  placeholder="At once"
                  clearable
                  clearButtonProps={{ 'aria-label': 'Clear first day' }}
                  {...form.getInputProps('start_date')}
                />
                <DateInput
                  label="Last day"
                  valueFormat="MM/DD/YYYY"
                  placeholder="Until paused"
                  clearable
                  clearButtonProps={{ 'aria-label': 'Clear last day' }}
                  {...form.getInputProps('end_date')}
                />
              </SimpleGrid>
            </Stack>
          </Paper>
          <AdsetChoice
            appUuid={appUuid}
            campaignUuid={campaign?.uuid}
            value={adsetUuids}
            onChange={(uuids) => form.setFieldValue('adset_uuids', uuids)}
            error={form.errors['adset_uuids']}
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
    </>
  );
}
