import { Popover } from '@mantine/core';
import { IconCalendar } from '@tabler/icons-react';
import { useState } from 'react';
import { useKnown } from '../../lib/loadable.ts';
import type { DateRange, Preset } from '../../lib/format/date-presets.ts';
import { formatDay } from '../../lib/format/format.ts';
import type { RangeChoice } from '../../lib/range-search.ts';
import { toastError } from '../../lib/toast.ts';
import { accountQuery } from '../../lib/api/account.ts';
import { useToday } from '../../lib/today.ts';
import { SecondaryButton } from '../layout/buttons.tsx';
import { Caption } from '../layout/text.tsx';
import type { RangeForm } from './date-range-form.tsx';
import { actionCode } from '../../lib/load-code.ts';

/** Selects a range of days by presets, a calendar, or input as MM/DD/YYYY. Clearing it selects the last 7 days. */
export function DateRangePicker({ choice: { range, preset, choose } }: { choice: RangeChoice }) {
  const [opened, setOpened] = useState(false);
  const [Form, setForm] = useState<typeof RangeForm>();
  const today = useToday();
  const zone = useOtherZone();
  const days =
    range.start === range.end
      ? formatDay(range.start)
      : `${formatDay(range.start)} – ${formatDay(range.end)}`;
  const chooseAndClose = (chosen: DateRange, by?: Preset) => {
    choose(chosen, by);
    setOpened(false);
  };
  // The calendar is large and rarely used: it loads when the button is hovered or focused; the popover opens after
  // that.
  const fetchForm = async () => {
    const { RangeForm: form } = await actionCode(() => import('./date-range-form.tsx'));
    setForm(() => form);
  };
  const toggle = () => {
    setOpened(!opened);
    fetchForm().catch((error: unknown) => {
      setOpened(false);
      toastError(error);
    });
  };
  const fetchEarly = () => void fetchForm().catch(() => {});
  return (
    <Popover
      opened={opened && Form !== undefined}
      onChange={setOpened}
      position="bottom-end"
      shadow="md"
      trapFocus
      returnFocus
      withinPortal
    >
      <Popover.Target>
        <SecondaryButton
          leftSection={<IconCalendar size={16} />}
          onClick={toggle}
          onPointerEnter={fetchEarly}
          onFocus={fetchEarly}
          aria-label={`Date range: ${preset}, ${days}${zone ? `, days of ${zone}` : ''}`}
        >
          {preset === 'Custom' ? days : `${preset}: ${days}`}
          {zone && (
            <Caption span ml={8} fw={400}>
              {zone}
            </Caption>
          )}
        </SecondaryButton>
      </Popover.Target>
      <Popover.Dropdown aria-label="Date range" maw="calc(100vw - 24px)">
        {opened && Form && <Form value={range} preset={preset} today={today} onChoose={chooseAndClose} />}
      </Popover.Dropdown>
    </Popover>
  );
}

/** The company's time zone where it is another than the browser's: its days begin at another time. Null where it is the same, or not known. */
function useOtherZone(): string | null {
  const user = useKnown(accountQuery);
  if (!user) return null;
  const { time_zone: zone } = user.company;
  return zone === browserZone() ? null : zone;
}

const browserZone = (): string => new Intl.DateTimeFormat().resolvedOptions().timeZone;
