import { z } from 'zod';
import { Timestamp, Uuid } from '../lib/wire.ts';

/**
 * What an exchange says of a creative: `not_needed` where it reviews none, or an operator has not connected its review; `lapsed` where
 * the creative was not used for so long that the exchange deactivates it.
 */
export const REVIEW_STATES = [
  'not_needed',
  'not_sent',
  'pending',
  'approved',
  'disapproved',
  'lapsed',
] as const;
export type ReviewState = (typeof REVIEW_STATES)[number];
/** The states that are stored. */
export type StoredReviewState = Exclude<ReviewState, 'not_needed'>;

/** An exchange that is on, and whether it reviews creatives that this server submits. */
export const ReviewingExchange = z.object({
  slug: z.string(),
  name: z.string(),
  is_reviewed: z.boolean(),
});
export type ReviewingExchange = z.infer<typeof ReviewingExchange>;

/** The review of a creative at an exchange. */
export const ExchangeReview = z.object({
  creative_uuid: Uuid,
  slug: z.string(),
  state: z.enum(REVIEW_STATES),
  /** Why it was disapproved, in the exchange's words. */
  reasons: z.array(z.string()),
  /** Why the exchange has not accepted it yet; null where nothing failed. */
  error: z.string().nullable(),
  /** True where it is not sent again by itself. */
  is_held: z.boolean(),
  /** When the exchange last accepted it. */
  sent_at: Timestamp.nullable(),
  decided_at: Timestamp.nullable(),
});
export type ExchangeReview = z.infer<typeof ExchangeReview>;

/** The reviews of a company's creatives; a creative without a review at a reviewing exchange was not sent. */
export const ExchangeReviews = z.object({
  exchanges: z.array(ReviewingExchange),
  reviews: z.array(ExchangeReview),
});
export type ExchangeReviews = z.infer<typeof ExchangeReviews>;

/** Sends again of a company in a minute. */
export const REVIEW_SENDS_PER_MINUTE = 30;
