import type { TaxRule } from '@bidwell/contract/invoices/schema';
import { Button, Fieldset, Group, NativeSelect, NumberInput, Stack, Text, TextInput } from '@mantine/core';
import type { FormErrors } from '@mantine/form';
import { IconPlus } from '@tabler/icons-react';
import { CountryInput } from '../../entities/finance/code-inputs.tsx';
import { SmallButton } from '../../ui/layout/buttons.tsx';
import { Caption } from '../../ui/layout/text.tsx';

/** A tax rule as the form has it: '' is all countries, or no rate yet. */
export type RuleValues = Omit<TaxRule, 'country' | 'rate_percent'> & {
  country: string;
  rate_percent: number | '';
};

const buyers = [
  { value: 'all', label: 'All buyers' },
  { value: 'with_tax_id', label: 'With a tax ID' },
  { value: 'without_tax_id', label: 'Without a tax ID' },
];

interface TaxRuleFieldsProps {
  rules: readonly RuleValues[];
  errors: FormErrors;
  onChange: (rules: RuleValues[]) => void;
}

/** The tax rules, in their order. */
export function TaxRuleFields({ rules, errors, onChange }: TaxRuleFieldsProps) {
  const change = (index: number, part: Partial<RuleValues>) =>
    onChange(rules.map((rule, at) => (at === index ? { ...rule, ...part } : rule)));
  return (
    <Stack gap="xs">
      <Text size="sm" fw={500}>
        Tax rules
      </Text>
      <Caption>
        The first rule that matches the buyer applies. If none matches, the invoice has no tax.
      </Caption>
      {rules.map((rule, index) => (
        <RuleFields
          // Rules have no id; one that is removed takes nothing along but what its fields show.
          // oxlint-disable-next-line react/no-array-index-key -- the fields are controlled
          key={index}
          name={`Rule ${index + 1}`}
          rule={rule}
          errorOf={(field) => errors[`tax_rules.${index}.${field}`]}
          onChange={(part) => change(index, part)}
          onRemove={() => onChange(rules.filter((_, at) => at !== index))}
        />
      ))}
      <Group>
        <SmallButton
          leftSection={<IconPlus size={15} />}
          onClick={() =>
            onChange([...rules, { country: '', buyers: 'all', label: 'VAT', rate_percent: '', note: '' }])
          }
        >
          Add a rule
        </SmallButton>
      </Group>
    </Stack>
  );
}

interface RuleFieldsProps {
  name: string;
  rule: RuleValues;
  errorOf: (field: keyof RuleValues) => React.ReactNode;
  onChange: (part: Partial<RuleValues>) => void;
  onRemove: () => void;
}

function RuleFields({ name, rule, errorOf, onChange, onRemove }: RuleFieldsProps) {
  return (
    <Fieldset legend={name}>
      <Stack gap="xs">
        <Group grow align="start">
          <CountryInput
            label="Country of the buyer"
            description="Leave empty for all countries."
            placeholder="All countries"
            value={rule.country}
            onChange={(country) => onChange({ country })}
            error={errorOf('country')}
          />
          <NativeSelect
            label="Buyers"
            description="The buyers to whom the rule applies."
            data={buyers}
            value={rule.buyers}
            onChange={(event) => onChange({ buyers: event.currentTarget.value as TaxRule['buyers'] })}
          />
        </Group>
        <Group grow align="start">
          <TextInput
            label="Name of the tax"
            value={rule.label}
            onChange={(event) => onChange({ label: event.currentTarget.value })}
            error={errorOf('label')}
          />
          <NumberInput
            label="Rate"
            suffix="%"
            decimalScale={2}
            value={rule.rate_percent}
            onChange={(rate) => onChange({ rate_percent: typeof rate === 'number' ? rate : '' })}
            error={errorOf('rate_percent')}
          />
        </Group>
        <TextInput
          label="Note on the invoice"
          description="Such as a note that the buyer owes the tax."
          value={rule.note}
          onChange={(event) => onChange({ note: event.currentTarget.value })}
          error={errorOf('note')}
        />
        <Group justify="flex-end">
          <Button variant="subtle" size="compact-sm" onClick={onRemove} aria-label={`Remove ${name}`}>
            Remove
          </Button>
        </Group>
      </Stack>
    </Fieldset>
  );
}
