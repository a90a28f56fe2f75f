import { z } from 'zod';
import { CREATIVE_TYPES } from '../creatives/schema.ts';
import { Timestamp, Uuid } from '../lib/wire.ts';

/** The kinds of entity that an operator reviews. */
export const moderatedEntities = ['app', 'creative', 'creative_group', 'tracking_link'] as const;

/** The filters of the queue: the kinds of entity, creatives by their type. */
export const moderationKinds = ['app', ...CREATIVE_TYPES, 'creative_group', 'tracking_link'] as const;
export const ModerationKind = z.enum(moderationKinds);
export type ModerationKind = z.infer<typeof ModerationKind>;

/** Largest number of items in a response, and in a decision on several items. */
export const MODERATION_ITEMS_MAX = 500;
export const DECISIONS_MAX = 200;
/** Largest number of earlier decisions of each sort that an item lists. */
export const PAST_DECISIONS_MAX = 5;

const verdict = {
  status: z.enum(['Approved', 'Rejected']),
  reason: z.string().trim().max(500).optional(),
  /** With a rejection: also stops the version that was approved before. */
  withdraw: z.boolean().optional(),
};

const hasReason = (decision: { status: string; reason?: string | undefined }): boolean =>
  decision.status === 'Approved' || !!decision.reason;
const needsReason = { path: ['reason'], message: 'A rejection needs a reason' };

/** `since` of the item that the operator reviewed: the decision is rejected (409) if it has changed. Without it, the decision is on any version. */
const seen = Timestamp.optional();

/** A moderation decision by an operator. */
export const Decision = z.object({ ...verdict, since: seen }).refine(hasReason, needsReason);
export type Decision = z.infer<typeof Decision>;

/** One decision on several entities, each carried out by itself. */
export const Decisions = z
  .object({
    ...verdict,
    items: z
      .array(z.object({ entity: z.enum(moderatedEntities), uuid: Uuid, since: seen }))
      .min(1)
      .max(DECISIONS_MAX),
  })
  .refine(hasReason, needsReason);
export type Decisions = z.infer<typeof Decisions>;

/** The result for each entity, in the order of the request: decided, changed since the review, or not found. */
export const DecisionResults = z.object({
  results: z.array(z.object({ uuid: Uuid, outcome: z.enum(['decided', 'changed', 'missing']) })),
});
export type DecisionResults = z.infer<typeof DecisionResults>;

/** A file for review. */
export const ModerationFile = z.object({
  uuid: Uuid,
  /**
   * `ad`: the image or video of the creative; `end_card`: the image after a video; `approved_end_card`: the one that runs meanwhile;
   * `sample`: the image of a native creative that shows the group's texts.
   */
  role: z.enum(['ad', 'end_card', 'approved_end_card', 'sample']),
  /** Valid for an hour. A path of this server, unless files have an origin of their own. */
  url: z.string(),
  content_type: z.string(),
  extension: z.string(),
  size_bytes: z.number(),
  /** In pixels; null for a playable. */
  width: z.number().nullable(),
  height: z.number().nullable(),
  duration_ms: z.number().nullable(),
});
export type ModerationFile = z.infer<typeof ModerationFile>;

/** An earlier decision of an operator. */
export const PastDecision = z.object({
  uuid: Uuid,
  entity: z.string(),
  entity_uuid: z.string(),
  /** Names at the time of the decision; the company's is today's. */
  name: z.string(),
  company_uuid: Uuid,
  company_name: z.string(),
  operator: z.string(),
  status: z.enum(['Approved', 'Rejected']),
  reason: z.string(),
  decided_at: Timestamp,
});
export type PastDecision = z.infer<typeof PastDecision>;

const ReviewedApp = z.object({
  uuid: Uuid,
  name: z.string(),
  os: z.string(),
  bundle_id: z.string(),
  store_link: z.string(),
  icon_link: z.string().nullable(),
  iab_category: z.string(),
  advertiser_domain: z.string().nullable(),
});

export const ModerationItem = z.object({
  entity: z.enum(moderatedEntities),
  kind: ModerationKind,
  uuid: Uuid,
  company_uuid: Uuid,
  company_name: z.string(),
  name: z.string(),
  /** Link for review: a store page, a destination, or a URL of the file that is valid for an hour. */
  link: z.string(),
  /** The fields that await a decision. */
  pending: z.record(z.string(), z.string().nullable()),
  /** The fields of the approved version, which runs meanwhile; null if there is none. */
  approved: z.record(z.string(), z.string().nullable()).nullable(),
  since: Timestamp,
  /** The advertised app; null for a creative group without creatives. */
  app: ReviewedApp.nullable(),
  files: z.array(ModerationFile),
  /** External resources that a playable would load. */
  external_loads: z.array(z.string()),
  /** A tracking link's view URL, which is not reviewed; null otherwise. */
  view_url: z.string().nullable(),
  /** Tracking links of ad sets that use the creative: where its clicks lead. At most three. */
  destinations: z.array(
    z.object({ uuid: Uuid, name: z.string(), click_url: z.string(), view_url: z.string() }),
  ),
  /** Deep links of ad sets that use the creative: what its clicks open in the app. At most three. */
  deep_links: z.array(z.object({ uuid: Uuid, name: z.string(), deep_link: z.string() })),
  /** Earlier decisions on the entity, newest first. */
  decisions: z.array(PastDecision).max(PAST_DECISIONS_MAX),
  /** Newest decisions on other creatives with the same file, also of other companies and deleted ones. */
  same_file: z.array(PastDecision).max(PAST_DECISIONS_MAX),
});
export type ModerationItem = z.infer<typeof ModerationItem>;

/** A company with something in the queue. */
export const ReviewedCompany = z.object({
  uuid: Uuid,
  name: z.string(),
  created_at: Timestamp,
  suspended: z.boolean(),
  /** Number of its items that wait, and since when the oldest does. */
  waiting: z.number().int(),
  oldest_since: Timestamp,
  /** The last hundred decisions on its ads, and the newest rejections among them; null if the response has no item of it. */
  record: z
    .object({
      approved: z.number().int(),
      rejected: z.number().int(),
      rejections: z.array(PastDecision).max(PAST_DECISIONS_MAX),
    })
    .nullable(),
});
export type ReviewedCompany = z.infer<typeof ReviewedCompany>;

export const ModerationFilter = z.object({
  kind: ModerationKind.optional(),
  company_uuid: Uuid.optional(),
  /** Only this entity, if it waits. */
  uuid: Uuid.optional(),
  limit: z.coerce.number<number>().int().min(1).max(MODERATION_ITEMS_MAX).default(MODERATION_ITEMS_MAX),
});
export type ModerationFilter = z.infer<typeof ModerationFilter>;

export const ModerationQueue = z.object({
  /** The oldest that match the filter. */
  items: z.array(ModerationItem).max(MODERATION_ITEMS_MAX),
  /** How many items wait in all, regardless of the filter. */
  waiting: z.number().int(),
  /** When the oldest of them began to wait; null if none waits. */
  oldest_since: Timestamp.nullable(),
  /** How many of each kind wait, of the filter's company where it has one. */
  kinds: z.record(ModerationKind, z.number().int()),
  /** Companies of the items, and others that wait, those with the oldest first. */
  companies: z.array(ReviewedCompany),
});
export type ModerationQueue = z.infer<typeof ModerationQueue>;
