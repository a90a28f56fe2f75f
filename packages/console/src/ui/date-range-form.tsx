import { limits } from '@bidwell/contract/limits';
import { Button, Divider, Group, SimpleGrid, Stack, TextInput } from '@mantine/core';
import { DatePicker } from '@mantine/dates';
import { useMediaQuery } from '@mantine/hooks';
import { useRef, useState } from 'react';
import type { DateRange, Preset } from '../lib/date-presets.ts';
import { PRESETS, parseTypedDate, presetRange, typedDate } from '../lib/date-presets.ts';

interface RangeFormProps {
  value: DateRange;
  preset: Preset | 'Custom';
  today: string;
  onChoose: (range: DateRange, preset?: Preset) => void;
}

/** Content of the date range picker: presets, two date inputs and a calendar. */
export function RangeForm({ value, preset, today, onChoose }: RangeFormProps) {
  const narrow = useMediaQuery('(max-width: 600px)', undefined, { getInitialValueInEffect: false });
  const [from, setFrom] = useState(typedDate(value.start));
  const [to, setTo] = useState(typedDate(value.end));
  const [month, setMonth] = useState(value.end);
  const [asked, setAsked] = useState(false);
  const fromInput = useRef<HTMLInputElement>(null);
  const toInput = useRef<HTMLInputElement>(null);
  const start = parseTypedDate(from);
  const end = parseTypedDate(to);
  const fromError = start === null ? 'Write MM/DD/YYYY' : undefined;
  const toError =
    end === null ? 'Write MM/DD/YYYY' : start !== null && end < start ? 'Before From' : undefined;
  const clear = () => onChoose(presetRange('Last 7 Days', today), 'Last 7 Days');
  const apply = () => {
    if (from.trim() === '' && to.trim() === '') return clear();
    if (fromError === undefined && toError === undefined && start !== null && end !== null)
      return onChoose({ start, end });
    setAsked(true);
    (fromError === undefined ? toInput : fromInput).current?.focus();
  };
  const type = (set: (text: string) => void) => (event: React.ChangeEvent<HTMLInputElement>) => {
    const text = event.currentTarget.value;
    set(text);
    const date = parseTypedDate(text);
    if (date !== null) setMonth(date);
  };
  return (
    <Group align="stretch" gap="md" wrap={narrow ? 'wrap' : 'nowrap'} {...(narrow && { w: 262 })}>
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
            onClick={() =>
              name === 'Custom' ? fromInput.current?.select() : onChoose(presetRange(name, today), name)
            }
          >
            {name}
          </Button>
        ))}
      </SimpleGrid>
      {!narrow && <Divider orientation="vertical" />}
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
            <TextInput
              ref={fromInput}
              label="From"
              placeholder="MM/DD/YYYY"
              inputMode="numeric"
              autoComplete="off"
              value={from}
              onChange={type(setFrom)}
              error={asked && fromError}
              w={126}
              data-autofocus
            />
            <TextInput
              ref={toInput}
              label="To"
              placeholder="MM/DD/YYYY"
              inputMode="numeric"
              autoComplete="off"
              value={to}
              onChange={type(setTo)}
              error={asked && toError}
              w={126}
            />
          </Group>
          <DatePicker
            type="range"
            allowSingleDateInRange
            hideOutsideDates
            weekendDays={[]}
            minDate={limits.dateMin}
            maxDate={limits.dateMax}
            date={month}
            onDateChange={setMonth}
            value={end !== null && start !== null && end < start ? [start, null] : [start, end]}
            onChange={([first, last]) => {
              setFrom(first ? typedDate(first) : '');
              setTo(last ? typedDate(last) : '');
            }}
            ariaLabels={{
              nextMonth: 'Next month',
              previousMonth: 'Previous month',
              nextYear: 'Next year',
              previousYear: 'Previous year',
              nextDecade: 'Next decade',
              previousDecade: 'Previous decade',
            }}
          />
          <Group justify="space-between">
            <Button variant="subtle" color="gray" size="compact-sm" onClick={clear}>
              Clear
            </Button>
            <Button type="submit" size="compact-sm">
              Apply
            </Button>
          </Group>
        </Stack>
      </form>
    </Group>
  );
}
