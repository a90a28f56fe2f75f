import type { Adset } from '@bidwell/contract/adset';
import { ALGORITHMS, AdsetInput } from '@bidwell/contract/adset';
import { limits } from '@bidwell/contract/limits';
import { messages } from '@bidwell/contract/messages';
import {
  Button,
  Group,
  MultiSelect,
  Paper,
  SegmentedControl,
  Select,
  SimpleGrid,
  Stack,
  Text,
} from '@mantine/core';
import { schemaResolver, useForm } from '@mantine/form';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '../../lib/api-client.ts';
import { createAdset, updateAdset } from '../../lib/queries/adsets.ts';
import { updateCampaign } from '../../lib/queries/campaigns.ts';
import { creativeGroupsQuery } from '../../lib/queries/creative-groups.ts';
import { targetsQuery } from '../../lib/queries/targets.ts';
import { trackingLinksQuery } from '../../lib/queries/tracking-links.ts';
import { toastError, toastSuccess } from '../../lib/toast.ts';
import { BundleList } from '../../ui/bundle-list-dialog.tsx';
import {
  CountedInput,
  CountedTextarea,
  MoneyInput,
  focusFirstError,
  showServerErrors,
} from '../../ui/form-fields.tsx';
import { ButtonLink } from '../../ui/links.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { BundleBids } from './bundle-bids.tsx';

const algorithmHints: Record<string, string> = {
  'Manual CPM': 'Bids the CPM on every impression that fits.',
  'Target CPI': 'Bids what the installs to be expected are worth at the CPI, never above the CPM.',
  'Max installs': 'Spends the daily budget evenly over the day.',
};

type Values = Omit<AdsetInput, 'bet_cpm' | 'algo'> & { bet_cpm: number | null; algo: string | null };

function valuesOf(adset: Adset | undefined): Values {
  return {
    name: adset?.name ?? '',
    description: adset?.description ?? '',
    target_id: adset?.target.uuid ?? '',
    tracking_link_id: adset?.tracking_link.uuid ?? '',
    creative_group_ids: adset?.creative_groups.map(({ uuid }) => uuid) ?? [],
    black_list_bundles: adset?.black_list_bundles ?? [],
    white_list_bundles: adset?.white_list_bundles ?? [],
    bundle_bids: adset?.bundle_bids ?? {},
    algo: adset?.algo ?? null,
    bet_cpm: adset?.bet_cpm ?? null,
    bet_cpi: adset?.bet_cpi ?? null,
    daily_budget_const: adset?.daily_budget_const ?? null,
    all_budget_const: adset?.all_budget_const ?? null,
    status: adset?.status ?? 'Active',
  };
}

