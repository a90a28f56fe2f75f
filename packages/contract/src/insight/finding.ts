import { z } from 'zod';
import { Estimate } from './estimate.ts';
import { GoalLearning } from './goal-learning.ts';
import { Uuid } from '../lib/wire.ts';

/** Causes why a campaign delivers less than it could, or nothing. */
export const FINDING_CODES = [
  'suspended',
  'campaign_paused',
  'ended',
  'not_started',
  'app_in_review',
  'app_rejected',
  'balance',
  'bidding_stopped',
  'exchange_off',
  'no_adset',
  'adsets_paused',
  'no_creative',
  'creative_in_review',
  'creative_rejected',
  'tracking_link_in_review',
  'tracking_link_rejected',
  'price_missing',
  'audience_missing',
  'audience_empty',
  'audience_contradiction',
  'total_budget_spent',
  'no_requests',
  'country',
  'region',
  'city',
  'postal_code',
  'radius',
  'exchange',
  'device_type',
  'os_version',
  'device_model',
  'connection_type',
  'carrier',
  'device_id',
  'placement_kind',
  'language',
  'genre',
  'blocklist',
  'allowlist',
  'hours',
  'audience',
  'size_missing',
  'format_missing',
  'creative_refused',
  'insecure_address',
  'advertiser_blocked',
  'capped',
  'no_person_key',
  'country_budget',
  'daily_budget',
  'pacing',
  'no_lease',
  'floor',
  'outbid_by_own',
  'outbid',
  'late',
  'win_price',
  'postbacks_refused',
  'postbacks_missing',
  'goal_missing',
  'budget_use',
  'source_identifiers_used_up',
  'signing_off',
  'signing_not_possible',
  'learning',
  'fine',
] as const;
export type FindingCode = (typeof FINDING_CODES)[number];

/** The remedy for a cause: the form to open, with a field filled in where the value is known. */
export const Remedy = z.object({
  /** Text of the button. */
  label: z.string(),
  screen: z.enum([
    'campaign',
    'adset',
    'target',
    'creatives',
    'creative_group',
    'delivery',
    'tracking_link',
    'app',
    'finances',
    'postbacks',
    'measurement',
  ]),
  /** The entity to open, of creatives their app (the creative is the value of `creative`), of measurement the campaign; null for a screen without one. */
  uuid: Uuid.nullable(),
  field: z.string().nullable(),
  value: z.union([z.string(), z.number()]).nullable(),
});
export type Remedy = z.infer<typeof Remedy>;

export const Finding = z.object({
  code: z.enum(FINDING_CODES),
  /** `blocked`: nothing can be bought; `limited`: less than possible; `advice`: nothing is lost yet; `fine`: no cause. */
  severity: z.enum(['blocked', 'limited', 'advice', 'fine']),
  /** The ad set that it is about; null for the whole campaign. */
  adset: z.object({ uuid: Uuid, name: z.string() }).nullable(),
  /** One sentence, with its numbers. */
  text: z.string(),
  /** Bid requests of the range that it removed; null if it removed all or none. */
  lost: Estimate.nullable(),
  remedy: Remedy.nullable(),
});
export type Finding = z.infer<typeof Finding>;

/** The main limit of a campaign, and of each of its limited ad sets. */
export const CampaignFinding = z.object({
  uuid: Uuid,
  finding: Finding,
  adsets: z.array(z.object({ uuid: Uuid, finding: Finding })),
});
export type CampaignFinding = z.infer<typeof CampaignFinding>;

/** The learning data of an active ad set with Target CPA or Target ROAS. */
export const AdsetLearning = GoalLearning.extend({
  uuid: Uuid,
  campaign_uuid: Uuid,
  /** The same in a sentence. */
  text: z.string(),
});
export type AdsetLearning = z.infer<typeof AdsetLearning>;

export const MainFindings = z.object({
  /** The active campaigns that something limits. */
  campaigns: z.array(CampaignFinding),
  /** The active ad sets of all these campaigns with a goal of value. */
  learning: z.array(AdsetLearning),
});
export type MainFindings = z.infer<typeof MainFindings>;

/** Causes, the one that costs the most first. Never empty. */
export const Findings = z.object({ findings: z.array(Finding) });
export type Findings = z.infer<typeof Findings>;
