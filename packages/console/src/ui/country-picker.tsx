import type { SubRegion } from '@bidwell/contract/reference';
import {
  Button,
  Checkbox,
  Group,
  Modal,
  Pill,
  PillGroup,
  ScrollArea,
  Stack,
  Text,
  TextInput,
} from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useState } from 'react';

type Country = SubRegion['countries'][number];

interface CountryPickerProps {
  label: string;
  /** What an empty list means. */
  placeholder: string;
  subRegions: readonly SubRegion[];
  /** Two-letter codes. */
  value: readonly string[];
  onChange: (codes: string[]) => void;
}

/** Chooses countries, by sub-region or one by one; the search takes a name or either code. */
export function CountryPicker({ label, placeholder, subRegions, value, onChange }: CountryPickerProps) {
  const [opened, { open, close }] = useDisclosure(false);
  const names = new Map(
    subRegions.flatMap(({ countries }) => countries.map((country) => [country.code2, country.name] as const)),
  );
  return (
    <Stack gap={4}>
      <Group justify="space-between">
        <Text size="sm" fw={500}>
          {label}
        </Text>
        <Button
          variant="default"
          size="compact-sm"
          onClick={open}
          aria-label={`Choose ${label.toLowerCase()}`}
        >
          Choose
        </Button>
      </Group>
      {value.length === 0 ? (
        <Text size="sm" c="dimmed">
          {placeholder}
        </Text>
      ) : (
        <PillGroup>
          {value.slice(0, 40).map((code) => (
            <Pill
              key={code}
              withRemoveButton
              onRemove={() => onChange(value.filter((other) => other !== code))}
              removeButtonProps={{ 'aria-label': `Remove ${names.get(code) ?? code}` }}
            >
              {names.get(code) ?? code} ({code})
            </Pill>
          ))}
          {value.length > 40 && <Pill>and {value.length - 40} more</Pill>}
        </PillGroup>
      )}
      <Modal opened={opened} onClose={close} title={label} size="lg">
        {opened && <Choice subRegions={subRegions} value={value} onChange={onChange} onDone={close} />}
      </Modal>
    </Stack>
  );
}

interface ChoiceProps extends Pick<CountryPickerProps, 'subRegions' | 'value' | 'onChange'> {
  onDone: () => void;
}

function Choice({ subRegions, value, onChange, onDone }: ChoiceProps) {
  const [search, setSearch] = useState('');
  const wanted = search.trim().toLowerCase();
  const matches = ({ name, code, code2 }: Country) =>
    [name, code, code2].some((text) => text.toLowerCase().includes(wanted));
  const shown = subRegions
    .map((region) => ({ ...region, countries: region.countries.filter(matches) }))
    .filter(({ countries }) => countries.length > 0);
  const set = (codes: string[], on: boolean) =>
    onChange(on ? [...new Set([...value, ...codes])] : value.filter((code) => !codes.includes(code)));
  const box = (countries: readonly Country[]) => {
    const codes = countries.map(({ code2 }) => code2);
    const chosen = codes.filter((code) => value.includes(code)).length;
    const all = codes.length > 0 && chosen === codes.length;
    return { checked: all, indeterminate: chosen > 0 && !all, onChange: () => set(codes, !all) };
  };
  return (
    <Stack>
      <TextInput
        aria-label="Search countries"
        placeholder="Name or code"
        value={search}
        onChange={(event) => setSearch(event.currentTarget.value)}
        data-autofocus
      />
      <Checkbox label="Select all" {...box(shown.flatMap(({ countries }) => countries))} />
      <ScrollArea.Autosize mah="50vh" type="auto">
        <Stack gap="md">
          {shown.map(({ name, countries }) => (
            <div key={name}>
              <Checkbox label={name} fw={600} mb={6} {...box(countries)} />
              <Group gap="xs" pl="lg">
                {countries.map((country) => (
                  <Checkbox
                    key={country.code2}
                    label={`${country.name} (${country.code2})`}
                    checked={value.includes(country.code2)}
                    onChange={(event) => set([country.code2], event.currentTarget.checked)}
                    w={220}
                  />
                ))}
              </Group>
            </div>
          ))}
          {shown.length === 0 && <Text c="dimmed">No country matches “{search}”.</Text>}
        </Stack>
      </ScrollArea.Autosize>
      <Group justify="space-between">
        <Text size="sm" c="dimmed">
          {value.length} chosen
        </Text>
        <Button onClick={onDone}>Done</Button>
      </Group>
    </Stack>
  );
}
