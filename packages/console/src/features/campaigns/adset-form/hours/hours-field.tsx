import { Button, Group, Stack, Switch, Text } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import {
  type Hours,
  HoursInput,
  type HoursZone,
  WEEK_HOURS,
  hoursOf,
  hoursWords,
  openHours,
  weekOf,
} from '@bidwell/contract/adsets/hours';
import { useState } from 'react';
import { useTimeZone } from '../../../../lib/today.ts';
import { ErrorText } from '../../../../ui/form/error-text.tsx';
import { Choice } from '../../../../ui/form/choice.tsx';
import type { AdsetFieldsProps } from '../adset-fields-props.ts';
import { Field } from '../../form/field.tsx';
import { HoursGrid } from './hours-grid.tsx';

const workDay = [[8, 22]];
const WEEKDAYS_8_TO_22: Hours = HoursInput.parse({
  mon: workDay,
  tue: workDay,
  wed: workDay,
  thu: workDay,
  fri: workDay,
})!;
const ALWAYS: Hours = weekOf(new Uint8Array(WEEK_HOURS).fill(1));
const PRESETS = [
  { name: 'Weekdays 8–22', hours: WEEKDAYS_8_TO_22 },
  { name: 'Always', hours: ALWAYS },
] as const;

/**
 * The hours of a week in which an ad set bids; folded away until they are used. All hours are stored as none, and the grid stays open
 * while they are edited.
 */
export function HoursField({ values, onChange, errors, prefix = '' }: AdsetFieldsProps) {
  const { hours } = values;
  const [isOpened, setIsOpened] = useState(false);
  const isOpen = isOpened || hours !== null;
  return (
    <Field path={`${prefix}hours`}>
      <Stack gap="sm">
        <Switch
          label="Bid only at some hours"
          checked={isOpen}
          onChange={({ currentTarget: { checked } }) => {
            setIsOpened(checked);
            onChange({ hours: checked ? WEEKDAYS_8_TO_22 : null });
          }}
        />
        {isOpen && (
          <OpenHours
            hours={hours ?? ALWAYS}
            zone={values.hours_zone}
            onChange={(changes) => {
              setIsOpened(true);
              onChange(changes);
            }}
          />
        )}
        {errors['hours'] !== undefined && <ErrorText>{errors['hours']}</ErrorText>}
      </Stack>
    </Field>
  );
}

interface OpenHoursProps {
  hours: Hours;
  zone: HoursZone;
  onChange: AdsetFieldsProps['onChange'];
}

function OpenHours({ hours, zone, onChange }: OpenHoursProps) {
  const tall = useMediaQuery('(max-width: 36em)', undefined, { getInitialValueInEffect: false });
  const timeZone = useTimeZone();
  const change = (next: Hours) => onChange({ hours: hoursOf(openHours(next)) });
  const count = openHours(hours).reduce((sum, hour) => sum + hour, 0);
  return (
    <>
      <Choice
        label="Time zone"
        description={
          zone === 'device'
            ? 'A device that does not say its time counts in the zone of its region or country, or else of the company.'
            : 'By this clock in all countries, also for devices in another time zone.'
        }
        data={[
          { value: 'company', label: `The company’s: ${timeZone}` },
          { value: 'device', label: 'The device’s own' },
        ]}
        value={zone}
        onChange={(next) => onChange({ hours_zone: next === 'device' ? 'device' : 'company' })}
      />
      <Group gap="xs">
        {PRESETS.map((preset) => (
          <Button key={preset.name} size="compact-sm" variant="light" onClick={() => change(preset.hours)}>
            {preset.name}
          </Button>
        ))}
      </Group>
      <HoursGrid hours={hours} onChange={change} tall={tall} />
      <Text size="sm" role="status">
        {count === 0
          ? 'The ad set never bids: open some hours.'
          : count === WEEK_HOURS
            ? 'Bids at all hours.'
            : `Bids ${hoursWords(hours, zone)}: ${count} of the ${WEEK_HOURS} hours of a week.`}
      </Text>
    </>
  );
}
