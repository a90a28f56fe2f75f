import type { SubRegion } from '@bidwell/contract/reference';
import { Button, Group, Input, Modal, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { ChipList } from './chip-list.tsx';
import { CountryChoice } from './country-choice.tsx';

interface CountryPickerProps {
  label: string;
  /** Explains what an empty list means. */
  placeholder: string;
  subRegions: readonly SubRegion[];
  /** Two-letter codes. */
  value: readonly string[];
  onChange: (codes: string[]) => void;
  error?: string | undefined;
}

/** A list of countries with a dialog that selects them by sub-region or one by one. */
export function CountryPicker(props: CountryPickerProps) {
  const { label, placeholder, subRegions, value, onChange, error } = props;
  const [opened, { open, close }] = useDisclosure(false);
  const names = new Map(
    subRegions.flatMap(({ countries }) => countries.map(({ code2, name }) => [code2, name])),
  );
  const nameOf = (code: string) => names.get(code) ?? code;
  return (
    <Stack gap={4} role="group" aria-label={label}>
      <Group justify="space-between" wrap="nowrap">
        <Text size="sm" fw={500}>
          {label}
        </Text>
        <Group gap={4} wrap="nowrap">
          {value.length > 0 && (
            <Button
              variant="subtle"
              color="gray"
              size="compact-sm"
              onClick={() => onChange([])}
              aria-label={`Clear ${label.toLowerCase()}`}
            >
              Clear
            </Button>
          )}
          <Button
            variant="default"
            size="compact-sm"
            onClick={open}
            aria-label={`Choose ${label.toLowerCase()}`}
          >
            Choose
          </Button>
        </Group>
      </Group>
      {value.length === 0 ? (
        <Text size="sm" c="dimmed">
          {placeholder}
        </Text>
      ) : (
        <ChipList
          value={value}
          labelOf={(code) => `${nameOf(code)} (${code})`}
          onRemove={(code) => onChange(value.filter((other) => other !== code))}
        />
      )}
      {error && <Input.Error>{error}</Input.Error>}
      <Modal opened={opened} onClose={close} title={label} size="xl">
        {opened && (
          <CountryChoice
            subRegions={subRegions}
            value={value}
            nameOf={nameOf}
            onCancel={close}
            onApply={(codes) => {
              onChange(codes);
              close();
            }}
          />
        )}
      </Modal>
    </Stack>
  );
}
