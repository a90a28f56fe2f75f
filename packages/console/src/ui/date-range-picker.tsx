import { Button, Divider, Group, Popover, Stack } from '@mantine/core';
import { DateInput, DatePicker } from '@mantine/dates';
import { useMediaQuery } from '@mantine/hooks';
import { IconCalendar } from '@tabler/icons-react';
import dayjs from 'dayjs';
import { useState } from 'react';
import { formatDay } from '../lib/format.ts';
import type { DateRange } from './date-presets.ts';
import { datePresets, lastDays, presetOf } from './date-presets.ts';

interface DateRangePickerProps {
  value: DateRange;
  onChange: (range: DateRange) => void;
}

/** Chooses a range of days: presets, a calendar, or typed as MM/DD/YYYY. Clearing it means the last 7 days. */
export function DateRangePicker({ value, onChange }: DateRangePickerProps) {
  const [opened, setOpened] = useState(false);
  const [draft, setDraft] = useState<[string | null, string | null]>([value.start, value.end]);
  const narrow = useMediaQuery('(max-width: 600px)');
  const today = dayjs().format('YYYY-MM-DD');
  const choose = (range: DateRange) => {
    onChange(range);
    setDraft([range.start, range.end]);
    setOpened(false);
  };
  const toggle = () => {
    setDraft([value.start, value.end]);
    setOpened(!opened);
  };
  const [start, end] = draft;
  const complete = start !== null && end !== null && start <= end;
  return (
    <Popover opened={opened} onChange={setOpened} position="bottom-end" shadow="md" trapFocus>
      <Popover.Target>
        <Button
          variant="default"
          leftSection={<IconCalendar size={16} />}
          onClick={toggle}
          aria-label="Date range"
        >
          {presetOf(value, today) === 'Custom' ? '' : `${presetOf(value, today)}: `}
          {formatDay(value.start)} – {formatDay(value.end)}
        </Button>
      </Popover.Target>
      <Popover.Dropdown>
        <Group align="flex-start" wrap={narrow ? 'wrap' : 'nowrap'}>
          <Stack gap={2} w={narrow ? '100%' : 130}>
            {datePresets(today).map(({ label, range }) => (
              <Button
                key={label}
                variant={presetOf(value, today) === label ? 'light' : 'subtle'}
                color="gray"
                justify="flex-start"
                size="compact-sm"
                onClick={() => choose(range)}
              >
                {label}
              </Button>
            ))}
          </Stack>
          {!narrow && <Divider orientation="vertical" />}
          <Stack gap="sm">
            <Group gap="xs" wrap="nowrap">
              <DateInput
                label="From"
                valueFormat="MM/DD/YYYY"
                value={start}
                onChange={(date) => setDraft([date, end])}
                w={130}
                popoverProps={{ disabled: true }}
              />
              <DateInput
                label="To"
                valueFormat="MM/DD/YYYY"
                value={end}
                onChange={(date) => setDraft([start, date])}
                w={130}
                popoverProps={{ disabled: true }}
              />
            </Group>
            <DatePicker type="range" allowSingleDateInRange value={draft} onChange={setDraft} />
            <Group justify="space-between">
              <Button
                variant="subtle"
                color="gray"
                size="compact-sm"
                onClick={() => choose(lastDays(7, today))}
              >
                Clear
              </Button>
              <Button
                size="compact-sm"
                disabled={!complete}
                onClick={() => complete && choose({ start, end })}
              >
                Apply
              </Button>
            </Group>
          </Stack>
        </Group>
      </Popover.Dropdown>
    </Popover>
  );
}
