import { exchangeReviewMessages } from '@bidwell/contract/creatives/exchange-review-messages';
import type { ExchangeReview, ExchangeReviews } from '@bidwell/contract/creatives/exchange-reviews';
import type { Context } from '../../../context.ts';
import type { Actor } from '../../../platform/actor.ts';
import { Conflict, NotFound } from '../../../platform/errors.ts';
import { requirePermission } from '../../../platform/permissions.ts';
import { transact } from '../../../platform/postgres/transaction.ts';
import { recordChange } from '../../changes/public.ts';
import { queueReview, reviewerOf } from './review-messages.ts';
import {
  type ReviewRow,
  creativeName,
  exchangesWithReview,
  lockReviewOf,
  reviewsOfCompany,
  updateReview,
} from './review-store.ts';

/** What exchanges say of the company's creatives. */
export async function listExchangeReviews(ctx: Context, actor: Actor): Promise<ExchangeReviews> {
  requirePermission(actor, 'creative.read');
  const exchanges = await exchangesWithReview(ctx.db);
  const reviews = await reviewsOfCompany(ctx.db, actor.companyId);
  return {
    exchanges: exchanges.map(({ slug, name, profile, isConnected }) => ({
      slug,
      name,
      is_reviewed: isConnected && reviewerOf(profile) !== null,
    })),
    reviews: reviews.map(presentReview),
  };
}

/**
 * Sends a creative to an exchange for review again, also one that was disapproved. Throws NotFound, and Conflict where the exchange reviews
 * none, or has approved it or reviews it at present.
 */
export async function sendForReview(
  ctx: Context,
  actor: Actor,
  { uuid, slug }: { uuid: string; slug: string },
): Promise<ExchangeReview> {
  requirePermission(actor, 'creative.write');
  const { companyId } = actor;
  return transact(ctx.db, async (tx) => {
    const name = await creativeName(tx.db, companyId, uuid);
    if (name === undefined) throw new NotFound('Creative');
    const exchange = (await exchangesWithReview(tx.db)).find((each) => each.slug === slug);
    if (!exchange) throw new NotFound('Exchange');
    const reviewer = reviewerOf(exchange.profile);
    if (!reviewer || !exchange.isConnected)
      throw new Conflict(reviewer ? exchangeReviewMessages.notConnected : exchangeReviewMessages.notReviewed);
    const review = await lockReviewOf(tx.db, companyId, { creativeId: uuid, slug });
    if (!review) throw new NotFound('Review');
    if (review.state === 'approved' || review.state === 'pending')
      throw new Conflict(exchangeReviewMessages.inReview);
    const sent = {
      state: 'not_sent',
      reasons: '[]',
      error: null,
      is_held: false,
      decided_at: null,
      changed_at: ctx.now(),
    } as const;
    await updateReview(tx.db, review, sent);
    await queueReview(ctx, tx, review, reviewer);
    await recordChange(ctx, tx, actor, {
      entity: 'creative',
      uuid,
      name,
      before: { [`review at ${exchange.name}`]: review.state },
      after: { [`review at ${exchange.name}`]: 'sent again' },
    });
    return presentReview({ ...review, ...sent, reasons: [] });
  });
}

function presentReview(row: ReviewRow): ExchangeReview {
  return {
    creative_uuid: row.creative_uuid,
    slug: row.slug,
    state: row.state,
    reasons: row.reasons,
    error: row.error,
    is_held: row.is_held,
    sent_at: row.sent_at?.toISOString() ?? null,
    decided_at: row.decided_at?.toISOString() ?? null,
  };
}
