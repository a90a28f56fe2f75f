import { z } from 'zod';
import { Mmp } from '../apps/fields.ts';
import { Timestamp } from '../lib/wire.ts';

/** Why a postback about an event in the app counts nothing. */
export const UNCOUNTED_EVENT_REASONS = [
  /** Its click id is not one of the company's. */
  'unknown_click',
  'no_click_id',
  /** Neither a click nor a view is stored for its click id. */
  'no_touchpoint',
  /** It happened before its click or view. */
  'before_click',
  /** It happened after the window of its app. */
  'after_window',
  'reported_late',
  'in_future',
  /** The partner rejected the event, or the install before it. */
  'rejected',
  'install_rejected',
  /** It came to the address in a link, which devices see. */
  'device_address',
  /** It is about something outside the app, such as an uninstall, a click or an update of costs. */
  'no_activity',
] as const;
export type UncountedEventReason = (typeof UNCOUNTED_EVENT_REASONS)[number];

/** Postbacks of a partner about events in the app that count, but whose time cannot be read: they are dated as they arrived. */
export const UnreadTimes = z.object({
  mmp: Mmp,
  count: z.number().int(),
  last_at: Timestamp,
  /** The time of the newest of them as the partner sent it, its first 50 characters. */
  example: z.string(),
});
export type UnreadTimes = z.infer<typeof UnreadTimes>;

/** Most examples of a partner and a reason. */
export const UNCOUNTED_EXAMPLES_MAX = 3;

/** Postbacks of a partner about events in the app that count nothing, for one reason. */
export const UncountedEvents = z.object({
  mmp: Mmp,
  reason: z.enum(UNCOUNTED_EVENT_REASONS),
  count: z.number().int(),
  last_at: Timestamp,
  /** The newest of them. */
  examples: z.array(
    z.object({
      at: Timestamp,
      /** As the partner names the event; null where the parameters of its postback are not stored. */
      name: z.string().nullable(),
      /** When it happened by the partner; null where it does not say. */
      event_at: Timestamp.nullable(),
      /** Its first 300 characters; '' for none. */
      click_id: z.string(),
    }),
  ),
});
export type UncountedEvents = z.infer<typeof UncountedEvents>;
