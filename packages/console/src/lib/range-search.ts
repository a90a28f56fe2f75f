import { useLocalStorage } from '@mantine/hooks';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useMemo } from 'react';
import type { DateRange, KeptRange, Preset } from './date-presets.ts';
import { isRange, keptPreset, presetOf, rangeOf, readKeptRange } from './date-presets.ts';
import { useToday } from './today.ts';

/** A choice of days, as a screen shows it and the picker changes it. */
export interface RangeChoice {
  range: DateRange;
  /** What the range is called; where two presets are the same days, the one that was chosen. */
  preset: Preset | 'Custom';
  /** Gets the preset too when the days were chosen by one. */
  choose: (range: DateRange, preset?: Preset) => void;
}

/**
 * The range of days in the address; without one, the last that was chosen in this browser, else the last 7 days. A preset
 * is kept by its name: This Week is another week when that has come.
 */
export function useRangeSearch(): RangeChoice {
  const { from, to } = useSearch({ strict: false }) as { from?: string; to?: string };
  const navigate = useNavigate();
  const today = useToday();
  const [kept, keep] = useLocalStorage<KeptRange | null>({
    key: 'bidwell.range',
    defaultValue: null,
    getInitialValueInEffect: false,
    deserialize: (text) => {
      try {
        return readKeptRange(JSON.parse(text ?? 'null'));
      } catch {
        return null;
      }
    },
  });
  const range = useMemo(
    () => (from && to && isRange(from, to) ? { start: from, end: to } : rangeOf(kept, today)),
    [from, to, kept, today],
  );
  const choose = (chosen: DateRange, by?: Preset): void => {
    keep(by ? { preset: by } : chosen);
    void navigate({
      to: '.',
      search: (before: object) => ({ ...before, from: chosen.start, to: chosen.end }),
      replace: true,
    });
  };
  return { range, preset: presetOf(range, today, keptPreset(kept)), choose };
}