/** The form of an ad set, new or existing. */
export function AdsetForm({ adset, campaignUuid }: { adset?: Adset; campaignUuid?: string | undefined }) {
  const navigate = useNavigate();
  const [busy, setBusy] = useState(false);
  // What a first attempt made: a second one, after the campaign refused it, must not make another.
  const [made, setMade] = useState(adset?.uuid);
  const { data: targets = [] } = useQuery(targetsQuery);
  const { data: links = [] } = useQuery(trackingLinksQuery);
  const { data: groups = [] } = useQuery(creativeGroupsQuery);
  const form = useForm<Values>({
    initialValues: valuesOf(adset),
    validate: schemaResolver(AdsetInput, { sync: true }),
  });
  const { values } = form;
  const campaign = campaignUuid ?? adset?.campaign?.uuid;
  const target = targets.find(({ uuid }) => uuid === values.target_id);
  const appUuid = target?.app.uuid;
  const linksOfApp = links.filter((link) => !appUuid || link.app_id === appUuid);
  const chooseTarget = (uuid: string) => {
    form.setFieldValue('target_id', uuid);
    const app = targets.find((other) => other.uuid === uuid)?.app.uuid;
    const link = links.find((other) => other.uuid === values.tracking_link_id);
    if (app && link && link.app_id !== app) form.setFieldValue('tracking_link_id', '');
  };
  const money = (name: 'bet_cpm' | 'bet_cpi' | 'daily_budget_const' | 'all_budget_const') => ({
    value: values[name] ?? null,
    onChange: (dollars: number | null) => form.setFieldValue(name, dollars),
    error: form.errors[name],
  });

  const save = async (filled: Values) => {
    if (filled.algo === 'Target CPI' && !filled.bet_cpi)
      return form.setFieldError('bet_cpi', messages.required);
    setBusy(true);
    try {
      const input = AdsetInput.parse(filled);
      const saved = await (made ? updateAdset(made, input) : createAdset(input));
      setMade(saved.uuid);
      if (campaignUuid) await addToCampaign(campaignUuid, saved.uuid);
      toastSuccess('Ad set saved');
      if (campaign) await navigate({ to: '/campaigns/edit', search: { uuid: campaign } });
      else await navigate({ to: '/campaigns' });
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
        title={adset ? adset.name : 'New ad set'}
        description="Whom to reach, with what, and for how much."
      />
      <form onSubmit={form.onSubmit((filled) => void save(filled), focusFirstError(form))} noValidate>
        <Stack maw={860}>
          <Paper withBorder p="md">
            <Stack>
              <CountedInput
                label="Title"
                withAsterisk
                maxLength={limits.titleMax}
                {...form.getInputProps('name')}
                value={undefined}
              />
              <CountedTextarea
                label="Description"
                maxLength={limits.descriptionMax}
                {...form.getInputProps('description')}
                value={undefined}
              />
              {adset && (
                <SegmentedControl
                  aria-label="Status"
                  data={['Active', 'Paused']}
                  value={values.status ?? 'Active'}
                  onChange={(status) => form.setFieldValue('status', status as Adset['status'])}
                  w={200}
                />
              )}
              <SimpleGrid cols={{ base: 1, xs: 2 }}>
                <Select
                  label="Target"
                  withAsterisk
                  searchable
                  data={targets.map(({ uuid, name, app }) => ({
                    value: uuid,
                    label: `${name} (${app.name})`,
                  }))}
                  {...form.getInputProps('target_id')}
                  onChange={(uuid) => chooseTarget(uuid ?? '')}
                />
                <Select
                  label="Tracking link"
                  withAsterisk
                  searchable
                  data={linksOfApp.map(({ uuid, name }) => ({ value: uuid, label: name }))}
                  {...form.getInputProps('tracking_link_id')}
                  onChange={(uuid) => form.setFieldValue('tracking_link_id', uuid ?? '')}
                />
              </SimpleGrid>
              <MultiSelect
                label="Creative groups"
                withAsterisk
                searchable
                data={groups.map(({ uuid, name }) => ({ value: uuid, label: name }))}
                {...form.getInputProps('creative_group_ids')}
              />
            </Stack>
          </Paper>
          <Paper withBorder p="md">
            <Stack>
              <Text fw={600}>Bids and budgets</Text>
              <Select
                label="Algorithm"
                withAsterisk
                description={algorithmHints[values.algo ?? ''] ?? 'How the ad set bids'}
                data={[...ALGORITHMS]}
                allowDeselect={false}
                {...form.getInputProps('algo')}
              />
              <SimpleGrid cols={{ base: 1, xs: 2 }}>
                <MoneyInput
                  label="CPM bid"
                  description="At most, per 1000 impressions"
                  required
                  {...money('bet_cpm')}
                />
                <MoneyInput
                  label="CPI bid"
                  description="Wanted per install"
                  required={values.algo === 'Target CPI'}
                  {...money('bet_cpi')}
                />
                <MoneyInput label="Daily budget" placeholder="Unlimited" {...money('daily_budget_const')} />
                <MoneyInput label="Total budget" placeholder="Unlimited" {...money('all_budget_const')} />
              </SimpleGrid>
            </Stack>
          </Paper>
          <Paper withBorder p="md">
            <Stack>
              <Text fw={600}>Publishers</Text>
              <BundleList
                label="White list"
                description="Every publisher"
                value={values.white_list_bundles}
                onChange={(bundles) => form.setFieldValue('white_list_bundles', bundles)}
              />
              <BundleList
                label="Black list"
                description="None is forbidden"
                value={values.black_list_bundles}
                onChange={(bundles) => form.setFieldValue('black_list_bundles', bundles)}
              />
              <BundleBids
                value={values.bundle_bids}
                onChange={(bids) => form.setFieldValue('bundle_bids', bids)}
              />
            </Stack>
          </Paper>
          <Group justify="flex-end">
            <ButtonLink
              {...(campaign
                ? { to: '/campaigns/edit' as const, search: { uuid: campaign } }
                : { to: '/campaigns' as const })}
              variant="default"
            >
              Cancel
            </ButtonLink>
            <Button type="submit" loading={busy}>
              Save ad set
            </Button>
          </Group>
        </Stack>
      </form>
    </>
  );
}

async function addToCampaign(campaignUuid: string, adsetUuid: string): Promise<void> {
  const { adsets } = await api.get<{ adsets: { uuid: string }[] }>(`/campaign/${campaignUuid}`);
  await updateCampaign(campaignUuid, { adset_uuids: [...adsets.map(({ uuid }) => uuid), adsetUuid] });
}
