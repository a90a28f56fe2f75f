import type { AppEventOfName, PayerRule } from '@bidwell/contract/apps/event-settings';

/** When an event makes its person a payer, in a few words. */
export const payerTexts: Readonly<Record<PayerRule, string>> = {
  purchase: 'By purchase',
  always: 'Always',
  never: 'Never',
};

/** The events whose name or label contains the search, in any case. Pure. */
export function matchingEvents<Event extends Pick<AppEventOfName, 'name' | 'label'>>(
  events: readonly Event[],
  search: string,
): readonly Event[] {
  const text = search.trim().toLowerCase();
  return events.filter(({ name, label }) => `${name}\n${label ?? ''}`.toLowerCase().includes(text));
}
