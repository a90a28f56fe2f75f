import type { Adset } from '@bidwell/contract/adset';
import { Button, Group, Paper, Stack, Text } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { currentOnly } from '../../lib/current-only.ts';
import { AdsetSelect } from '../../ui/adset-select.tsx';
import { AdsetCard, summary } from './adset-card.tsx';
import type { AdsetOptions } from './adset-options.ts';
import type { AdsetValues } from './adset-values.ts';
import type { CampaignFormValues, AdsetFormItem } from './campaign-form-values.ts';
import { errorsOfAdset, existingAdsetItem, newAdsetItem } from './campaign-form-values.ts';

interface CampaignAdsetsProps {
  values: CampaignFormValues;
  onChange: (adsets: AdsetFormItem[]) => void;
  /** Clears the messages of fields, by path. */
  onClearErrors: (paths: string[]) => void;
  errors: Readonly<Record<string, string>>;
  opened: string | null;
  onOpen: (key: string | null) => void;
  options: AdsetOptions;
  /** All ad sets of the company. */
  adsets: readonly Adset[];
  campaignUuid: string | undefined;
}

/** The ad sets of a campaign: new ones, or existing ones of its app that no other campaign has. */
export function CampaignAdsets(props: CampaignAdsetsProps) {
  const { values, onChange, onClearErrors, errors, opened, onOpen, options, campaignUuid } = props;
  const free = currentOnly(props.adsets).filter(
    (adset) =>
      adset.target.app.uuid === values.app_uuid &&
      (!adset.campaign || adset.campaign.uuid === campaignUuid) &&
      !values.adsets.some(({ uuid }) => uuid === adset.uuid),
  );
  const add = (adset: AdsetFormItem) => {
    onChange([...values.adsets, adset]);
    onOpen(adset.key);
  };
  const change = (index: number, changes: Partial<AdsetValues>) => {
    onChange(
      values.adsets.map((adset, place) =>
        place === index ? { ...adset, values: { ...adset.values, ...changes } } : adset,
      ),
    );
    onClearErrors(Object.keys(changes).map((field) => `adsets.${index}.${field}`));
  };
  return (
    <Stack gap="sm" role="group" aria-label="Ad sets">
      <Group justify="space-between">
        <Text fw={600} component="h2" size="md">
          Ad sets
        </Text>
        <Group gap="xs">
          <AdsetSelect
            label="Add an existing ad set"
            hideLabel
            placeholder="Add an existing ad set"
            adsets={free.map((adset) => ({ uuid: adset.uuid, name: adset.name, detail: summary(adset) }))}
            value={null}
            disabled={values.app_uuid === ''}
            onChange={(uuid) => {
              const adset = free.find((other) => other.uuid === uuid);
              if (adset) add(existingAdsetItem(adset));
            }}
            w={220}
          />
          <Button
            variant="light"
            leftSection={<IconPlus size={15} />}
            disabled={values.app_uuid === ''}
            onClick={() => add(newAdsetItem())}
          >
            New ad set
          </Button>
        </Group>
      </Group>
      {values.adsets.map((adset, index) => (
        <AdsetCard
          key={adset.key}
          adset={adset}
          index={index}
          opened={opened === adset.key}
          onToggle={() => onOpen(opened === adset.key ? null : adset.key)}
          onChange={(changes) => change(index, changes)}
          onDuplicate={() => add(newAdsetItem(adset.values))}
          onRemove={() => {
            onChange(values.adsets.filter((other) => other !== adset));
            // The indexes of the following ad sets change, and with them the paths of their messages.
            onClearErrors(Object.keys(errors).filter((path) => path.startsWith('adsets.')));
          }}
          errors={errorsOfAdset(errors, index)}
          options={options}
          appUuid={values.app_uuid}
        />
      ))}
      {values.adsets.length === 0 && (
        <Paper withBorder p="md">
          <Text size="sm" c="dimmed">
            {values.app_uuid === ''
              ? 'Choose the app first.'
              : 'An ad set says whom to reach, with what, and for how much. Make the first one, or add one that exists.'}
          </Text>
        </Paper>
      )}
      {errors['adset_uuids'] && (
        <Text size="xs" c="var(--mantine-color-error)" role="alert" data-field="adset_uuids">
          {errors['adset_uuids']}
        </Text>
      )}
    </Stack>
  );
}
