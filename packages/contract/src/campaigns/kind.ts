import { z } from 'zod';
import type { Algorithm } from '../adsets/goals.ts';

/**
 * What a campaign buys: `acquisition`, installs of people who do not have the app; `re_engagement`, the return of people who have it. Its
 * figures are never mixed with figures of the other kind.
 */
export const CAMPAIGN_KINDS = ['acquisition', 're_engagement'] as const;
export const CampaignKind = z.enum(CAMPAIGN_KINDS);
export type CampaignKind = z.infer<typeof CampaignKind>;

/** What screens call the kinds. */
export const CAMPAIGN_KIND_NAMES: Readonly<Record<CampaignKind, string>> = {
  acquisition: 'Acquisition',
  re_engagement: 'Re-engagement',
};

/** The bid strategy that ad sets of re-engagement campaigns have: the others learn from installs, which these do not buy. */
export const RE_ENGAGEMENT_ALGORITHM: Algorithm = 'Manual CPM';

/** Whether ad sets of a campaign may have a bid strategy, as far as its kind is concerned. */
export const isAlgorithmOf = (kind: CampaignKind, algorithm: Algorithm | null): boolean =>
  kind === 'acquisition' || algorithm === null || algorithm === RE_ENGAGEMENT_ALGORITHM;
