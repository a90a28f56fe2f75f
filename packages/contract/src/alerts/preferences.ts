import { z } from 'zod';
import { isTimeZone } from '../lib/calendar.ts';
import { accountMessages } from '../accounts/messages.ts';
import { companyAlertMessages } from './messages.ts';
import { ALERT_KINDS } from './kinds.ts';
import { AlertKinds } from './schema.ts';
import { entityVersion } from '../lib/version.ts';

/** When alerts are mailed; `off` for never. */
export const ALERT_FREQUENCIES = ['at_once', 'hourly', 'daily', 'off'] as const;
export type AlertFrequency = (typeof ALERT_FREQUENCIES)[number];

const Hour = z.number().int().min(0).max(23);

/** PUT /alerts/preferences: the mail preferences of a person for the company that they act for. */
export const AlertPreferencesInput = z
  .object({
    kinds: AlertKinds,
    frequency: z.enum(ALERT_FREQUENCIES),
    /** The hour of the daily mail. */
    daily_hour: Hour,
    /** No mails are sent from the beginning of this hour to the beginning of `quiet_until`; null for no quiet hours. */
    quiet_from: Hour.nullable(),
    quiet_until: Hour.nullable(),
    time_zone: z.string().max(64).refine(isTimeZone, accountMessages.timeZone),
  })
  .refine(({ quiet_from, quiet_until }) => (quiet_from === null) === (quiet_until === null), {
    path: ['quiet_until'],
    error: companyAlertMessages.quietHours,
  })
  .refine(({ quiet_from, quiet_until }) => quiet_from === null || quiet_from !== quiet_until, {
    path: ['quiet_until'],
    error: companyAlertMessages.quietHours,
  });
export type AlertPreferencesInput = z.infer<typeof AlertPreferencesInput>;

/** The mail preferences of a person. */
export const AlertPreferences = z.object({
  kinds: z.array(z.enum(ALERT_KINDS)),
  frequency: z.enum(ALERT_FREQUENCIES),
  daily_hour: Hour,
  quiet_from: Hour.nullable(),
  quiet_until: Hour.nullable(),
  time_zone: z.string(),
  /** The address to which mails go. */
  email: z.string(),
  /** Whether the server sends mails. */
  is_mailed: z.boolean(),
});
export type AlertPreferences = z.infer<typeof AlertPreferences>;

export const alertPreferencesVersion = entityVersion(AlertPreferences, ['email', 'is_mailed']);

/** Path of the call that ends mails without a login. */
export const UnsubscribeParams = z.object({ token: z.string().min(1).max(200) });
