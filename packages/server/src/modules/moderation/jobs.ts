import type { Context } from '../../context.ts';
import type { LedJob } from '../../platform/jobs/leadership.ts';
import { PLAN_EVERY_MS, planExchangeReviews } from './exchange-reviews/review-messages.ts';

/** The jobs of moderation. Creatives are looked for every 15 seconds, or `everyMs` milliseconds where that is longer. */
export const moderationJobs = (ctx: Context, everyMs: number): LedJob[] => [
  {
    name: 'submit creatives to exchanges for review',
    everyMs: Math.max(PLAN_EVERY_MS, everyMs),
    work: () => planExchangeReviews(ctx),
    // The use of creatives is counted.
    readsEvents: true,
  },
];
