import type { Context } from '../../context.ts';
import type { LedJob } from '../../platform/jobs/leadership.ts';
import { startApprovedCampaigns } from './start.ts';

/** The jobs of campaigns. An approved campaign starts by itself within five seconds. */
export const campaignJobs = (ctx: Context): LedJob[] => [
  { name: 'start approved campaigns', everyMs: 5000, work: () => startApprovedCampaigns(ctx) },
];
