import { Autocomplete, MultiSelect } from '@mantine/core';
import type { AutocompleteProps } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { languagesQuery } from '../../lib/queries/reference.ts';
import { operatingSystemsQuery, phoneModelsQuery } from '../../lib/queries/reference.ts';

interface ListProps {
  value: string[];
  onChange: (values: string[]) => void;
}

/** Chooses from one of the reference lists. */
export function ReferenceSelect({
  label,
  query,
  ...list
}: ListProps & { label: string; query: typeof languagesQuery }) {
  const { data = [] } = useQuery(query);
  return (
    <MultiSelect
      label={label}
      placeholder={list.value.length === 0 ? (label.endsWith('exclude') ? 'None' : 'All') : undefined}
      searchable
      clearable
      clearButtonProps={{ 'aria-label': `Clear ${label.toLowerCase()}` }}
      data={data.map(({ value, name }) => ({
        value,
        label: name,
      }))}
      {...list}
    />
  );
}

type VersionInputProps = AutocompleteProps & { os: 'ios' | 'android' | undefined };

/** Takes any version of an operating system, and offers those of the app's, the newest first. */
export function VersionInput({ os, ...input }: VersionInputProps) {
  const { data = [] } = useQuery(operatingSystemsQuery);
  const versions = data.find(({ value }) => value === os)?.versions ?? [];
  return <Autocomplete placeholder="Any" data={versions.toReversed()} {...input} />;
}

/** Chooses device models of the app's system; the search takes a vendor too. */
export function ModelSelect({ os, ...list }: ListProps & { os: 'ios' | 'android' | undefined }) {
  const { data = [] } = useQuery(phoneModelsQuery);
  const fitting = data.filter(({ vendor }) => os === undefined || (vendor === 'Apple') === (os === 'ios'));
  const vendors = [...new Set(fitting.map(({ vendor }) => vendor))];
  const seen = new Set<string>();
  const unique = fitting.filter(({ value }) => !seen.has(value) && seen.add(value));
  return (
    <MultiSelect
      label="Device models"
      placeholder={list.value.length === 0 ? 'All' : undefined}
      searchable
      clearable
      limit={200}
      clearButtonProps={{ 'aria-label': 'Clear device models' }}
      data={vendors.map((vendor) => ({
        group: vendor,
        items: unique
          .filter((model) => model.vendor === vendor)
          .map(({ value, name }) => ({ value, label: name.startsWith(vendor) ? name : `${vendor} ${name}` })),
      }))}
      {...list}
    />
  );
}
