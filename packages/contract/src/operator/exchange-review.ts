import { z } from 'zod';
import { REVIEW_STATES } from '../creatives/exchange-reviews.ts';
import { Timestamp, Uuid } from '../lib/wire.ts';

/** How creatives are submitted to an exchange: the account there and its credentials. */
export const ReviewAccountInput = z.object({
  is_enabled: z.boolean(),
  /** Google: the id of the buyer; Xandr: the id of the member. */
  account: z
    .string()
    .trim()
    .regex(/^\d{1,20}$/, 'A number of at most 20 digits'),
  /** Xandr: the user name; Google needs none. */
  login: z.string().trim().max(200).default(''),
  /** Google: the JSON key of a service account; Xandr: the password. Absent to keep the present one. */
  secret: z.string().min(1).max(10_000).optional(),
});
export type ReviewAccountInput = z.infer<typeof ReviewAccountInput>;

/** The review of an exchange, and how it goes. */
export const ReviewAccount = z.object({
  slug: z.string(),
  /** Whose interface the creatives are submitted by; null where the exchange reviews none. */
  review: z.enum(['google', 'xandr']).nullable(),
  is_enabled: z.boolean(),
  account: z.string(),
  login: z.string(),
  has_secret: z.boolean(),
  /** When the exchange last accepted a call. */
  accepted_at: Timestamp.nullable(),
  /** Why the last call failed; null where it did not. */
  error: z.string().nullable(),
  /** No call is made before. */
  paused_until: Timestamp.nullable(),
  /** Creatives by state. */
  creatives: z.partialRecord(z.enum(REVIEW_STATES), z.int()),
});
export type ReviewAccount = z.infer<typeof ReviewAccount>;

/** Most creatives of a list. */
export const REVIEWED_CREATIVES_MAX = 500;

export const ReviewedCreativesQuery = z.object({ state: z.enum(REVIEW_STATES).optional() });

/** A creative of any company at an exchange. */
export const ReviewedCreative = z.object({
  creative_uuid: Uuid,
  creative_name: z.string(),
  company_uuid: Uuid,
  company_name: z.string(),
  state: z.enum(REVIEW_STATES),
  reasons: z.array(z.string()),
  error: z.string().nullable(),
  sent_at: Timestamp.nullable(),
  decided_at: Timestamp.nullable(),
});
export type ReviewedCreative = z.infer<typeof ReviewedCreative>;

export const ReviewedCreatives = z.object({ creatives: z.array(ReviewedCreative) });
export type ReviewedCreatives = z.infer<typeof ReviewedCreatives>;
