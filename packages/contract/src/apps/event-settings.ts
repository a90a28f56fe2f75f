import { z } from 'zod';
import { hasAtMost } from '../lib/characters.ts';
import { limits } from '../lib/limits.ts';
import { isVisibleName } from '../lib/visible-name.ts';
import { Timestamp } from '../lib/wire.ts';
import { messages } from '../text/messages.ts';
import { entityVersion } from '../lib/version.ts';

/** Longest time after a bid for which in-app events count, days; the window of apps that set none. */
export const EVENT_WINDOW_DAYS_MAX = 180;
/** Days after its bid until which an install counts. */
export const INSTALL_LATENESS_DAYS = 30;
/** Most names of in-app events of one app. */
export const APP_EVENT_NAMES_MAX = 500;
/** Most names in all apps of a company that always or never make a payer: each report reads them. */
export const PAYER_RULES_MAX = 100;
/** Longest label of an event, characters. */
export const EVENT_LABEL_MAX = 50;

const windowError = `Enter 1 to ${EVENT_WINDOW_DAYS_MAX} days`;
const WindowDays = z
  .number(windowError)
  .int(windowError)
  .min(1, windowError)
  .max(EVENT_WINDOW_DAYS_MAX, windowError);

const returnWindowError = `Enter 1 to ${INSTALL_LATENESS_DAYS} days`;
const ReturnWindowDays = z
  .number(returnWindowError)
  .int(returnWindowError)
  .min(1, returnWindowError)
  .max(INSTALL_LATENESS_DAYS, returnWindowError);

/**
 * The sources of revenue: `ad_revenue` is the income from ads in the app, if the partner marks it, and `purchases` is all other
 * revenue.
 */
export const REVENUE_SOURCES = ['purchases', 'ad_revenue'] as const;
export type RevenueSource = (typeof REVENUE_SOURCES)[number];

/** Whether an event makes its person a payer: with an amount above 0 that is no ad revenue (`purchase`), `always` or `never`. */
export const PAYER_RULES = ['purchase', 'always', 'never'] as const;
export type PayerRule = (typeof PAYER_RULES)[number];

const windows = {
  /** An event counts if it happened at most this many days after the bid of its click. */
  click_window_days: WindowDays,
  /** The same for events after a view without a click. */
  view_window_days: WindowDays,
  /** The return of a person counts for a re-engagement campaign at most this many days after the bid of its click. */
  re_engagement_click_window_days: ReturnWindowDays,
  /** The same for returns after a view without a click. */
  re_engagement_view_window_days: ReturnWindowDays,
};

/** The settings of an app for all of its events. */
export const AppEventSettings = z.object({
  ...windows,
  /** The revenue sources of the app, in all reports and for bids, also of the past. */
  revenue_sources: z.array(z.enum(REVENUE_SOURCES)).min(1, 'Choose at least one source'),
});
export type AppEventSettings = z.infer<typeof AppEventSettings>;

export const appEventSettingsVersion = entityVersion(AppEventSettings);

/** The settings of the events of one name. */
export const AppEventOfName = z.object({
  name: z.string(),
  /** Shown in place of the name; null for the name itself. */
  label: z.string().nullable(),
  /** Whether choices of events offer it. */
  offered: z.boolean(),
  payer: z.enum(PAYER_RULES),
});
export type AppEventOfName = z.infer<typeof AppEventOfName>;

/** GET /app/{uuid}/events: the in-app events that were counted for an app, by name, and how they are shown and count. */
export const AppEvents = AppEventSettings.extend({
  /** By name, at most 500. */
  events: z.array(
    AppEventOfName.extend({
      first_seen_at: Timestamp,
      /** Null where its last event is older than the postbacks that are stored. */
      last_seen_at: Timestamp.nullable(),
    }),
  ),
});
export type AppEvents = z.infer<typeof AppEvents>;

/** The response of PUT /app/{uuid}/events: the settings, and the settings of the events named in the update. */
export const AppEventsSaved = AppEventSettings.extend({ events: z.array(AppEventOfName) });
export type AppEventsSaved = z.infer<typeof AppEventsSaved>;

/** A label that is set; null and an empty one show the name. */
const Label = z
  .string()
  .trim()
  .refine((text) => hasAtMost(text, EVENT_LABEL_MAX), `At most ${EVENT_LABEL_MAX} characters`)
  .refine(isVisibleName, messages.nameHidden)
  .nullable()
  .transform((text) => text || null);

/** The settings of one name in an update. */
export const AppEventUpdate = z.object({
  name: z.string().min(1).max(limits.goalEventMax),
  label: Label.optional(),
  offered: z.boolean().optional(),
  payer: z.enum(PAYER_RULES).optional(),
});

/**
 * PUT /app/{uuid}/events: absent fields and names that `events` leaves out stay unchanged. Names in `events` have to be
 * names of the app.
 */
export const AppEventsUpdate = AppEventSettings.partial().extend({
  events: z.array(AppEventUpdate).max(APP_EVENT_NAMES_MAX).optional(),
});
export type AppEventsUpdate = z.infer<typeof AppEventsUpdate>;
