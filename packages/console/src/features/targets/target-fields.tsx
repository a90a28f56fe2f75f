import type { Os } from '@bidwell/contract/apps/fields';
import type { ReferenceItem } from '@bidwell/contract/reference/schema';
import { SimpleGrid } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { type Loadable, mapped, useLoadable } from '../../lib/loadable.ts';
import { mostUsed } from '../../lib/most-used.ts';
import { osNames } from '../../lib/format/os-names.ts';
import {
  connectionTypesQuery,
  deviceTypesQuery,
  languagesQuery,
  operatingSystemsQuery,
  sspsQuery,
  storeGenresQuery,
  subRegionsQuery,
} from '../../entities/reference/queries.ts';
import { targetsQuery } from '../../entities/targets/queries.ts';
import { CountryPicker } from '../../entities/reference/country-picker.tsx';
import { ModelSelect, ReferenceSelect, VersionInput } from './reference-selects.tsx';
import type { ListField, TargetValues } from './target-values.ts';

/** How many of the countries that the company's own targets name come first. */
const USED_MAX = 9;

export interface FieldsProps {
  form: UseFormReturnType<TargetValues>;
}

export function listProps(form: FieldsProps['form'], name: ListField) {
  return {
    value: form.values[name],
    onChange: (values: string[]) => form.setFieldValue(name, values),
    error: form.errors[name],
    'data-path': name,
  };
}

/** Device types, connections, operating system, versions and models. */
export function DeviceFields({ form, os }: FieldsProps & { os: Os | undefined }) {
  const deviceTypes = useLoadable(deviceTypesQuery);
  const connectionTypes = useLoadable(connectionTypesQuery);
  const operatingSystems = useLoadable(operatingSystemsQuery);
  return (
    <>
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <ReferenceSelect
          label="Device types"
          options={deviceTypes}
          placeholder="Every phone, tablet and computer"
          labels={{ Mobile: 'Mobile (phone or tablet)' }}
          {...listProps(form, 'device_types')}
        />
        <ReferenceSelect
          label="Connection types"
          options={connectionTypes}
          placeholder="Every connection"
          labels={{ Cellular: 'Cellular (every generation)' }}
          {...listProps(form, 'device_connection_types')}
        />
      </SimpleGrid>
      <SimpleGrid cols={{ base: 1, xs: 3 }}>
        <ReferenceSelect
          label="Operating systems"
          options={operatingSystems}
          placeholder={os ? `The app’s: ${osNames[os]}` : 'The app’s'}
          {...listProps(form, 'device_os')}
        />
        <VersionInput label="Minimum OS version" os={os} {...form.getInputProps('device_min_os_version')} />
        <VersionInput label="Maximum OS version" os={os} {...form.getInputProps('device_max_os_version')} />
      </SimpleGrid>
      <ModelSelect label="Device models" os={os} {...listProps(form, 'device_models')} />
    </>
  );
}

/** Countries to include and to exclude. */
export function LocationFields({ form }: FieldsProps) {
  const subRegions = useLoadable(subRegionsQuery);
  const targets = useLoadable(targetsQuery);
  const list = (name: 'location_include' | 'location_exclude') => ({
    subRegions,
    used: mapped(targets, (known) =>
      mostUsed(
        known.map((target) => target[name]),
        USED_MAX,
      ),
    ),
    value: form.values[name],
    onChange: (codes: string[]) => form.setFieldValue(name, codes),
  });
  return (
    <>
      <CountryPicker label="Countries to include" placeholder="All countries" {...list('location_include')} />
      <CountryPicker label="Countries to exclude" placeholder="None" {...list('location_exclude')} />
    </>
  );
}

/** Languages to include and to exclude. */
export function LanguageFields({ form }: FieldsProps) {
  const languages = useLoadable(languagesQuery);
  return (
    <SimpleGrid cols={{ base: 1, xs: 2 }}>
      <IncludeExclude form={form} kind="language" plural="languages" options={languages} />
    </SimpleGrid>
  );
}

/** Genres of publishers' apps and exchanges, to include and to exclude. */
export function PlacementFields({ form }: FieldsProps) {
  const storeGenres = useLoadable(storeGenresQuery);
  const ssps = useLoadable(sspsQuery);
  return (
    <SimpleGrid cols={{ base: 1, xs: 2 }}>
      <IncludeExclude form={form} kind="genre" plural="genres" options={storeGenres} />
      <IncludeExclude form={form} kind="exchange" plural="exchanges" options={ssps} />
    </SimpleGrid>
  );
}

interface IncludeExcludeProps extends FieldsProps {
  kind: 'language' | 'genre' | 'exchange';
  /** Name of several values in a sentence. */
  plural: string;
  options: Loadable<readonly ReferenceItem[]>;
}

/** The two lists of values to include and to exclude. */
function IncludeExclude({ form, kind, plural, options }: IncludeExcludeProps) {
  const name = plural.charAt(0).toUpperCase() + plural.slice(1);
  return (
    <>
      <ReferenceSelect
        label={`${name} to include`}
        options={options}
        placeholder={`All ${plural}`}
        {...listProps(form, `${kind}_include`)}
      />
      <ReferenceSelect
        label={`${name} to exclude`}
        options={options}
        placeholder="None"
        {...listProps(form, `${kind}_exclude`)}
      />
    </>
  );
}
