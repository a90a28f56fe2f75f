import {
  CAP_LIMITS,
  CAP_UNITS,
  type CapUnit,
  type FrequencyCap,
  capMinutes,
  capTime,
  capUnitName,
  capsError,
  capsText,
} from '@bidwell/contract/frequency/caps';
import { Button, Input, NumberInput, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { Choice } from '../../../ui/form/choice.tsx';
import { ErrorText } from '../../../ui/form/error-text.tsx';
import { RemovableRow } from '../../../ui/form/removable-row.tsx';
import { Caption } from '../../../ui/layout/text.tsx';

interface CapsFieldProps {
  /** In the order in which they were added. */
  value: readonly FrequencyCap[];
  onChange: (caps: FrequencyCap[]) => void;
  error: string | undefined;
  /** Whose impressions count. */
  of: 'ad set' | 'campaign';
}

/** Times that are offered for a new cap, the first that is not there. */
const FIRST_TIMES = [1440, 7 * 1440, 30 * 1440, 60, 1];
const HIGHEST_COUNT = { minutes: 43_200, hours: 720, days: 30 } as const;

/** The frequency caps of an ad set or a campaign, one in a row: impressions in a number of minutes, hours or days. */
export function CapsField({ value, onChange, error, of }: CapsFieldProps) {
  // A time of 24 hours is one day: the unit that a person chose stays while they type.
  const [chosen, setChosen] = useState<readonly (CapUnit | undefined)[]>([]);
  const change = (index: number, changes: Partial<FrequencyCap>) =>
    onChange(value.map((cap, at) => (at === index ? { ...cap, ...changes } : cap)));
  const remove = (index: number) => {
    setChosen(chosen.filter((_unit, at) => at !== index));
    onChange(value.filter((_cap, at) => at !== index));
  };
  const choose = (index: number, unit: CapUnit) =>
    setChosen(Array.from({ length: value.length }, (_, at) => (at === index ? unit : chosen[at])));
  return (
    <Stack gap={6} role="group" aria-label="Frequency caps">
      <Input.Label labelElement="div">Frequency caps</Input.Label>
      <Caption>{summaryOf(value, of)}</Caption>
      {value.map((cap, index) => {
        const { count, unit } = timeOf(cap.minutes, chosen[index]);
        const number = `Cap ${index + 1}`;
        return (
          <RemovableRow key={index} remove={`Remove cap ${index + 1}`} onRemove={() => remove(index)}>
            <NumberInput
              w={90}
              aria-label={`${number}: impressions`}
              min={1}
              max={CAP_LIMITS.impressionsMax}
              allowDecimal={false}
              allowNegative={false}
              value={cap.impressions || ''}
              onChange={(impressions) => change(index, { impressions: Number(impressions) })}
            />
            <Text size="sm">impressions in</Text>
            <NumberInput
              w={90}
              aria-label={`${number}: time`}
              min={1}
              max={HIGHEST_COUNT[unit]}
              allowDecimal={false}
              allowNegative={false}
              value={count || ''}
              onChange={(time) => {
                choose(index, unit);
                change(index, { minutes: capMinutes(Number(time), unit) });
              }}
            />
            <Choice<CapUnit>
              w={115}
              aria-label={`${number}: unit`}
              data={CAP_UNITS.map((one) => ({ value: one, label: capUnitName(one, count) }))}
              value={unit}
              onChange={(next) => {
                if (!next) return;
                choose(index, next);
                change(index, { minutes: capMinutes(count, next) });
              }}
            />
          </RemovableRow>
        );
      })}
      {error !== undefined && <ErrorText>{error}</ErrorText>}
      {value.length < CAP_LIMITS.capsMax && (
        <Button
          size="compact-sm"
          variant="light"
          style={{ alignSelf: 'flex-start' }}
          onClick={() => onChange([...value, newCap(value)])}
        >
          Add a frequency cap
        </Button>
      )}
    </Stack>
  );
}

/** The time of a cap in the chosen unit, or in its largest whole one. */
function timeOf(minutes: number, chosen: CapUnit | undefined): { count: number; unit: CapUnit } {
  if (chosen === undefined || minutes % capMinutes(1, chosen) !== 0) return capTime(minutes);
  return { count: minutes / capMinutes(1, chosen), unit: chosen };
}

function newCap(value: readonly FrequencyCap[]): FrequencyCap {
  const minutes = FIRST_TIMES.find((time) => value.every((cap) => cap.minutes !== time)) ?? 1;
  const shorter = value.filter((cap) => cap.minutes < minutes).map(({ impressions }) => impressions);
  return { impressions: Math.max(2, ...shorter) + 1, minutes };
}

/** What the caps mean; what they are for, where there is none or they do not go together. */
function summaryOf(caps: readonly FrequencyCap[], of: CapsFieldProps['of']): string {
  const isWhole = caps.every(({ impressions, minutes }) => impressions > 0 && minutes > 0);
  if (caps.length === 0 || !isWhole || capsError(caps) !== null)
    return of === 'campaign'
      ? 'How often one person sees the ads of the campaign, of all ad sets together'
      : 'How often one person sees the ads of the ad set';
  const byTime = caps.toSorted((a, b) => a.minutes - b.minutes);
  return `Impressions to one person${of === 'campaign' ? ', of all ad sets together' : ''}: ${capsText(byTime)}. The time is rolling: it ends with each bid, and does not follow calendar days.`;
}
