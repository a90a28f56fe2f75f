import type { Os } from '@bidwell/contract/app';
import { SimpleGrid } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { useQuery } from '@tanstack/react-query';
import {
  connectionTypesQuery,
  deviceTypesQuery,
  languagesQuery,
  operatingSystemsQuery,
  sspsQuery,
  storeGenresQuery,
  subRegionsQuery,
} from '../../lib/queries/reference.ts';
import { CountryPicker } from '../../ui/country-picker.tsx';
import { ModelSelect, ReferenceSelect, VersionInput } from './reference-selects.tsx';
import { osNames } from './target-errors.ts';
import type { ListField, TargetValues } from './target-values.ts';

interface FieldsProps {
  form: UseFormReturnType<TargetValues>;
}

function listOf(form: FieldsProps['form'], name: ListField) {
  return {
    value: form.values[name],
    onChange: (values: string[]) => form.setFieldValue(name, values),
    error: form.errors[name],
    'data-path': name,
  };
}

/** Device types, connections, operating system, versions and models. */
export function DeviceFields({ form, os }: FieldsProps & { os: Os | undefined }) {
  const { data: deviceTypes = [] } = useQuery(deviceTypesQuery);
  const { data: connectionTypes = [] } = useQuery(connectionTypesQuery);
  const { data: operatingSystems = [] } = useQuery(operatingSystemsQuery);
  return (
    <>
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <ReferenceSelect
          label="Device types"
          options={deviceTypes}
          placeholder="Every device"
          labels={{ Mobile: 'Mobile (phone or tablet)' }}
          {...listOf(form, 'device_types')}
        />
        <ReferenceSelect
          label="Connection types"
          options={connectionTypes}
          placeholder="Every connection"
          labels={{ Cellular: 'Cellular (every generation)' }}
          {...listOf(form, 'device_connection_types')}
        />
      </SimpleGrid>
      <SimpleGrid cols={{ base: 1, xs: 3 }}>
        <ReferenceSelect
          label="Operating systems"
          options={operatingSystems}
          placeholder={os ? `The app’s: ${osNames[os]}` : 'The app’s'}
          {...listOf(form, 'device_os')}
        />
        <VersionInput label="Minimum OS version" os={os} {...form.getInputProps('device_min_os_version')} />
        <VersionInput label="Maximum OS version" os={os} {...form.getInputProps('device_max_os_version')} />
      </SimpleGrid>
      <ModelSelect label="Device models" os={os} {...listOf(form, 'device_models')} />
    </>
  );
}

/** Countries to include and to exclude. */
export function LocationFields({ form }: FieldsProps) {
  const { data: subRegions = [] } = useQuery(subRegionsQuery);
  const list = (name: 'location_include' | 'location_exclude') => ({
    subRegions,
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
  const { data: languages = [] } = useQuery(languagesQuery);
  return (
    <SimpleGrid cols={{ base: 1, xs: 2 }}>
      <ReferenceSelect
        label="Languages to include"
        options={languages}
        placeholder="All languages"
        {...listOf(form, 'language_include')}
      />
      <ReferenceSelect
        label="Languages to exclude"
        options={languages}
        placeholder="None"
        {...listOf(form, 'language_exclude')}
      />
    </SimpleGrid>
  );
}

/** Genres of publishers' apps and exchanges, to include and to exclude. */
export function PlacementFields({ form }: FieldsProps) {
  const { data: storeGenres = [] } = useQuery(storeGenresQuery);
  const { data: ssps = [] } = useQuery(sspsQuery);
  return (
    <SimpleGrid cols={{ base: 1, xs: 2 }}>
      <ReferenceSelect
        label="Genres to include"
        options={storeGenres}
        placeholder="All genres"
        {...listOf(form, 'genre_include')}
      />
      <ReferenceSelect
        label="Genres to exclude"
        options={storeGenres}
        placeholder="None"
        {...listOf(form, 'genre_exclude')}
      />
      <ReferenceSelect
        label="Exchanges to include"
        options={ssps}
        placeholder="All exchanges"
        {...listOf(form, 'exchange_include')}
      />
      <ReferenceSelect
        label="Exchanges to exclude"
        options={ssps}
        placeholder="None"
        {...listOf(form, 'exchange_exclude')}
      />
    </SimpleGrid>
  );
}
