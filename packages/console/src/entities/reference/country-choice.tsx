import type { SubRegion } from '@bidwell/contract/reference/schema';
import {
  Button,
  Checkbox,
  type CheckboxProps,
  Group,
  ScrollArea,
  SimpleGrid,
  Stack,
  Text,
  TextInput,
} from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { useState } from 'react';
import { type Loadable, isKnown } from '../../lib/loadable.ts';
import { FailureNotice, ListSkeleton } from '../../ui/chart/figure-frame.tsx';
import { ChipList } from '../../ui/form/chip-list.tsx';
import { QuietButton, SecondaryButton } from '../../ui/layout/buttons.tsx';
import { Muted } from '../../ui/layout/text.tsx';
import {
  type Country,
  firstCountries,
  searchCountries,
  selectionState,
  shownCode,
} from './country-search.ts';

interface CountryChoiceProps {
  subRegions: readonly SubRegion[];
  /** The two-letter codes that the company uses most, which come first; common ones do if these could not be loaded. */
  used: Loadable<readonly string[]>;
  /** Two-letter codes. */
  value: readonly string[];
  nameOf: (code: string) => string;
  onCancel: () => void;
  onApply: (codes: string[]) => void;
}

/**
 * Selects countries: the company's own and common ones come before all countries by sub-region. The search matches a
 * name or either code. Changes apply only on Apply.
 */
export function CountryChoice({ subRegions, used, value, nameOf, onCancel, onApply }: CountryChoiceProps) {
  const [selected, setSelected] = useState<readonly string[]>(value);
  const [search, setSearch] = useState('');
  const found = searchCountries(subRegions, search);
  const isSearching = search.trim() !== '';
  const all = found.flatMap(({ countries }) => countries);
  const set = (countries: readonly Country[], on: boolean) => {
    const codes = countries.map(({ code2 }) => code2);
    setSelected(
      on ? [...new Set([...selected, ...codes])] : selected.filter((code) => !codes.includes(code)),
    );
  };
  const selection = { selected: new Set(selected), set };
  return (
    <Stack gap="sm">
      <TextInput
        aria-label="Search countries"
        placeholder="Search by name or code"
        leftSection={<IconSearch size={15} />}
        value={search}
        onChange={(event) => setSearch(event.currentTarget.value)}
        data-autofocus
      />
      <Group justify="space-between" gap="xs">
        <GroupCheckbox
          label={isSearching ? `Select all ${all.length} found` : 'Select all'}
          disabled={all.length === 0}
          countries={all}
          {...selection}
        />
        <Group gap="xs">
          <Muted aria-live="polite">{selected.length} selected</Muted>
          {selected.length > 0 && <QuietButton onClick={() => setSelected([])}>Clear</QuietButton>}
        </Group>
      </Group>
      {selected.length > 0 && (
        <ScrollArea.Autosize mah={96} type="auto">
          <ChipList
            value={selected}
            labelOf={(code) => `${nameOf(code)} (${code})`}
            onRemove={(code) => setSelected(selected.filter((other) => other !== code))}
          />
        </ScrollArea.Autosize>
      )}
      <ScrollArea h="46vh" type="auto" viewportProps={{ 'aria-label': 'Countries', tabIndex: -1 }}>
        <Stack gap="md" pr="sm">
          {!isSearching && <FailureNotice figures={used} what="The countries of your targets" m={0} />}
          {!isSearching && used.state === 'loading' && <ListSkeleton rows={2} />}
          {!isSearching &&
            used.state !== 'loading' &&
            firstCountries(subRegions, isKnown(used) ? used.data : []).map((group) => (
              <Region key={group.name} {...group} {...selection} />
            ))}
          {found.map((region) => (
            <Region key={region.name} {...region} {...selection} />
          ))}
          {found.length === 0 && <Muted role="status">No country matches “{search.trim()}”.</Muted>}
        </Stack>
      </ScrollArea>
      <Group justify="flex-end" gap="xs">
        <SecondaryButton onClick={onCancel}>Cancel</SecondaryButton>
        <Button onClick={() => onApply([...selected])}>Apply</Button>
      </Group>
    </Stack>
  );
}

interface Selection {
  /** Two-letter codes. */
  selected: ReadonlySet<string>;
  set: (countries: readonly Country[], on: boolean) => void;
}

interface GroupCheckboxProps extends Selection, Omit<CheckboxProps, 'selected'> {
  countries: readonly Country[];
}

/** Checkbox that selects several countries together. */
function GroupCheckbox({ countries, selected, set, ...checkbox }: GroupCheckboxProps) {
  const state = selectionState(countries, selected);
  return (
    <Checkbox
      {...checkbox}
      checked={state === 'all'}
      indeterminate={state === 'some'}
      onChange={() => set(countries, state !== 'all')}
    />
  );
}

/** The countries of a region, or another group of them. */
function Region({
  name,
  countries,
  selected,
  set,
}: Selection & { name: string; countries: readonly Country[] }) {
  return (
    <div role="group" aria-label={name}>
      <GroupCheckbox
        label={`${name} (${countries.length})`}
        mb={8}
        styles={{ label: { fontWeight: 600 } }}
        countries={countries}
        selected={selected}
        set={set}
      />
      <SimpleGrid cols={{ base: 1, xs: 2, sm: 3 }} spacing="xs" verticalSpacing={8} pl="lg">
        {countries.map((country) => (
          <Checkbox
            key={country.id}
            size="xs"
            label={
              <>
                {country.name}{' '}
                <Text span inherit c="dimmed">
                  {shownCode(country)}
                </Text>
              </>
            }
            checked={selected.has(country.code2)}
            onChange={(event) => set([country], event.currentTarget.checked)}
          />
        ))}
      </SimpleGrid>
    </div>
  );
}
