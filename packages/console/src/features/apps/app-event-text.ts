import type { AppEventOfName, AppEventSettings, PayerRule } from '@bidwell/contract/apps/event-settings';

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

/** The settings that differ from the saved ones. Pure. */
export function changedSettings(
  saved: AppEventSettings,
  values: AppEventSettings,
): Partial<AppEventSettings> {
  const { click_window_days: clickDays, view_window_days: viewDays, revenue_sources: sources } = values;
  return {
    ...(clickDays !== saved.click_window_days && { click_window_days: clickDays }),
    ...(viewDays !== saved.view_window_days && { view_window_days: viewDays }),
    ...(sources.join() !== saved.revenue_sources.join() && { revenue_sources: sources }),
  };
}
