import { z } from 'zod';
import { messages } from '../text/messages.ts';
import { Timestamp, Uuid, requiredText } from '../lib/wire.ts';

/** Most comments on a campaign or a draft, and new ones of a person in a minute. */
export const COMMENTS_MAX = 500;
export const COMMENTS_PER_MINUTE = 20;
/** Most characters of a comment, and most people whom it mentions. */
export const COMMENT_CHARS_MAX = 2000;
export const COMMENT_MENTIONS_MAX = 20;
/** Minutes in which its author may change or delete a comment. */
export const COMMENT_CHANGE_MINUTES = 15;

const text = requiredText(COMMENT_CHARS_MAX).describe('Plain text.');

export const CommentInput = z.object({
  text,
  /** People of the company who are notified by name; each has to be allowed to read campaigns. */
  mentions: z
    .array(Uuid)
    .max(COMMENT_MENTIONS_MAX)
    .default([])
    .refine((people) => new Set(people).size === people.length, messages.twiceInList),
});
export type CommentInput = z.infer<typeof CommentInput>;

/** Changes the text; the mentioned people stay. */
export const CommentUpdate = z.object({ text });
export type CommentUpdate = z.infer<typeof CommentUpdate>;

/** A comment by a person of the company on a campaign or a draft. */
export const Comment = z.object({
  uuid: Uuid,
  text: z.string(),
  /** `uuid` is null where the person's account is deleted. */
  author: z.object({ uuid: Uuid.nullable(), name: z.string() }),
  mentions: z.array(z.object({ uuid: Uuid, name: z.string() })),
  created_at: Timestamp,
  /** When its text was changed last; null where it was not. */
  edited_at: Timestamp.nullable(),
  /** Until when the caller may change and delete it; null where they may not. */
  changeable_until: Timestamp.nullable(),
});
export type Comment = z.infer<typeof Comment>;
