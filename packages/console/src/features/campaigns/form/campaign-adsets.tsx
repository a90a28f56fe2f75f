import type { AdsetSummary } from '@bidwell/contract/adsets/schema';
import { Button, Group, Loader, Paper, Stack, Text } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { adsetMessages } from '@bidwell/contract/adsets/messages';
import { type Loadable, isKnown, mapped } from '../../../lib/loadable.ts';
import { currentOnly } from '../../../lib/current-only.ts';
import { ErrorText } from '../../../ui/form/error-text.tsx';
import { AdsetCard, adsetSummary } from '../adset-form/adset-card.tsx';
import type { AdsetOptions } from '../adset-form/adset-options.ts';
import type { AdsetValues } from '../adset-form/adset-values.ts';
import { Muted } from '../../../ui/layout/text.tsx';
import { type AdsetFormItem, errorsOfAdset, newAdsetItem } from './campaign-form-values.ts';
import { Field } from './field.tsx';
import type { useCampaignForm } from './use-campaign-form.ts';
import { SearchSelect, type SearchSelectProps } from '../../../ui/form/picker/search-select.tsx';

interface CampaignAdsetsProps {
  form: Pick<
    ReturnType<typeof useCampaignForm>,
    | 'values'
    | 'setValues'
    | 'errors'
    | 'clearErrors'
    | 'opened'
    | 'setOpened'
    | 'adding'
    | 'addAdset'
    | 'addExisting'
  >;
  options: AdsetOptions;
  /** All ad sets of the company. */
  adsets: Loadable<readonly AdsetSummary[]>;
  campaignUuid: string | undefined;
}

/** The ad sets of a campaign: new ones, or existing ones of its app that no other campaign has. */
export function CampaignAdsets({ form, options, adsets, campaignUuid }: CampaignAdsetsProps) {
  const { values, errors, opened, setOpened, adding } = form;
  const free = mapped(adsets, (known) =>
    currentOnly(known).filter(
      (adset) =>
        adset.target.app.uuid === values.app_uuid &&
        (!adset.campaign || adset.campaign.uuid === campaignUuid) &&
        !adding.includes(adset.uuid) &&
        !values.adsets.some(({ uuid }) => uuid === adset.uuid),
    ),
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
      <AddAdset
        free={free}
        disabled={values.app_uuid === ''}
        onNew={() => form.addAdset(newAdsetItem(values.kind))}
        onExisting={(uuid) => void form.addExisting(uuid)}
      />
      {values.adsets.map((item, index) => (
        <AdsetCard
          key={item.key}
          adset={item}
          index={index}
          opened={opened === item.key}
          onToggle={() => setOpened(opened === item.key ? null : item.key)}
          onChange={(changes) => change(index, changes)}
          onDuplicate={() => form.addAdset(newAdsetItem(values.kind, item.values))}
          onRemove={() => remove(item)}
          errors={errorsOfAdset(errors, index)}
          options={options}
          appUuid={values.app_uuid}
          isCampaignCapped={values.frequency_caps.length > 0}
          campaignKind={values.kind}
        />
      ))}
      {adding.map((uuid) => (
        <LoadingAdset key={uuid} name={nameOf(adsets, uuid)} />
      ))}
      {values.adsets.length === 0 && adding.length === 0 && <NoAdsets hasApp={values.app_uuid !== ''} />}
      {errors['adset_uuids'] && (
        <Field path="adset_uuids">
          <ErrorText>{errors['adset_uuids']}</ErrorText>
        </Field>
      )}
    </Stack>
  );
}

function nameOf(adsets: Loadable<readonly AdsetSummary[]>, uuid: string): string {
  const chosen = isKnown(adsets) && adsets.data.find((adset) => adset.uuid === uuid);
  return chosen ? chosen.name : 'ad set';
}

interface AddAdsetProps {
  /** The existing ad sets that can be added. */
  free: Loadable<readonly AdsetSummary[]>;
  disabled: boolean;
  onNew: () => void;
  onExisting: (uuid: string) => void;
}

/** Heading with the two ways to add an ad set. */
function AddAdset({ free, disabled, onNew, onExisting }: AddAdsetProps) {
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
          adsets={mapped(free, (known) =>
            known.map((adset) => ({ uuid: adset.uuid, name: adset.name, detail: adsetSummary(adset) })),
          )}
          value={null}
          disabled={disabled}
          onChange={(uuid) => uuid !== null && onExisting(uuid)}
          w={220}
        />
        <Button variant="light" leftSection={<IconPlus size={15} />} disabled={disabled} onClick={onNew}>
          New ad set
        </Button>
      </Group>
    </Group>
  );
}

function LoadingAdset({ name }: { name: string }) {
  return (
    <Paper withBorder p="sm">
      <Group gap="xs">
        <Loader size="xs" />
        <Muted role="status">Adding {name} …</Muted>
      </Group>
    </Paper>
  );
}

function NoAdsets({ hasApp }: { hasApp: boolean }) {
  return (
    <Paper withBorder p="md">
      <Muted>
        {hasApp
          ? 'An ad set defines who to reach, with which creatives, and at what price. Create the first one, or add an existing one.'
          : 'Choose or add the app first.'}
      </Muted>
    </Paper>
  );
}

type AdsetSelectProps = Partial<SearchSelectProps> &
  Pick<SearchSelectProps, 'value' | 'onChange'> & {
    adsets: Loadable<readonly { uuid: string; name: string; detail?: string }[]>;
  };

/** Ad set dropdown with a search by name or uuid. */
function AdsetSelect({ adsets, ...props }: AdsetSelectProps) {
  return (
    <SearchSelect
      label="Ad set"
      placeholder="Choose an ad set"
      emptyText={adsetMessages.emptyAdsets}
      options={mapped(adsets, (known) =>
        known.map(({ uuid, name, detail }) => ({ value: uuid, label: name, detail })),
      )}
      {...props}
    />
  );
}
