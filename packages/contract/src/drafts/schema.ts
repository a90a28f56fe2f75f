import { z } from 'zod';
import { campaignMessages } from '../campaigns/messages.ts';
import { Timestamp, Uuid } from '../lib/wire.ts';

/** Most drafts of a company, and most bytes of the values of one, as JSON in UTF-8. */
export const DRAFTS_MAX = 100;
export const DRAFT_BYTES_MAX = 64 * 1024;

const encoder = new TextEncoder();
const isWithinBytes = (values: unknown) => encoder.encode(JSON.stringify(values)).length <= DRAFT_BYTES_MAX;

/** The content of a campaign's form, complete or not, valid or not. The server stores it as it is. */
const Values = z
  .record(z.string().max(100), z.unknown())
  .refine(isWithinBytes, campaignMessages.draftTooLarge)
  .describe('The values of the form, at most 64 KiB of JSON. Nothing of them is checked.');

export const DraftInput = z.object({ values: Values });
export type DraftInput = z.infer<typeof DraftInput>;

const Version = z.number().int().min(1).max(2_147_483_647);

/** `version` is the one that the caller changed: a draft with another version is not overwritten. */
export const DraftUpdate = DraftInput.extend({ version: Version });
export type DraftUpdate = z.infer<typeof DraftUpdate>;

/** The version of a draft that a person saw. */
export const DraftVersion = z.object({ uuid: Uuid, version: Version });
export type DraftVersion = z.infer<typeof DraftVersion>;

/** A draft in the list of the company. */
export const DraftSummary = z.object({
  uuid: Uuid,
  /** The name of the campaign as far as it is typed, at most 50 characters; it may be empty. */
  name: z.string(),
  version: z.number().int(),
  /** The names of the person who began it and of the one who changed it last. */
  created_by: z.string(),
  updated_by: z.string(),
  created_at: Timestamp,
  updated_at: Timestamp,
});
export type DraftSummary = z.infer<typeof DraftSummary>;

export const Draft = DraftSummary.extend({ values: z.record(z.string(), z.unknown()) });
export type Draft = z.infer<typeof Draft>;
