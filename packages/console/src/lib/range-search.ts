import { useLocalStorage } from '@mantine/hooks';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useMemo } from 'react';
import {
  DEFAULT_PRESET,
  type DateRange,
  type Preset,
  type StoredRange,
  isRange,
  presetOf,
  rangeOf,
  readStoredRange,
  storedPreset,
} from './format/date-presets.ts';
import { useToday } from './today.ts';

/** The selected range of days, as a screen shows it and the picker changes it. */
export interface RangeChoice {
  range: DateRange;
  /** The name of the range; where two presets are the same days, the one that was selected. */
  preset: Preset | 'Custom';
  /** Called with the preset as well when the days were selected by one. */
  choose: (range: DateRange, preset?: Preset) => void;
}

/**
 * The range of days in the URL; without one, the last selected in this browser, else the days of `fallback`, by
 * default the last 7 days. A preset is stored by its name: This Week stays the current week.
 */
export function useRangeSearch(fallback: Preset = DEFAULT_PRESET): RangeChoice {
  const { from, to } = useSearch({ strict: false }) as { from?: string; to?: string };
  const navigate = useNavigate();
  const today = useToday();
  const [stored, store] = useLocalStorage<StoredRange | null>({
    key: 'bidwell.range',
    defaultValue: null,
    getInitialValueInEffect: false,
    deserialize: (text) => {
      try {
        return readStoredRange(JSON.parse(text ?? 'null'));
      } catch {
        return null;
      }
    },
  });
  const range = useMemo(
    () => (from && to && isRange(from, to) ? { start: from, end: to } : rangeOf(stored, today, fallback)),
    [from, to, stored, today, fallback],
  );
  const choose = (chosen: DateRange, by?: Preset): void => {
    store(by ? { preset: by } : chosen);
    void navigate({
      to: '.',
      search: (before: object) => ({ ...before, from: chosen.start, to: chosen.end }),
      replace: true,
    });
  };
  return { range, preset: presetOf(range, today, storedPreset(stored, fallback)), choose };
}
