import type { AdsetSummary } from '@bidwell/contract/adset';
import { Button, Group, Paper, Stack, Text } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { currentOnly } from '../../lib/current-only.ts';
import { adsetQuery } from '../../lib/queries/adsets.ts';
import { queryClient } from '../../lib/query-client.ts';
import { toastError } from '../../lib/toast.ts';
import { AdsetSelect } from '../../ui/adset-select.tsx';
import { ErrorText } from '../../ui/error-text.tsx';
import { AdsetCard, adsetSummary } from './adset-card.tsx';
import type { AdsetOptions } from './adset-options.ts';
import type { AdsetValues } from './adset-values.ts';
import type { AdsetFormItem } from './campaign-form-values.ts';
import { errorsOfAdset, existingAdsetItem, newAdsetItem } from './campaign-form-values.ts';
import { Field } from './field.tsx';
import type { useCampaignForm } from './use-campaign-form.ts';

interface CampaignAdsetsProps {
  form: Pick<
    ReturnType<typeof useCampaignForm>,
    'values' | 'setValues' | 'errors' | 'clearErrors' | 'opened' | 'setOpened' | 'addAdset'
  >;
  options: AdsetOptions;
  /** All ad sets of the company. */
  adsets: readonly AdsetSummary[];
  campaignUuid: string | undefined;
}

/** The ad sets of a campaign: new ones, or existing ones of its app that no other campaign has. */
export function CampaignAdsets({ form, options, adsets, campaignUuid }: CampaignAdsetsProps) {
  const { values, errors, opened, setOpened } = form;
  const free = currentOnly(adsets).filter(
    (adset) =>
      adset.target.app.uuid === values.app_uuid &&
      (!adset.campaign || adset.campaign.uuid === campaignUuid) &&
      !values.adsets.some(({ uuid }) => uuid === adset.uuid),
  );
  const change = (index: number, changes: Partial<AdsetValues>) => {
    form.setValues((before) => ({
      ...before,
      adsets: before.adsets.map((item, place) =>
        place === index ? { ...item, values: { ...item.values, ...changes } } : item,
      ),
    }));
    form.clearErrors(Object.keys(changes).map((field) => `adsets.${index}.${field}`));
  };
  const remove = (item: AdsetFormItem) => {
    form.setValues((before) => ({ ...before, adsets: before.adsets.filter(({ key }) => key !== item.key) }));
    // The indexes of the following ad sets change, and with them the paths of their messages.
    form.clearErrors(Object.keys(errors).filter((path) => path.startsWith('adsets.')));
  };
  return (
    <Stack gap="sm" role="group" aria-label="Ad sets">
      <AddAdset free={free} disabled={values.app_uuid === ''} onAdd={form.addAdset} />
      {values.adsets.map((item, index) => (
        <AdsetCard
          key={item.key}
          adset={item}
          index={index}
          opened={opened === item.key}
          onToggle={() => setOpened(opened === item.key ? null : item.key)}
          onChange={(changes) => change(index, changes)}
          onDuplicate={() => form.addAdset(newAdsetItem(item.values))}
          onRemove={() => remove(item)}
          errors={errorsOfAdset(errors, index)}
          options={options}
          appUuid={values.app_uuid}
        />
      ))}
      {values.adsets.length === 0 && <NoAdsets hasApp={values.app_uuid !== ''} />}
      {errors['adset_uuids'] && (
        <Field path="adset_uuids">
          <ErrorText>{errors['adset_uuids']}</ErrorText>
        </Field>
      )}
    </Stack>
  );
}

interface AddAdsetProps {
  /** The existing ad sets that can be added. */
  free: readonly AdsetSummary[];
  disabled: boolean;
  onAdd: (item: AdsetFormItem) => void;
}

/** Heading with the two ways to add an ad set. */
function AddAdset({ free, disabled, onAdd }: AddAdsetProps) {
  // The list has ad sets without their bundle lists, which the form saves.
  const addExisting = async (uuid: string | null) => {
    if (uuid === null) return;
    try {
      onAdd(existingAdsetItem(await queryClient.fetchQuery({ ...adsetQuery(uuid), staleTime: 0 })));
    } catch (error) {
      toastError(error);
    }
  };
  return (
    <Group justify="space-between">
      <Text fw={600} component="h2" size="md">
        Ad sets
      </Text>
      <Group gap="xs">
        <AdsetSelect
          label="Add an existing ad set"
          hideLabel
          placeholder="Add an existing ad set"
          adsets={free.map((adset) => ({ uuid: adset.uuid, name: adset.name, detail: adsetSummary(adset) }))}
          value={null}
          disabled={disabled}
          onChange={(uuid) => void addExisting(uuid)}
          w={220}
        />
        <Button
          variant="light"
          leftSection={<IconPlus size={15} />}
          disabled={disabled}
          onClick={() => onAdd(newAdsetItem())}
        >
          New ad set
        </Button>
      </Group>
    </Group>
  );
}

function NoAdsets({ hasApp }: { hasApp: boolean }) {
  return (
    <Paper withBorder p="md">
      <Text size="sm" c="dimmed">
        {hasApp
          ? 'An ad set defines who to reach, with which creatives, and at what price. Create the first one, or add an existing one.'
          : 'Choose or add the app first.'}
      </Text>
    </Paper>
  );
}
