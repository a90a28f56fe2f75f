import { z } from 'zod';
import { REVENUE_SOURCES } from '../apps/event-settings.ts';

/** Conversions in 7 days from which the values of Target CPA and Target ROAS are reliable. */
export const LEARNED_CONVERSIONS = 50;

/** The data from which an ad set with Target CPA or Target ROAS learns: the data about its app from all ad sets. */
export const GoalLearning = z.object({
  /** Name of the goal event; null for revenue. */
  event: z.string().nullable(),
  /** The revenue sources of the app; empty for an event. */
  revenue_sources: z.array(z.enum(REVENUE_SOURCES)),
  /** People with the goal event, or with revenue, in the last 7 days. */
  conversions: z.number().int(),
  needed: z.number().int(),
  /**
   * Standard error of the average value of an install, in percent, by the people of the last 30 days from whom it is learned; null
   * without any.
   */
  expected_error_percent: z.number().nullable(),
});
export type GoalLearning = z.infer<typeof GoalLearning>;
