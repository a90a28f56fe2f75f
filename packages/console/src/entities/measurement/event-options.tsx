import type { InAppEvents } from '@bidwell/contract/measurement/schema';
import type { AutocompleteProps } from '@mantine/core';
import { EventName } from './event-name.tsx';

/** An event whose name has been seen. */
export type KnownEvent = Pick<InAppEvents, 'name' | 'label' | 'offered'>;

/** Further names are counted under this one, which is no event's name. */
const OTHER_NAMES = '(other)';

/** Options of a choice of events by name, which shows and finds their labels too: those that are offered. */
export function eventOptions(
  events: readonly KnownEvent[] = [],
): Required<Pick<AutocompleteProps, 'data' | 'renderOption' | 'filter'>> {
  const labels = new Map(events.map(({ name, label }) => [name, label]));
  return {
    data: events.filter(({ name, offered }) => offered && name !== OTHER_NAMES).map(({ name }) => name),
    renderOption: ({ option: { value } }) => <EventName name={value} label={labels.get(value) ?? null} />,
    filter: ({ options, search }) => {
      const text = search.trim().toLowerCase();
      return options.filter(
        (option) =>
          'value' in option &&
          `${option.value}\n${labels.get(option.value) ?? ''}`.toLowerCase().includes(text),
      );
    },
  };
}

/** The label of an event; null without one. */
export function labelOfEvent(events: readonly KnownEvent[] = [], name: string): string | null {
  return events.find((event) => event.name === name)?.label ?? null;
}
