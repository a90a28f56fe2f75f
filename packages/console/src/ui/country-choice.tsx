import type { SubRegion } from '@bidwell/contract/reference';
import { Button, Checkbox, Group, ScrollArea, SimpleGrid, Stack, Text, TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { useState } from 'react';
import { ChipList } from './chip-list.tsx';
import type { Country } from './country-search.ts';
import { searchCountries, share, shownCode } from './country-search.ts';

interface CountryChoiceProps {
  subRegions: readonly SubRegion[];
  /** Two-letter codes. */
  value: readonly string[];
  nameOf: (code: string) => string;
  onCancel: () => void;
  onApply: (codes: string[]) => void;
}

/** Selects countries; the search matches a name or either code. Changes apply only on Apply. */
export function CountryChoice({ subRegions, value, nameOf, onCancel, onApply }: CountryChoiceProps) {
  const [draft, setDraft] = useState<readonly string[]>(value);
  const [search, setSearch] = useState('');
  const chosen = new Set(draft);
  const shown = searchCountries(subRegions, search);
  const every = shown.flatMap(({ countries }) => countries);
  const set = (countries: readonly Country[], on: boolean) => {
    const codes = countries.map(({ code2 }) => code2);
    setDraft(on ? [...new Set([...draft, ...codes])] : draft.filter((code) => !codes.includes(code)));
  };
  const box = (countries: readonly Country[]) => {
    const state = share(countries, chosen);
    return {
      checked: state === 'all',
      indeterminate: state === 'some',
      onChange: () => set(countries, state !== 'all'),
    };
  };
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
        <Checkbox
          label={search.trim() === '' ? 'Select all' : `Select all ${every.length} found`}
          disabled={every.length === 0}
          {...box(every)}
        />
        <Group gap="xs">
          <Text size="sm" c="dimmed" aria-live="polite">
            {draft.length} chosen
          </Text>
          {draft.length > 0 && (
            <Button variant="subtle" color="gray" size="compact-sm" onClick={() => setDraft([])}>
              Clear
            </Button>
          )}
        </Group>
      </Group>
      {draft.length > 0 && (
        <ScrollArea.Autosize mah={96} type="auto">
          <ChipList
            value={draft}
            labelOf={(code) => `${nameOf(code)} (${code})`}
            onRemove={(code) => setDraft(draft.filter((other) => other !== code))}
          />
        </ScrollArea.Autosize>
      )}
      <ScrollArea h="46vh" type="auto" viewportProps={{ 'aria-label': 'Countries', tabIndex: -1 }}>
        <Stack gap="md" pr="sm">
          {shown.map(({ name, countries }) => (
            <div key={name} role="group" aria-label={name}>
              <Checkbox
                label={`${name} (${countries.length})`}
                mb={8}
                styles={{ label: { fontWeight: 600 } }}
                {...box(countries)}
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
                    checked={chosen.has(country.code2)}
                    onChange={(event) => set([country], event.currentTarget.checked)}
                  />
                ))}
              </SimpleGrid>
            </div>
          ))}
          {shown.length === 0 && (
            <Text c="dimmed" size="sm" role="status">
              No country matches “{search.trim()}”.
            </Text>
          )}
        </Stack>
      </ScrollArea>
      <Group justify="flex-end" gap="xs">
        <Button variant="default" onClick={onCancel}>
          Cancel
        </Button>
        <Button onClick={() => onApply([...draft])}>Apply</Button>
      </Group>
    </Stack>
  );
}
