import { limits } from '@bidwell/contract/lib/limits';
import { Button, Divider, Group, SimpleGrid, Stack, TextInput, type TextInputProps } from '@mantine/core';
import { DatePicker, type DatePickerProps } from '@mantine/dates';
import { useMediaQuery } from '@mantine/hooks';
import { type Ref, useRef, useState } from 'react';
import {
  type DateRange,
  PRESETS,
  type Preset,
  parseTypedDate,
  presetRange,
  typedDate,
} from '../../lib/format/date-presets.ts';
import { QuietButton } from '../layout/buttons.tsx';

interface RangeFormProps {
  value: DateRange;
  preset: Preset | 'Custom';
  today: string;
  onChoose: (range: DateRange, preset?: Preset) => void;
}

/** Content of the date range picker: presets, two date inputs and a calendar. */
export function RangeForm({ value, preset, today, onChoose }: RangeFormProps) {
  const narrow = useMediaQuery('(max-width: 600px)', undefined, { getInitialValueInEffect: false });
  const fromInput = useRef<HTMLInputElement>(null);
  const choosePreset = (name: Preset) => onChoose(presetRange(name, today), name);
  return (
    <Group align="stretch" gap="md" wrap={narrow ? 'wrap' : 'nowrap'} {...(narrow && { w: 262 })}>
      <PresetButtons
        preset={preset}
        narrow={narrow}
        onPreset={choosePreset}
        onCustom={() => fromInput.current?.select()}
      />
      {!narrow && <Divider orientation="vertical" />}
      <CustomRangeForm
        value={value}
        fromInput={fromInput}
        onApply={onChoose}
        onClear={() => choosePreset('Last 7 Days')}
      />
    </Group>
  );
}

interface PresetButtonsProps {
  preset: Preset | 'Custom';
  narrow: boolean;
  onPreset: (preset: Preset) => void;
  onCustom: () => void;
}

function PresetButtons({ preset, narrow, onPreset, onCustom }: PresetButtonsProps) {
  return (
    <SimpleGrid
      cols={narrow ? 2 : 1}
      spacing={2}
      verticalSpacing={2}
      w={narrow ? '100%' : 130}
      style={{ alignContent: 'start' }}
      role="group"
      aria-label="Presets"
    >
      {[...PRESETS, 'Custom' as const].map((name) => (
        <Button
          key={name}
          variant={preset === name ? 'light' : 'subtle'}
          color={preset === name ? undefined : 'gray'}
          aria-pressed={preset === name}
          justify="flex-start"
          size="compact-sm"
          onClick={() => (name === 'Custom' ? onCustom() : onPreset(name))}
        >
          {name}
        </Button>
      ))}
    </SimpleGrid>
  );
}

interface CustomRangeFormProps {
  value: DateRange;
  fromInput: React.RefObject<HTMLInputElement | null>;
  onApply: (range: DateRange) => void;
  onClear: () => void;
}

/** Two date inputs and a calendar that show the same range. */
function CustomRangeForm({ value, fromInput, onApply, onClear }: CustomRangeFormProps) {
  const [from, setFrom] = useState(typedDate(value.start));
  const [to, setTo] = useState(typedDate(value.end));
  const [month, setMonth] = useState(value.end);
  const [isSubmitted, setIsSubmitted] = useState(false);
  const toInput = useRef<HTMLInputElement>(null);
  const start = parseTypedDate(from);
  const end = parseTypedDate(to);
  const errors = rangeErrors(start, end);
  const apply = () => {
    if (from.trim() === '' && to.trim() === '') return onClear();
    if (!errors.from && !errors.to && start !== null && end !== null) return onApply({ start, end });
    setIsSubmitted(true);
    (errors.from ? fromInput : toInput).current?.focus();
  };
  const type = (set: (text: string) => void) => (text: string) => {
    set(text);
    const date = parseTypedDate(text);
    if (date !== null) setMonth(date);
  };
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        // React events bubble from the portal of the popover to a form around the picker, which must not submit.
        event.stopPropagation();
        apply();
      }}
    >
      <Stack gap="sm">
        <Group gap="xs" wrap="nowrap" align="flex-start">
          <TypedDateInput
            ref={fromInput}
            label="From"
            value={from}
            onType={type(setFrom)}
            error={isSubmitted && errors.from}
            data-autofocus
          />
          <TypedDateInput
            ref={toInput}
            label="To"
            value={to}
            onType={type(setTo)}
            error={isSubmitted && errors.to}
          />
        </Group>
        <RangeCalendar
          date={month}
          onDateChange={setMonth}
          value={end !== null && start !== null && end < start ? [start, null] : [start, end]}
          onChange={([first, last]) => {
            setFrom(first ? typedDate(first) : '');
            setTo(last ? typedDate(last) : '');
          }}
        />
        <Group justify="space-between">
          <QuietButton onClick={onClear}>Clear</QuietButton>
          <Button type="submit" size="compact-sm">
            Apply
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

/** The messages below the date inputs; null is a date that cannot be parsed. */
function rangeErrors(start: string | null, end: string | null): { from?: string; to?: string } {
  const format = 'Enter MM/DD/YYYY';
  return {
    ...(start === null && { from: format }),
    ...(end === null && { to: format }),
    ...(start !== null && end !== null && end < start && { to: 'Before From' }),
  };
}

interface TypedDateInputProps extends TextInputProps {
  ref: Ref<HTMLInputElement>;
  onType: (text: string) => void;
}

function TypedDateInput({ onType, ...props }: TypedDateInputProps) {
  return (
    <TextInput
      {...props}
      placeholder="MM/DD/YYYY"
      inputMode="numeric"
      autoComplete="off"
      onChange={(event) => onType(event.currentTarget.value)}
      w={126}
    />
  );
}

function RangeCalendar(props: DatePickerProps<'range'>) {
  return (
    <DatePicker
      {...props}
      type="range"
      allowSingleDateInRange
      hideOutsideDates
      weekendDays={[]}
      minDate={limits.dateMin}
      maxDate={limits.dateMax}
      ariaLabels={{
        nextMonth: 'Next month',
        previousMonth: 'Previous month',
        nextYear: 'Next year',
        previousYear: 'Previous year',
        nextDecade: 'Next decade',
        previousDecade: 'Previous decade',
      }}
    />
  );
}
