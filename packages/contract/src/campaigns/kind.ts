import { z } from 'zod';

/**
 * What a campaign buys: `acquisition`, installs of people who do not have the app; `re_engagement`, the return of people who have it. Its
 * figures are never mixed with figures of the other kind.
 */
export const CAMPAIGN_KINDS = ['acquisition', 're_engagement'] as const;
export const CampaignKind = z.enum(CAMPAIGN_KINDS);
export type CampaignKind = z.infer<typeof CampaignKind>;
