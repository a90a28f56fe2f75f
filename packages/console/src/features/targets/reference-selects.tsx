import type { Os } from '@bidwell/contract/apps/fields';
import type { ReferenceItem } from '@bidwell/contract/reference/schema';
import {
  Autocomplete,
  type AutocompleteProps,
  type ComboboxItem,
  type ComboboxParsedItem,
  MultiSelect,
  type OptionsFilter,
} from '@mantine/core';
import { type Loadable, isKnown, knownData, mapped, useLoadable } from '../../lib/loadable.ts';
import { operatingSystemsQuery, phoneModelsQuery } from '../../entities/reference/queries.ts';
import { UnknownSuggestions, pickerProps } from '../../ui/form/picker/picker-options.tsx';
import { modelName } from './target-names.ts';

interface ListProps {
  label: string;
  value: string[];
  onChange: (values: string[]) => void;
}

interface ReferenceSelectProps extends ListProps {
  options: Loadable<readonly ReferenceItem[]>;
  /** Explains what an empty list means. */
  placeholder: string;
  description?: string;
  /** Labels that replace the labels of the reference list. */
  labels?: Readonly<Record<string, string>>;
}

/** Multi-select of values from a reference list. */
export function ReferenceSelect({ options, placeholder, labels = {}, ...list }: ReferenceSelectProps) {
  return (
    <MultiSelect
      {...list}
      {...pickerProps(
        mapped(options, (known) => known.map(({ value, name }) => ({ value, label: labels[value] ?? name }))),
        { placeholder: list.value.length === 0 ? placeholder : '', emptyText: 'There is nothing to choose' },
        list.value,
      )}
      searchable
      clearable
      hidePickedOptions
      clearButtonProps={{
        'aria-label': `Clear ${list.label.toLowerCase()}`,
        tabIndex: 0,
        'aria-hidden': false,
      }}
      maxDropdownHeight={280}
    />
  );
}

type VersionInputProps = AutocompleteProps & { os: Os | undefined };

/** Accepts any version of an operating system; suggests the known ones, newest first. */
export function VersionInput({ os, ...input }: VersionInputProps) {
  const systems = useLoadable(operatingSystemsQuery);
  const versions = knownData(systems)?.find(({ value }) => value === os)?.versions;
  return (
    <Autocomplete
      placeholder="Any"
      {...(versions && { data: versions.toReversed() })}
      {...(systems.state === 'failed' && { description: <UnknownSuggestions of={systems} /> })}
      // In line with the field next to it.
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      maxDropdownHeight={280}
      {...input}
    />
  );
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
  const models = mapped(useLoadable(phoneModelsQuery), (all) => {
    const fitting = all.filter(
      ({ vendor, value }) =>
        os === undefined || (vendor === 'Apple') === (os === 'ios') || list.value.includes(value),
    );
    return [...new Map(fitting.toReversed().map((model) => [model.value, model])).values()].toReversed();
  });
  const groups = mapped(models, (unique) =>
    [...new Set(unique.map(({ vendor }) => vendor))].map((vendor) => ({
      group: vendor,
      items: unique
        .filter((model) => model.vendor === vendor)
        .map((model) => ({ value: model.value, label: modelName(model) })),
    })),
  );
  return (
    <MultiSelect
      {...list}
      description={
        isKnown(models)
          ? `${models.data.length} models: search by vendor or name`
          : 'Search by vendor or name'
      }
      {...pickerProps(
        groups,
        { placeholder: list.value.length === 0 ? 'Every model' : '', emptyText: 'There is no model' },
        list.value,
      )}
      searchable
      clearable
      hidePickedOptions
      limit={SHOWN_MAX}
      filter={byWords}
      maxDropdownHeight={320}
      clearButtonProps={{
        'aria-label': `Clear ${list.label.toLowerCase()}`,
        tabIndex: 0,
        'aria-hidden': false,
      }}
    />
  );
}
