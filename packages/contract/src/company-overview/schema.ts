import { z } from 'zod';
import { OwnCompany } from '../accounts/people.ts';

/** What a person has to do before they can act for a company, or null. */
const Requirement = z.enum(['single_sign_on', 'second_factor']).nullable();

const dollars = z.number().nullable();
const count = z.number().int().nullable();

/**
 * A company of the caller with its figures. A figure is null where the caller's role there does not allow it, where `requires` is
 * not null, and where it could not be read in time.
 */
export const CompanySummary = OwnCompany.extend({
  /** Sign in at the company's provider, or set up a second factor, before its figures are shown. */
  requires: Requirement,
  /** Dollars since midnight in the company's time zone, and in the last 7 days with today. */
  spend_today: dollars,
  spend_7_days: dollars,
  /** In dollars. */
  balance: dollars,
  active_campaigns: count,
  /** Unread ones among the latest notifications that are critical or warnings. */
  unread_warnings: count,
  /** True where a figure that the caller may see could not be read in time. */
  is_incomplete: z.boolean(),
});
export type CompanySummary = z.infer<typeof CompanySummary>;
