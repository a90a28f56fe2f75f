import type { Os } from '@bidwell/contract/apps/schema';
import type { ReferenceItem } from '@bidwell/contract/reference/schema';
import {
  Autocomplete,
  type AutocompleteProps,
  type ComboboxItem,
  type ComboboxParsedItem,
  MultiSelect,
  type OptionsFilter,
} from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { operatingSystemsQuery, phoneModelsQuery } from '../../entities/reference/queries.ts';
import { modelName } from './target-names.ts';

interface ListProps {
  label: string;
  value: string[];
  onChange: (values: string[]) => void;
}

interface ReferenceSelectProps extends ListProps {
  options: readonly ReferenceItem[];
  /** Explains what an empty list means. */
  placeholder: string;
  description?: string;
  /** Labels that replace those of the reference list. */
  labels?: Readonly<Record<string, string>>;
}

/** Multi-select of values from a reference list. */
export function ReferenceSelect({ options, placeholder, labels = {}, ...list }: ReferenceSelectProps) {
  return (
    <MultiSelect
      {...list}
      placeholder={list.value.length === 0 ? placeholder : ''}
      searchable
      clearable
      hidePickedOptions
      nothingFoundMessage="Nothing matches"
      clearButtonProps={{
        'aria-label': `Clear ${list.label.toLowerCase()}`,
        tabIndex: 0,
        'aria-hidden': false,
      }}
      maxDropdownHeight={280}
      data={options.map(({ value, name }) => ({ value, label: labels[value] ?? name }))}
    />
  );
}

type VersionInputProps = AutocompleteProps & { os: Os | undefined };

/** Accepts any version of an operating system; suggests the known ones, newest first. */
export function VersionInput({ os, ...input }: VersionInputProps) {
  const { data = [] } = useQuery(operatingSystemsQuery);
  const versions = data.find(({ value }) => value === os)?.versions ?? [];
  return <Autocomplete placeholder="Any" data={versions.toReversed()} maxDropdownHeight={280} {...input} />;
}

/** Maximum number of models rendered; the search finds the others. */
const SHOWN_MAX = 100;

/** Matches models whose label, which includes the vendor, contains every word of the search. */
const byWords: OptionsFilter = ({ options, search, limit }) => {
  const words = search.trim().toLowerCase().split(/\s+/);
  const fits = ({ label }: ComboboxItem) => words.every((word) => label.toLowerCase().includes(word));
  let left = limit;
  return options.flatMap((option): ComboboxParsedItem[] => {
    const found = ('items' in option ? option.items : [option])
      .filter((item): item is ComboboxItem => typeof item !== 'string' && 'label' in item && fits(item))
      .slice(0, left);
    left -= found.length;
    if (found.length === 0) return [];
    return 'items' in option ? [{ ...option, items: found }] : found;
  });
};

/** Multi-select of device models of the app's operating system; the search matches vendors as well. */
export function ModelSelect({ os, ...list }: ListProps & { os: Os | undefined }) {
  const { data = [] } = useQuery(phoneModelsQuery);
  const fitting = data.filter(
    ({ vendor, value }) =>
      os === undefined || (vendor === 'Apple') === (os === 'ios') || list.value.includes(value),
  );
  const unique = [
    ...new Map(fitting.toReversed().map((model) => [model.value, model])).values(),
  ].toReversed();
  const vendors = [...new Set(unique.map(({ vendor }) => vendor))];
  return (
    <MultiSelect
      {...list}
      description={`${unique.length} models: search by vendor or name`}
      placeholder={list.value.length === 0 ? 'Every model' : ''}
      searchable
      clearable
      hidePickedOptions
      limit={SHOWN_MAX}
      filter={byWords}
      maxDropdownHeight={320}
      nothingFoundMessage="No such model"
      clearButtonProps={{
        'aria-label': `Clear ${list.label.toLowerCase()}`,
        tabIndex: 0,
        'aria-hidden': false,
      }}
      data={vendors.map((vendor) => ({
        group: vendor,
        items: unique
          .filter((model) => model.vendor === vendor)
          .map((model) => ({ value: model.value, label: modelName(model) })),
      }))}
    />
  );
}
