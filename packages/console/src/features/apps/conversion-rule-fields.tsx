import { COARSE_VALUES, FINE_VALUE_MAX } from '@bidwell/contract/skadnetwork/postbacks';
import type { ConversionRule } from '@bidwell/contract/skadnetwork/conversion-values';
import { conversionWindowTexts } from '@bidwell/contract/text/skadnetwork-text';
import { limits } from '@bidwell/contract/lib/limits';
import { Autocomplete, Grid, Group, NumberInput, Paper, Stack } from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { type Loadable, isKnown } from '../../lib/loadable.ts';
import { type KnownEvent, eventOptions, labelOfEvent } from '../../entities/measurement/event-options.tsx';
import { coarseTexts } from '../../entities/skadnetwork/postback-text.ts';
import { Choice } from '../../ui/form/choice.tsx';
import { UnknownSuggestions } from '../../ui/form/picker/picker-options.tsx';
import { MoneyInput } from '../../ui/form/money-input.tsx';
import { IconButton } from '../../ui/layout/buttons.tsx';

const windows = conversionWindowTexts.map((label, value) => ({ value: String(value), label }));
const FINE = 'fine';
const kinds = [
  { value: FINE, label: `Fine, 0–${FINE_VALUE_MAX}` },
  ...COARSE_VALUES.map((value) => ({ value, label: coarseTexts[value] })),
];

interface RuleFieldsProps {
  rule: ConversionRule;
  /** The message of a field, and the path by which the form finds it. */
  inputOf: (field: keyof ConversionRule) => { error: ReactNode; 'data-path': string };
  onChange: (changed: Partial<ConversionRule>) => void;
}

interface ConversionRuleFieldsProps extends RuleFieldsProps {
  /** Position in the list, from 1 on. */
  number: number;
  /** Those that the app has had. */
  events: Loadable<readonly KnownEvent[]>;
  onRemove: () => void;
}

/** The fields of one rule: which conversion values, and what they mean. */
export function ConversionRuleFields({ number, events, onRemove, ...rule }: ConversionRuleFieldsProps) {
  return (
    <Paper withBorder p="sm" role="group" aria-label={`Conversion values ${number}`}>
      <Group align="flex-start" wrap="nowrap" gap="xs">
        <Stack flex={1} gap="xs">
          <ValueFields {...rule} />
          <MeaningFields {...rule} events={events} />
        </Stack>
        <IconButton aria-label={`Remove conversion values ${number}`} onClick={onRemove}>
          <IconTrash size={16} />
        </IconButton>
      </Group>
    </Paper>
  );
}

/** Which values: fine ones of the first window, or a coarse one of any. */
function ValueFields({ rule, inputOf, onChange }: RuleFieldsProps) {
  const isFine = rule.coarse === null;
  const chooseKind = (kind: string | null): void => {
    const coarse = COARSE_VALUES.find((value) => value === kind) ?? null;
    onChange(
      coarse === null
        ? { coarse, window: 0, fine_from: rule.fine_from ?? 0, fine_to: rule.fine_to ?? 0 }
        : { coarse, fine_from: null, fine_to: null },
    );
  };
  const fine = (field: 'fine_from' | 'fine_to', label: string) => (
    <Grid.Col span={{ base: 6, sm: 2 }}>
      <NumberInput
        label={label}
        min={0}
        max={FINE_VALUE_MAX}
        clampBehavior="none"
        allowDecimal={false}
        value={rule[field] ?? ''}
        {...inputOf(field)}
        onChange={(value) => onChange({ [field]: typeof value === 'number' ? value : null })}
      />
    </Grid.Col>
  );
  return (
    <Grid>
      <Grid.Col span={{ base: 12, xs: 6, sm: 3 }}>
        <Choice
          label="Value"
          data={kinds}
          value={rule.coarse ?? FINE}
          {...inputOf('coarse')}
          onChange={chooseKind}
        />
      </Grid.Col>
      <Grid.Col span={{ base: 12, xs: 6, sm: 5 }}>
        <Choice
          label="Window"
          data={windows}
          disabled={isFine}
          value={String(rule.window)}
          {...inputOf('window')}
          onChange={(value) => onChange({ window: Number(value) })}
        />
      </Grid.Col>
      {isFine && fine('fine_from', 'From')}
      {isFine && fine('fine_to', 'To')}
    </Grid>
  );
}

/** What the values mean: an event, a range of revenue, or both. */
function MeaningFields({
  rule,
  events,
  inputOf,
  onChange,
}: RuleFieldsProps & Pick<ConversionRuleFieldsProps, 'events'>) {
  const eventLabel = labelOfEvent(events, rule.event ?? '');
  const revenue = (field: 'revenue_from' | 'revenue_to', label: string) => (
    <Grid.Col span={{ base: 6, sm: 4 }}>
      <MoneyInput
        label={label}
        value={rule[field]}
        {...inputOf(field)}
        onChange={(dollars) => onChange({ [field]: dollars })}
      />
    </Grid.Col>
  );
  return (
    <Grid>
      <Grid.Col span={{ base: 12, sm: 4 }}>
        <Autocomplete
          label="Event"
          {...(eventLabel !== null && { description: `Shown as “${eventLabel}”` })}
          {...(!isKnown(events) && { description: <UnknownSuggestions of={events} /> })}
          // In line with the fields next to it.
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          maxLength={limits.goalEventMax}
          {...eventOptions(events)}
          value={rule.event ?? ''}
          {...inputOf('event')}
          onChange={(event) => onChange({ event })}
        />
      </Grid.Col>
      {revenue('revenue_from', 'Revenue from')}
      {revenue('revenue_to', 'Revenue to')}
    </Grid>
  );
}
