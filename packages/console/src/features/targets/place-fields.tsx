import { REGION_SEARCH_MAX } from '@bidwell/contract/reference/endpoints';
import type { Region } from '@bidwell/contract/reference/schema';
import { consoleMessages } from '@bidwell/contract/text/console-messages';
import { targetMessages } from '@bidwell/contract/targets/messages';
import { PLACEMENT_KINDS } from '@bidwell/contract/targets/fields';
import {
  CIRCLES_MAX,
  RADIUS_MAX_KM,
  RADIUS_MIN_KM,
  foldedName,
  parseCity,
  parsePostalPrefix,
} from '@bidwell/contract/targets/place-values';
import {
  ActionIcon,
  type ComboboxItem,
  type ComboboxParsedItem,
  Group,
  MultiSelect,
  NumberInput,
  type OptionsFilter,
  SimpleGrid,
  Stack,
  TagsInput,
  Text,
  TextInput,
} from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import {
  regionSearchQuery,
  regionsQuery,
  seenCitiesQuery,
  subRegionsQuery,
} from '../../entities/reference/queries.ts';
import { isKnown, knownData, mapped, useLoadable } from '../../lib/loadable.ts';
import { Choice } from '../../ui/form/choice.tsx';
import { FoldedFields } from '../../ui/form/folded-fields.tsx';
import { UnknownOptions, UnknownSuggestions, pickerProps } from '../../ui/form/picker/picker-options.tsx';
import { SmallButton } from '../../ui/layout/buttons.tsx';
import { Muted } from '../../ui/layout/text.tsx';
import {
  SPLIT_CHARS,
  asSuggested,
  type CircleValues,
  coordinatesText,
  parseCoordinates,
  splitEntries,
  withCountry,
} from './place-values.ts';
import { type FieldsProps, listProps } from './target-fields.tsx';
import { countriesOf } from './target-names.ts';
import type { TargetValues } from './target-values.ts';

/** `field` is the field that is focused at first. */
interface PlaceFieldsProps extends FieldsProps {
  field: string | undefined;
}

const isFilled = (values: TargetValues, names: readonly (keyof TargetValues)[]): boolean =>
  names.some((name) => Array.isArray(values[name]) && values[name].length > 0);

const hasError = (errors: FieldsProps['form']['errors'], names: readonly string[]): boolean =>
  Object.keys(errors).some((path) => names.some((name) => path === name || path.startsWith(`${name}.`)));

const isUsed = ({ form, field }: PlaceFieldsProps, names: readonly (keyof TargetValues)[]): boolean =>
  isFilled(form.values, names) || hasError(form.errors, names) || names.some((name) => name === field);

const PLACES = [
  'region_include',
  'region_exclude',
  'city_include',
  'city_exclude',
  'postal_include',
  'postal_exclude',
  'radius_include',
  'radius_exclude',
] as const;

/** Regions, cities, postal codes and circles, to include and to exclude; folded until used. */
export function PlaceFields(props: PlaceFieldsProps) {
  const { form } = props;
  return (
    <FoldedFields label="Regions, cities, postal codes and radius" isUsed={isUsed(props, PLACES)}>
      <PlaceInputs form={form} />
    </FoldedFields>
  );
}

type PlaceList = 'city_include' | 'city_exclude' | 'postal_include' | 'postal_exclude';

/** Names the values that are no city or no postal code, before the form is saved; undefined without any. */
function placeError(name: PlaceList, values: readonly string[]): string | undefined {
  const isCity = name === 'city_include' || name === 'city_exclude';
  const wrong = values.filter((value) => (isCity ? parseCity(value) : parsePostalPrefix(value)) === null);
  if (wrong.length === 0) return undefined;
  return isCity ? targetMessages.cityForm(wrong) : targetMessages.postalForm(wrong);
}

const CITY_HINT = 'Country or region, and the local or English name: DE:Munich, US-OR:Portland';
const POSTAL_HINT = 'Country and beginning, one or a list: US:900, US:901';

