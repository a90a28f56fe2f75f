import type { InAppEvents } from '@bidwell/contract/measurement/schema';
import type { AutocompleteProps } from '@mantine/core';
import { type Loadable, isKnown } from '../../lib/loadable.ts';
import { EventName } from './event-name.tsx';

/** An event whose name has been seen. */
export type KnownEvent = Pick<InAppEvents, 'name' | 'label' | 'offered'>;

/** Further names are counted under this one, which is no event's name. */
const OTHER_NAMES = '(other)';

/**
 * Suggestions of a field for the name of an event, which also shows and finds their labels. While they are not known the field
 * takes any name, and says so by UnknownSuggestions.
 */
export function eventOptions(
  suggestions: Loadable<readonly KnownEvent[]>,
): Required<Pick<AutocompleteProps, 'data' | 'renderOption' | 'filter'>> {
  const events = isKnown(suggestions) ? suggestions.data : noSuggestions;
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

const noSuggestions: readonly KnownEvent[] = [];

/** The label of an event; null without one, and while it is not known. */
export function labelOfEvent(events: Loadable<readonly KnownEvent[]>, name: string): string | null {
  const event = isKnown(events) && events.data.find((one) => one.name === name);
  return event ? event.label : null;
}
