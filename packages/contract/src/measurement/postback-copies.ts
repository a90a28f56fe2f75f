import { z } from 'zod';
import { Mmp } from '../apps/fields.ts';
import { entityVersion } from '../lib/version.ts';
import { Timestamp, Uuid, requiredText } from '../lib/wire.ts';
import { APPLE_FRAMEWORKS } from '../skadnetwork/postbacks.ts';
import { postbackCopyMessages } from './messages.ts';
import { canParseUrl } from '../lib/can-parse-url.ts';

/** States of a copy. */
export const COPY_STATUSES = ['waiting', 'accepted', 'failed'] as const;
export type CopyStatus = (typeof COPY_STATUSES)[number];

/** Copies in the log of an app, at most. */
export const COPIES_LISTED = 100;
/** Copies that a company may send again a minute. */
export const COPY_SENDS_PER_MINUTE = 30;

/** An https address of a partner. */
const CopyUrl = requiredText(500).refine(isHttps, postbackCopyMessages.url);

function isHttps(text: string): boolean {
  return canParseUrl(text) && new URL(text).protocol === 'https:';
}

/** Whether copies of an app's postbacks are sent to a measurement partner, and where. */
export const PostbackCopyTarget = z.object({
  mmp: Mmp,
  is_enabled: z.boolean(),
  /** The address for postbacks of SKAdNetwork; null for the one that the partner documents. */
  url: z.string().nullable(),
  /** The address for postbacks of AdAttributionKit; null where they are not copied. */
  adattributionkit_url: z.string().nullable(),
  /** When the partner last accepted a copy; null for never. */
  accepted_at: Timestamp.nullable(),
});
export type PostbackCopyTarget = z.infer<typeof PostbackCopyTarget>;

export const postbackCopyTargetVersion = entityVersion(PostbackCopyTarget, ['accepted_at']);

/** PUT /app/{uuid}/postback-copies/{mmp} */
export const PostbackCopyInput = z.object({
  is_enabled: z.boolean(),
  url: CopyUrl.nullable(),
  adattributionkit_url: CopyUrl.nullable(),
});
export type PostbackCopyInput = z.infer<typeof PostbackCopyInput>;

/** A copy of a postback. */
export const PostbackCopy = z.object({
  uuid: Uuid,
  mmp: Mmp,
  framework: z.enum(APPLE_FRAMEWORKS),
  transaction_id: z.string(),
  /** The conversion window: 0, 1 or 2. */
  sequence_index: z.number().int(),
  status: z.enum(COPY_STATUSES),
  attempts: z.number().int(),
  attempted_at: Timestamp.nullable(),
  next_attempt_at: Timestamp.nullable(),
  /** HTTP status of the last response; null without one. */
  response_status: z.number().int().nullable(),
  /** The start of that response. */
  response_start: z.string().nullable(),
  error: z.string().nullable(),
  created_at: Timestamp,
});
export type PostbackCopy = z.infer<typeof PostbackCopy>;

/** GET /app/{uuid}/postback-copies: a target for each partner, and the latest copies, newest first. */
export const PostbackCopies = z.object({
  targets: z.array(PostbackCopyTarget),
  copies: z.array(PostbackCopy),
});
export type PostbackCopies = z.infer<typeof PostbackCopies>;
