import { exchangeReviewMessages } from '@bidwell/contract/creatives/exchange-review-messages';
import type { ReviewState } from '@bidwell/contract/creatives/exchange-reviews';
import type { z } from 'zod';
import type { Context } from '../../../context.ts';
import type { PartnerCall, PartnerResponse } from '../../../platform/outbound/call-partner.ts';
import { startOfText } from '../../../platform/outbound/receivers.ts';

/** What an exchange gets of a creative. */
export interface Submission {
  /** By which bids name it. */
  creativeId: string;
  /** Hash of the content. */
  version: string;
  /** The exchange has to get it again, unless it did since then; null where it has to get another content only. */
  since: Date | null;
  type: 'Banner' | 'Video' | 'Playable' | 'Native';
  width: number;
  height: number;
  advertiser: string;
  clickUrl: string;
  /** HTML, or VAST of a video; null for a native ad. */
  markup: string | null;
  title: string;
  description: string;
  sponsor: string;
  image: { url: string; width: number; height: number };
}

/** What an exchange says of a creative. */
export interface Verdict {
  state: Extract<ReviewState, 'pending' | 'approved' | 'disapproved' | 'lapsed'>;
  /** Why it was disapproved, in the exchange's words. */
  reasons: string[];
}

/** Why a call failed. */
export interface ReviewFailure {
  /** As a sentence that people read. */
  error: string;
  /** `creative`: the exchange refuses the creative as it is. `account`: it refuses the credentials. `later`: another try may succeed. */
  kind: 'creative' | 'account' | 'later';
  /** How long the exchange asks to wait, ms; null where it does not. */
  waitMs: number | null;
}
export type ReviewOutcome<T> = T | { failure: ReviewFailure };

/** Dependencies of a call. */
export interface ReviewCalling {
  ctx: Pick<Context, 'callPartner' | 'now'>;
  account: string;
  login: string;
  secret: string;
  signal: AbortSignal;
}

/** A page of verdicts by the id of the creative; `next` is where the next one begins, null for none. */
export interface VerdictPage {
  verdicts: ReadonlyMap<string, Verdict>;
  next: string | null;
}

/** How creatives are submitted to exchanges of one kind, as their public documents describe it. */
export interface Reviewer {
  host: string;
  /** Days without use after which the exchange drops a creative. */
  unusedDays: number;
  /** Submits a creative. Does nothing where the exchange has it already, because a response did not arrive. */
  submit(calling: ReviewCalling, submission: Submission): Promise<ReviewOutcome<Verdict>>;
  list(calling: ReviewCalling, cursor: string | null): Promise<ReviewOutcome<VerdictPage>>;
}

const WORDS_CHARACTERS = 300;

/** Calls an exchange, and reads its response as JSON of a schema. */
export async function callReview<Schema extends z.ZodType>(
  { ctx, signal }: ReviewCalling,
  address: string,
  call: PartnerCall,
  schema: Schema,
): Promise<ReviewOutcome<{ body: z.output<Schema> }> & { status: number | null }> {
  const response = await ctx.callPartner(address, call, signal);
  const failure = failureOf(response);
  if (failure) return { failure, status: response.status };
  const parsed = schema.safeParse(jsonOf(response.text));
  return parsed.success
    ? { body: parsed.data, status: response.status }
    : { failure: unreadable, status: response.status };
}

export const unreadable: ReviewFailure = {
  error: exchangeReviewMessages.unreadable,
  kind: 'later',
  waitMs: null,
};

function failureOf({ status, text, retryAfterMs: waitMs, failure }: PartnerResponse): ReviewFailure | null {
  if (failure) return { error: exchangeReviewMessages.failure[failure], kind: 'later', waitMs };
  if (status === null || (status >= 200 && status < 300)) return null;
  if (status === 401 || status === 403)
    return { error: withWords(exchangeReviewMessages.refused, text), kind: 'account', waitMs };
  const isLater = status >= 500 || status === 429 || status === 408 || status === 409;
  const error = withWords(exchangeReviewMessages.status(status), text);
  return { error, kind: isLater ? 'later' : 'creative', waitMs };
}

function withWords(sentence: string, text: string): string {
  const words = wordsOf(jsonOf(text)) ?? text;
  return words === '' ? sentence : `${sentence} “${startOfText(words, WORDS_CHARACTERS)}”`;
}

/** The message of an error of Google or Xandr. */
function wordsOf(body: unknown): string | null {
  if (typeof body !== 'object' || body === null) return null;
  const { error, response } = body as {
    error?: { message?: unknown };
    response?: { error?: unknown };
  };
  const words = error?.message ?? response?.error;
  return typeof words === 'string' ? words : null;
}

/** A text as JSON; undefined where it is none. */
export function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** Whether an exchange got a creative, at a time as it writes it, since it had to. */
export function isGotSince(at: string | null | undefined, { since }: Pick<Submission, 'since'>): boolean {
  if (since === null) return true;
  const gotMs = Date.parse(at ?? '');
  return Number.isFinite(gotMs) && gotMs >= since.getTime();
}