function PlaceInputs({ form }: FieldsProps) {
  const countries = form.values.location_include;
  const cities = useLoadable(seenCitiesQuery(countries));
  const seen = knownData(cities);
  const suggestions = seen?.cities;
  const errorOf = (name: PlaceList) => form.errors[name] ?? placeError(name, form.values[name]);
  const tags = (name: PlaceList, placeholder: string) => ({
    ...listProps(form, name),
    onChange: (values: string[]) => {
      const known = form.values[name];
      const entries = splitEntries(values, suggestions ? [...known, ...suggestions] : known);
      const places = suggestions && name.startsWith('city') ? asSuggested(entries, suggestions) : entries;
      form.setFieldValue(name, withCountry(places, countries));
    },
    error: errorOf(name),
    // Above the field the suggestions do not cover the error.
    comboboxProps: { position: errorOf(name) ? ('top' as const) : ('bottom' as const) },
    placeholder: form.values[name].length === 0 ? placeholder : '',
    splitChars: SPLIT_CHARS,
    clearable: true,
  });
  return (
    <>
      <Muted>
        All lists have to match. A list to include leaves out requests that do not name a region, city or
        postal code, or have no location; many do not.
      </Muted>
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <RegionSelect
          form={form}
          name="region_include"
          label="Regions to include"
          placeholder="All regions"
        />
        <RegionSelect form={form} name="region_exclude" label="Regions to exclude" placeholder="None" />
        <TagsInput
          label="Cities to include"
          description={
            seen?.is_loading ? (
              consoleMessages.suggestionsLoading
            ) : seen ? (
              CITY_HINT
            ) : (
              <UnknownSuggestions of={cities} />
            )
          }
          {...(suggestions && { data: suggestions })}
          limit={50}
          {...tags('city_include', 'All cities')}
        />
        <TagsInput
          label="Cities to exclude"
          description={CITY_HINT}
          {...(suggestions && { data: suggestions })}
          limit={50}
          {...tags('city_exclude', 'None')}
        />
        <TagsInput
          label="Postal codes to include"
          description={POSTAL_HINT}
          {...tags('postal_include', 'All postal codes')}
        />
        <TagsInput
          label="Postal codes to exclude"
          description={POSTAL_HINT}
          {...tags('postal_exclude', 'None')}
        />
      </SimpleGrid>
      <CircleRows form={form} name="radius_include" label="Within a radius" action="Add a place to include" />
      <CircleRows
        form={form}
        name="radius_exclude"
        label="Not within a radius"
        action="Add a place to exclude"
      />
    </>
  );
}

/** Maximum number of regions rendered; the search finds the others. */
const SHOWN_MAX = 100;

/**
 * Matches regions whose label, or that of their country, contains every word of the search, without marks over letters. Names that begin with
 * the search come first, and so do their countries.
 */
export const byFoldedWords: OptionsFilter = ({ options, search, limit }) => {
  const words = foldedName(search).split(' ').filter(Boolean);
  const begins = ({ label }: ComboboxItem) =>
    words.length > 0 && foldedName(label).startsWith(words.join(' '));
  const matching = options.flatMap((option): ComboboxParsedItem[] => {
    if (!('items' in option)) return [option];
    const group = typeof option.group === 'string' ? foldedName(option.group) : '';
    const found = option.items
      .filter((item): item is ComboboxItem => typeof item !== 'string' && 'label' in item)
      .filter(({ label }) => {
        const text = `${group} ${foldedName(label)}`;
        return words.every((word) => text.includes(word));
      })
      .toSorted((a, b) => Number(begins(b)) - Number(begins(a)));
    return found.length > 0 ? [{ ...option, items: found }] : [];
  });
  const isFirst = (option: ComboboxParsedItem) =>
    'items' in option &&
    option.items.some((item) => typeof item !== 'string' && 'label' in item && begins(item));
  let left = limit;
  return matching
    .toSorted((a, b) => Number(isFirst(b)) - Number(isFirst(a)))
    .flatMap((option): ComboboxParsedItem[] => {
      if (!('items' in option)) return [option];
      const items = option.items.slice(0, left);
      left -= items.length;
      return items.length > 0 ? [{ ...option, items }] : [];
    });
};

/** How long after the last key a search is sent. */
const SEARCH_DELAY_MS = 200;

function withoutRepeated(regions: readonly Region[]): Region[] {
  return [...new Map(regions.map((region) => [region.value, region])).values()];
}

