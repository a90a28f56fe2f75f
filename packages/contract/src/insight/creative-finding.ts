import { z } from 'zod';
import { Remedy } from './finding.ts';
import { FUNNEL_EXITS } from './funnel.ts';
import { Uuid } from '../lib/wire.ts';

/** States of a creative, from those that keep it from being shown at all to `shown`. */
export const CREATIVE_FINDING_CODES = [
  'creative_rejected',
  'creative_in_review',
  'no_group',
  'group_archived',
  'group_paused',
  'no_adset',
  'adsets_not_running',
  'adset_not_bidding',
  'texts_missing',
  'no_requests',
  'no_placement',
  'not_shown',
  'adset_not_shown',
  'others_shown',
  'shown',
] as const;
export type CreativeFindingCode = (typeof CREATIVE_FINDING_CODES)[number];

/** The newest sampled bid requests that the ad set targets, and the ones that the creative fits. */
const CreativePlacement = z.object({
  /** Requests that the ad set targets, as many as the sample stands for. */
  requests: z.number(),
  /** Requests with an imp that the creative fits. */
  fitting: z.number(),
  /** Why it fits none of the others, the most frequent reason first. */
  exits: z.array(z.object({ exit: z.enum(FUNNEL_EXITS), requests: z.number() })),
});
export type CreativePlacement = z.infer<typeof CreativePlacement>;

/** The reason why a creative is not shown, or that it is. */
export const CreativeState = z.object({
  code: z.enum(CREATIVE_FINDING_CODES),
  /** `blocked`: it cannot be shown; `limited`: it had no impression in the range; `fine`: it had. */
  severity: z.enum(['blocked', 'limited', 'fine']),
  /** One or two sentences, with their numbers. */
  text: z.string(),
  remedy: Remedy.nullable(),
  /** Null where no requests were replayed. */
  placement: CreativePlacement.nullable(),
});
export type CreativeState = z.infer<typeof CreativeState>;

/** A creative's state: the best among the ad sets that use it, and that in each running one. */
export const CreativeFinding = CreativeState.extend({
  uuid: Uuid,
  adsets: z.array(CreativeState.extend({ uuid: Uuid, name: z.string() })),
});
export type CreativeFinding = z.infer<typeof CreativeFinding>;

/** GET /findings/creatives: the newest creatives that are not archived. */
export const CreativeFindings = z.object({ creatives: z.array(CreativeFinding) });
export type CreativeFindings = z.infer<typeof CreativeFindings>;
