import { z } from 'zod';
import { Timestamp } from '../lib/wire.ts';

/** Longest time after a bid for which in-app events count, days; the window of apps that set none. */
export const EVENT_WINDOW_DAYS_MAX = 180;

const windowError = `Enter 1 to ${EVENT_WINDOW_DAYS_MAX} days`;
const WindowDays = z
  .number(windowError)
  .int(windowError)
  .min(1, windowError)
  .max(EVENT_WINDOW_DAYS_MAX, windowError);

const windows = {
  /** An event counts if it happened at most this many days after the bid of its click. */
  click_window_days: WindowDays,
  /** The same for events after a view without a click. */
  view_window_days: WindowDays,
};

/** GET /app/{uuid}/events: the in-app events that were counted for an app, and how long after a bid they count. */
export const AppEvents = z.object({
  /** By name, at most 500. */
  events: z.array(
    z.object({
      name: z.string(),
      first_seen_at: Timestamp,
      /** Null where its last event is older than the postbacks that are stored. */
      last_seen_at: Timestamp.nullable(),
    }),
  ),
  ...windows,
});
export type AppEvents = z.infer<typeof AppEvents>;

/** The response of PUT /app/{uuid}/events. */
export const AppEventWindows = z.object(windows);
export type AppEventWindows = z.infer<typeof AppEventWindows>;

/** PUT /app/{uuid}/events: absent fields stay as they are. */
export const AppEventsUpdate = z.object(windows).partial();
export type AppEventsUpdate = z.infer<typeof AppEventsUpdate>;
