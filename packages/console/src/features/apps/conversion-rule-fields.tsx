import { COARSE_VALUES, FINE_VALUE_MAX } from '@bidwell/contract/skadnetwork/postbacks';
import type { ConversionRule } from '@bidwell/contract/skadnetwork/conversion-values';
import { ActionIcon, Group, NumberInput, Paper, Select, SimpleGrid, Stack, TextInput } from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { coarseTexts, windowTexts } from '../../entities/skadnetwork/postback-text.ts';
import { MoneyInput } from '../../ui/form/money-input.tsx';

const windows = windowTexts.map((label, value) => ({ value: String(value), label }));
const FINE = 'fine';
const kinds = [
  { value: FINE, label: 'Fine, 0–63' },
  ...COARSE_VALUES.map((value) => ({ value, label: coarseTexts[value] })),
];

interface ConversionRuleFieldsProps {
  /** Position in the list, from 1 on. */
  number: number;
  rule: ConversionRule;
  errorOf: (field: keyof ConversionRule) => ReactNode;
  onChange: (changed: Partial<ConversionRule>) => void;
  onRemove: () => void;
}

/** The fields of one rule: which conversion values, and what they mean. */
export function ConversionRuleFields({
  number,
  rule,
  errorOf,
  onChange,
  onRemove,
}: ConversionRuleFieldsProps) {
  const isFine = rule.coarse === null;
  const chooseKind = (kind: string | null): void => {
    const coarse = COARSE_VALUES.find((value) => value === kind) ?? null;
    onChange(
      coarse === null
        ? { coarse, window: 0, fine_from: rule.fine_from ?? 0, fine_to: rule.fine_to ?? 0 }
        : { coarse, fine_from: null, fine_to: null },
    );
  };
  const fine = (field: 'fine_from' | 'fine_to') => ({
    min: 0,
    max: FINE_VALUE_MAX,
    clampBehavior: 'none' as const,
    allowDecimal: false,
    value: rule[field] ?? '',
    error: errorOf(field),
    onChange: (value: string | number) => onChange({ [field]: typeof value === 'number' ? value : null }),
  });
  return (
    <Paper withBorder p="sm" role="group" aria-label={`Conversion values ${number}`}>
      <Group align="flex-start" wrap="nowrap" gap="xs">
        <Stack flex={1} gap="xs">
          <SimpleGrid cols={{ base: 2, sm: 4 }}>
            <Select
              label="Value"
              data={kinds}
              allowDeselect={false}
              value={rule.coarse ?? FINE}
              error={errorOf('coarse')}
              onChange={chooseKind}
            />
            <Select
              label="Window"
              data={windows}
              allowDeselect={false}
              disabled={isFine}
              value={String(rule.window)}
              error={errorOf('window')}
              onChange={(value) => onChange({ window: Number(value) })}
            />
            {isFine && <NumberInput label="From" {...fine('fine_from')} />}
            {isFine && <NumberInput label="To" {...fine('fine_to')} />}
          </SimpleGrid>
          <SimpleGrid cols={{ base: 1, sm: 3 }}>
            <TextInput
              label="Event"
              value={rule.event ?? ''}
              error={errorOf('event')}
              onChange={({ currentTarget }) => onChange({ event: currentTarget.value })}
            />
            <MoneyInput
              label="Revenue from"
              value={rule.revenue_from}
              error={errorOf('revenue_from')}
              onChange={(revenue_from) => onChange({ revenue_from })}
            />
            <MoneyInput
              label="Revenue to"
              value={rule.revenue_to}
              error={errorOf('revenue_to')}
              onChange={(revenue_to) => onChange({ revenue_to })}
            />
          </SimpleGrid>
        </Stack>
        <ActionIcon
          variant="subtle"
          color="gray"
          aria-label={`Remove conversion values ${number}`}
          onClick={onRemove}
        >
          <IconTrash size={16} />
        </ActionIcon>
      </Group>
    </Paper>
  );
}
