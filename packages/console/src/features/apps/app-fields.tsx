import { domainOfBundle } from '@bidwell/contract/apps/advertiser-domain';
import type { App } from '@bidwell/contract/apps/schema';
import { MMPS } from '@bidwell/contract/apps/fields';
import { NumberInput, Paper, Select, SimpleGrid, Stack, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { mmpNames } from '@bidwell/contract/measurement/partners/partners';
import { mapped, useKnown, useLoadable } from '../../lib/loadable.ts';
import { mostUsed } from '../../lib/most-used.ts';
import { osNames } from '../../lib/format/os-names.ts';
import { appsQuery } from '../../entities/apps/queries.ts';
import { iabCategoriesQuery } from '../../entities/reference/queries.ts';
import { Choice } from '../../ui/form/choice.tsx';
import { pickerProps } from '../../ui/form/picker/picker-options.tsx';
import { TitleFields } from '../../ui/form/title-fields.tsx';
import type { AppValues } from './app-values.ts';
import { groupCategories } from './categories.ts';

/** How many of the categories of the company's own apps come first. */
const USED_MAX = 5;

/** The categories of the company's own apps, the most used first; without them, the list begins with common ones. */
const usedCategories = (apps: readonly App[]) =>
  mostUsed(
    apps.map(({ iab_category: category }) => [category]),
    USED_MAX,
  );

/** The fields of an app other than its store link. */
export function AppFields({ form }: { form: UseFormReturnType<AppValues> }) {
  const categories = useLoadable(iabCategoriesQuery);
  const apps = useKnown(appsQuery);
  const groups = mapped(categories, (known) => groupCategories(known, apps ? usedCategories(apps) : []));
  const { bundle_id: bundleId, advertiser_domain: domain } = form.values;
  const isGuess =
    domain !== '' && domain === domainOfBundle(bundleId) && !form.isTouched('advertiser_domain');
  const numberProps = (field: 'rating' | 'size_in_kb') => ({
    ...form.getInputProps(field),
    min: 0,
    value: form.values[field] ?? '',
    onChange: (value: string | number) => form.setFieldValue(field, value === '' ? null : Number(value)),
  });
  return (
    <Paper withBorder p="md">
      <Stack>
        <SimpleGrid cols={{ base: 1, xs: 2 }}>
          <Select
            label="Platform"
            withAsterisk
            data={(['ios', 'android'] as const).map((os) => ({ value: os, label: osNames[os] }))}
            {...form.getInputProps('os')}
          />
          <TextInput label="Bundle ID" withAsterisk {...form.getInputProps('bundle_id')} />
        </SimpleGrid>
        <TitleFields title={form.getInputProps('name')} description={form.getInputProps('description')} />
        <Select
          label="Category"
          withAsterisk
          searchable
          {...pickerProps(groups, {
            placeholder: 'Search the IAB categories',
            emptyText: 'No such category',
          })}
          {...form.getInputProps('iab_category')}
        />
        <Choice
          label="Measurement partner (MMP)"
          description="Attributes the installs of this app and reports them here."
          withAsterisk
          placeholder="Choose the partner"
          maxDropdownHeight={320}
          data={MMPS.map((mmp) => ({ value: mmp, label: mmpNames[mmp] }))}
          {...form.getInputProps('mobile_measurement_partner')}
        />
        <SimpleGrid cols={{ base: 1, xs: 2 }}>
          <NumberInput label="Rating" max={5} decimalScale={1} {...numberProps('rating')} />
          <NumberInput
            label="Size, KB"
            allowDecimal={false}
            thousandSeparator=" "
            {...numberProps('size_in_kb')}
          />
        </SimpleGrid>
        <TextInput
          label="Advertiser domain"
          withAsterisk
          description={
            isGuess
              ? 'Guessed from the bundle ID: check that it is the developer’s own website.'
              : 'The developer’s own website: exchanges require it.'
          }
          placeholder="example.com"
          {...form.getInputProps('advertiser_domain')}
        />
        <TextInput label="Icon link" placeholder="https://…" {...form.getInputProps('icon_link')} />
      </Stack>
    </Paper>
  );
}