/** `California (US-CA)`, `Bavaria (Bayern, DE-BY)`: the search finds all of it. */
const regionOption = ({ value, name, english }: Region) => ({
  value,
  label: english === undefined ? `${name} (${value})` : `${english} (${name}, ${value})`,
});

interface RegionSelectProps extends FieldsProps {
  name: 'region_include' | 'region_exclude';
  label: string;
  placeholder: string;
}

/** Multi-select of the regions of the countries to include; without any the server searches the regions of all countries. */
function RegionSelect({ form, name, label, placeholder }: RegionSelectProps) {
  const value = form.values[name];
  const { location_include: included } = form.values;
  const [search, setSearch] = useState('');
  const [typed] = useDebouncedValue(search.trim().slice(0, REGION_SEARCH_MAX), SEARCH_DELAY_MS);
  // The chosen ones need their names.
  const countries = [...new Set([...included, ...countriesOf(value)])].sort();
  const isSearched = included.length === 0 && typed !== '';
  const found = useLoadable(regionSearchQuery(isSearched ? typed : ''));
  const subRegions = useLoadable(subRegionsQuery);
  const countryNames = new Map(
    knownData(subRegions)?.flatMap((region) =>
      region.countries.map(({ code2, name: country }) => [code2, country]),
    ),
  );
  const groups = mapped(useLoadable(regionsQuery(countries)), (known) => {
    const regions = isSearched && isKnown(found) ? withoutRepeated([...known, ...found.data]) : known;
    return [...new Set(regions.map(({ country }) => country))].map((country) => ({
      group: countryNames.get(country) ?? country,
      items: regions.filter((region) => region.country === country).map(regionOption),
    }));
  });
  const emptyText =
    included.length === 0 && !isSearched ? 'Type the name of a region or country' : 'There is no region';
  const props = pickerProps(groups, { placeholder: value.length === 0 ? placeholder : '', emptyText }, value);
  return (
    <MultiSelect
      label={label}
      {...listProps(form, name)}
      {...props}
      {...(isSearched && !isKnown(found) && { nothingFoundMessage: <UnknownOptions options={found} /> })}
      description="Search by region or country"
      searchable
      searchValue={search}
      onSearchChange={setSearch}
      clearable
      hidePickedOptions
      limit={SHOWN_MAX}
      filter={byFoldedWords}
      maxDropdownHeight={280}
      clearButtonProps={{ 'aria-label': `Clear ${label.toLowerCase()}`, tabIndex: 0, 'aria-hidden': false }}
    />
  );
}

interface CircleRowsProps extends FieldsProps {
  name: 'radius_include' | 'radius_exclude';
  label: string;
  action: string;
}

const NEW_CIRCLE: CircleValues = { lat: null, lon: null, km: 25 };

/** Circles around places, a row each. */
function CircleRows({ form, name, label, action }: CircleRowsProps) {
  const circles = form.values[name];
  const set = (next: CircleValues[]) => form.setFieldValue(name, next);
  return (
    <Stack gap={6} role="group" aria-label={label}>
      <Group justify="space-between" wrap="nowrap">
        <Text size="sm" fw={500}>
          {label}
        </Text>
        <SmallButton
          leftSection={<IconPlus size={14} />}
          disabled={circles.length >= CIRCLES_MAX}
          onClick={() => set([...circles, NEW_CIRCLE])}
        >
          {action}
        </SmallButton>
      </Group>
      <Muted>
        {RADIUS_MIN_KM} to {RADIUS_MAX_KM} km around a point. Only locations that devices measured or users
        entered count; most requests have none.
      </Muted>
      {circles.map((circle, index) => (
        <CircleRow
          // Rows have no id; their number tells them apart as long as none is removed.
          key={`${circles.length} ${index}`}
          number={index + 1}
          circle={circle}
          path={`${name}.${index}`}
          errors={form.errors}
          onChange={(changed) => set(circles.map((other, at) => (at === index ? changed : other)))}
          onRemove={() => set(circles.filter((_other, at) => at !== index))}
        />
      ))}
    </Stack>
  );
}

interface CircleRowProps {
  number: number;
  circle: CircleValues;
  path: string;
  errors: FieldsProps['form']['errors'];
  onChange: (circle: CircleValues) => void;
  onRemove: () => void;
}

