import { limits } from '@bidwell/contract/limits';
import { Anchor, MultiSelect, Select, SimpleGrid, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { BundleList } from '../../ui/bundle-list-dialog.tsx';
import { CountedInput, CountedTextarea, MoneyInput } from '../../ui/form-fields.tsx';
import { OptionalMoneyInput } from '../../ui/optional-money-input.tsx';
import type { AdsetOptions } from './adset-options.ts';
import { optionsOfApp } from './adset-options.ts';
import type { AdsetValues } from './adset-values.ts';
import { UNLIMITED } from './adset-values.ts';
import { AlgorithmChoice } from './algorithm-choice.tsx';
import { BundleBids } from './bundle-bids.tsx';
import { Field } from './field.tsx';

interface AdsetFieldsProps {
  values: AdsetValues;
  onChange: (changes: Partial<AdsetValues>) => void;
  /** Messages by field. */
  errors: Readonly<Record<string, string>>;
  /** Prefix of field names where several ad sets share a form: `adsets.0.` */
  prefix?: string;
  options: AdsetOptions;
  /** Limits targets, links and creative groups to this app; without it, to the app of the target. */
  appUuid?: string | undefined;
}

/** The fields of one ad set. */
export function AdsetFields({ values, onChange, errors, prefix = '', options, appUuid }: AdsetFieldsProps) {
  const target = options.targets.find(({ uuid }) => uuid === values.target_id);
  const chosen = [values.target_id, values.tracking_link_id, ...values.creative_group_ids];
  const { targets } = optionsOfApp(options, appUuid, chosen);
  const { links, groups } = optionsOfApp(options, appUuid ?? target?.app.uuid, chosen);
  const chooseTarget = (uuid: string) => {
    const app = targets.find((other) => other.uuid === uuid)?.app.uuid;
    const fitting = optionsOfApp(options, app, chosen);
    const fits = (list: readonly { uuid: string }[], id: string) => list.some((part) => part.uuid === id);
    onChange({
      target_id: uuid,
      tracking_link_id: fits(fitting.links, values.tracking_link_id) ? values.tracking_link_id : '',
      creative_group_ids: values.creative_group_ids.filter((id) => fits(fitting.groups, id)),
    });
  };
  const money = (name: 'bet_cpm' | 'bet_cpi' | 'daily_budget_const' | 'all_budget_const') => ({
    value: values[name],
    onChange: (dollars: number | null) => onChange({ [name]: dollars }),
    error: errors[name],
  });
  const path = (name: keyof AdsetValues) => prefix + name;
  return (
    <Stack gap="lg">
      <Section title="Whom to reach, and with what">
        <Field path={path('name')}>
          <CountedInput
            label="Title"
            withAsterisk
            maxLength={limits.titleMax}
            value={values.name}
            onChange={(event) => onChange({ name: event.currentTarget.value })}
            error={errors['name']}
          />
        </Field>
        <Field path={path('description')}>
          <CountedTextarea
            label="Description"
            minRows={1}
            maxLength={limits.descriptionMax}
            value={values.description}
            onChange={(event) => onChange({ description: event.currentTarget.value })}
            error={errors['description']}
          />
        </Field>
        <SimpleGrid cols={{ base: 1, xs: 2 }}>
          <Field path={path('target_id')}>
            <Select
              label="Target"
              withAsterisk
              searchable
              placeholder="Whom to reach"
              nothingFoundMessage="No target of that name"
              data={targets.map(({ uuid, name, app }) => ({
                value: uuid,
                label: appUuid ? name : `${name} (${app.name})`,
              }))}
              value={values.target_id || null}
              onChange={(uuid) => chooseTarget(uuid ?? '')}
              error={errors['target_id']}
            />
            {targets.length === 0 && (
              <CreateLink href="/targets/edit">No target of this app yet: make one</CreateLink>
            )}
          </Field>
          <Field path={path('tracking_link_id')}>
            <Select
              label="Tracking link"
              withAsterisk
              searchable
              placeholder="Where a click leads"
              nothingFoundMessage="No tracking link of that name"
              data={links.map(({ uuid, name }) => ({ value: uuid, label: name }))}
              value={values.tracking_link_id || null}
              onChange={(uuid) => onChange({ tracking_link_id: uuid ?? '' })}
              error={errors['tracking_link_id']}
            />
            {links.length === 0 && (
              <CreateLink href="/tracking-links/edit">No tracking link of this app yet: make one</CreateLink>
            )}
          </Field>
        </SimpleGrid>
        <Field path={path('creative_group_ids')}>
          <MultiSelect
            label="Creative groups"
            withAsterisk
            searchable
            placeholder={values.creative_group_ids.length === 0 ? 'What to show' : ''}
            nothingFoundMessage="No creative group of that name"
            data={groups.map(({ uuid, name }) => ({ value: uuid, label: name }))}
            value={values.creative_group_ids}
            onChange={(uuids) => onChange({ creative_group_ids: uuids })}
            error={errors['creative_group_ids']}
          />
          {groups.length === 0 && (
            <CreateLink href="/creative-groups/edit">No creative group of this app yet: make one</CreateLink>
          )}
        </Field>
      </Section>
      <Section title="Bids and budgets">
        <Field path={path('algo')}>
          <AlgorithmChoice
            value={values.algo}
            onChange={(algo) => onChange({ algo })}
            error={errors['algo']}
          />
        </Field>
        <SimpleGrid cols={{ base: 1, xs: 2 }}>
          <Field path={path('bet_cpm')}>
            <MoneyInput
              label="CPM bid"
              description="At most, per 1000 impressions"
              required
              {...money('bet_cpm')}
            />
          </Field>
          <Field path={path('bet_cpi')}>
            <MoneyInput
              label="CPI bid"
              description={
                values.algo === 'Target CPI'
                  ? 'Wanted per install; needed before the campaign starts'
                  : 'Wanted per install'
              }
              {...money('bet_cpi')}
            />
          </Field>
          <Field path={path('daily_budget_const')}>
            <OptionalMoneyInput label="Daily budget" choice={UNLIMITED} {...money('daily_budget_const')} />
          </Field>
          <Field path={path('all_budget_const')}>
            <OptionalMoneyInput label="Total budget" choice={UNLIMITED} {...money('all_budget_const')} />
          </Field>
        </SimpleGrid>
      </Section>
      <Section title="Publishers">
        <Field path={path('white_list_bundles')}>
          <BundleList
            label="White list"
            description="Every publisher"
            value={values.white_list_bundles}
            onChange={(bundles) => onChange({ white_list_bundles: bundles })}
          />
        </Field>
        <Field path={path('black_list_bundles')}>
          <BundleList
            label="Black list"
            description="None is forbidden"
            value={values.black_list_bundles}
            onChange={(bundles) => onChange({ black_list_bundles: bundles })}
          />
        </Field>
        <Field path={path('bundle_bids')}>
          <BundleBids value={values.bundle_bids} onChange={(bids) => onChange({ bundle_bids: bids })} />
        </Field>
      </Section>
    </Stack>
  );
}

function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Stack gap="sm" role="group" aria-label={title}>
      <Text fw={600} size="sm">
        {title}
      </Text>
      {children}
    </Stack>
  );
}

/** Opens a form in a new tab; this form stays and refetches when it becomes visible again. */
function CreateLink({ href, children }: { href: string; children: ReactNode }) {
  return (
    <Anchor href={href} target="_blank" size="xs" display="inline-block" mt={4}>
      {children}
    </Anchor>
  );
}
