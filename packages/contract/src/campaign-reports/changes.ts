import { z } from 'zod';
import { ListedChange } from '../changes/schema.ts';
import { Rate } from '../lib/rate.ts';
import { CalendarDate, Timestamp } from '../lib/wire.ts';

/** Changes of a report, the newest of the range. */
export const CAMPAIGN_CHANGES_MAX = 100;
/** The longest time before and after a change that is compared, in days. */
export const COMPARED_DAYS_MAX = 7;
/** Changes of one entity within this time of each other count as one, in ms. */
export const TOGETHER_MS = 3_600_000;
/** Installs from which on install rate and CPI of a side are known. */
export const COMPARED_INSTALLS_MIN = 5;

const Side = z.object({
  impressions_per_day: z.number(),
  /** Dollars. */
  spend_per_day: z.number(),
  installs: z.number(),
  /** Clicks per hundred impressions. */
  ctr_rate: Rate.nullable(),
  /** Installs per thousand impressions; null with too few installs. */
  ipm_rate: Rate.nullable(),
  /** Dollars; null with too few installs. */
  cpi: z.number().nullable(),
});
export type ComparedSide = z.infer<typeof Side>;

export const ChangeComparison = z.discriminatedUnion('outcome', [
  z.object({
    outcome: z.literal('compared'),
    /** Whole days on each side. */
    days: z.number().int(),
    before: Side,
    after: Side,
  }),
  /** Less than a day since the change: `hours` so far. */
  z.object({ outcome: z.literal('too_early'), hours: z.number().int() }),
  /** Another change of the entity came less than a day before or after. */
  z.object({ outcome: z.literal('too_close') }),
]);
export type ChangeComparison = z.infer<typeof ChangeComparison>;

export const ComparedChange = ListedChange.extend({
  /** Other changes of the entity within an hour, which are compared together with this one. */
  together: z.number().int(),
  /** The entity's figures on both sides; null for a new entity, and for changes of name and description alone. */
  comparison: ChangeComparison.nullable(),
  /**
   * The spend of the ad set, in dollars, on the day of a change of its daily budget and on the next, by the company's days, which
   * budgets count by; none for other changes. Days of the comparison begin at the time of the change.
   */
  budget_days: z.array(z.object({ date: CalendarDate, spends: z.number() })),
});
export type ComparedChange = z.infer<typeof ComparedChange>;

/** GET /campaign/{uuid}/changes: the figures of a campaign over time, and the changes of it and its ad sets, newest first. */
export const CampaignChanges = z.object({
  changes: z.array(ComparedChange),
  /** All changes of the range. */
  total: z.number().int(),
  /** Length of a bucket. */
  group: z.enum(['hour', 'day', 'month']),
  /** Figures of the campaign by bucket, up to now. */
  points: z.array(
    z.object({
      bucket: z.string(),
      starts_at: Timestamp,
      impressions: z.number(),
      installs: z.number(),
      /** Dollars. */
      spends: z.number(),
    }),
  ),
});
export type CampaignChanges = z.infer<typeof CampaignChanges>;