function CircleRow({ number, circle, path, errors, onChange, onRemove }: CircleRowProps) {
  const [text, setText] = useState(coordinatesText(circle));
  const isWrong = Boolean(errors[`${path}.lat`] ?? errors[`${path}.lon`]);
  return (
    <Group gap="xs" wrap="nowrap" align="flex-start">
      <TextInput
        flex={1}
        aria-label={`Coordinates of place ${number}`}
        placeholder="52.52, 13.40"
        value={text}
        data-path={`${path}.lat`}
        error={isWrong && 'Enter latitude and longitude, such as 52.52, 13.40'}
        onChange={({ currentTarget: { value } }) => {
          setText(value);
          onChange({ ...circle, ...parseCoordinates(value) });
        }}
      />
      <NumberInput
        w={110}
        aria-label={`Radius of place ${number}`}
        min={RADIUS_MIN_KM}
        max={RADIUS_MAX_KM}
        clampBehavior="none"
        suffix=" km"
        data-path={`${path}.km`}
        value={circle.km ?? ''}
        error={errors[`${path}.km`]}
        onChange={(value) => onChange({ ...circle, km: typeof value === 'number' ? value : null })}
      />
      <ActionIcon
        variant="subtle"
        color="gray"
        size="lg"
        aria-label={`Remove place ${number}`}
        onClick={onRemove}
      >
        <IconTrash size={16} />
      </ActionIcon>
    </Group>
  );
}

const CARRIERS = ['carrier_include', 'carrier_exclude', 'device_id'] as const;

const idChoices = [
  { value: 'any', label: 'With or without' },
  { value: 'with', label: 'Only with an ID' },
  { value: 'without', label: 'Only without an ID' },
] as const;

/** Carriers and the advertising id; folded until used. */
export function CarrierFields(props: PlaceFieldsProps) {
  const { form } = props;
  const isChosen = form.values.device_id !== 'any';
  const tags = (name: 'carrier_include' | 'carrier_exclude', placeholder: string) => ({
    ...listProps(form, name),
    onChange: (values: string[]) => form.setFieldValue(name, splitEntries(values, form.values[name])),
    placeholder: form.values[name].length === 0 ? placeholder : '',
    splitChars: SPLIT_CHARS,
    clearable: true,
  });
  return (
    <FoldedFields label="Carriers and advertising ID" isUsed={isChosen || isUsed(props, CARRIERS)}>
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <TagsInput
          label="Carriers to include"
          description="Name, or MCC and MNC: Verizon, 310-410"
          {...tags('carrier_include', 'All carriers, and Wi-Fi')}
        />
        <TagsInput
          label="Carriers to exclude"
          description="Name, or MCC and MNC: Verizon, 310-410"
          {...tags('carrier_exclude', 'None')}
        />
      </SimpleGrid>
      <Choice
        label="Advertising ID"
        description="An ID that the person’s consent forbids to use counts as none"
        data={[...idChoices]}
        {...form.getInputProps('device_id')}
      />
    </FoldedFields>
  );
}

const kindNames: Record<(typeof PLACEMENT_KINDS)[number], string> = {
  interstitial: 'Interstitial (fills the screen)',
  rewarded: 'Rewarded',
  other: 'Other, such as banners',
};

/** Kinds of placements; folded until used. */
export function PlacementKindField(props: PlaceFieldsProps) {
  const { form } = props;
  const { placement_kinds: kinds } = form.values;
  return (
    <FoldedFields label="Kinds of placements" isUsed={isUsed(props, ['placement_kinds'])}>
      <MultiSelect
        label="Kinds of placements"
        description="A rewarded placement counts as rewarded only, also where it fills the screen"
        data={PLACEMENT_KINDS.map((kind) => ({ value: kind, label: kindNames[kind] }))}
        placeholder={kinds.length === 0 ? 'All placements' : ''}
        value={kinds}
        onChange={(chosen) =>
          form.setFieldValue(
            'placement_kinds',
            PLACEMENT_KINDS.filter((kind) => chosen.includes(kind)),
          )
        }
        error={form.errors['placement_kinds']}
        data-path="placement_kinds"
        clearable
      />
    </FoldedFields>
  );
}
