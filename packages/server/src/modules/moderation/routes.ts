import { listExchangeReviews, sendForReview } from '@bidwell/contract/creatives/exchange-review-endpoints';
import { REVIEW_SENDS_PER_MINUTE } from '@bidwell/contract/creatives/exchange-reviews';
import rateLimit from '@fastify/rate-limit';
import type { Context } from '../../context.ts';
import { dataRoute } from '../../platform/http/data-route.ts';
import { limitTo } from '../../platform/http/limits/rate-limit.ts';
import type { Http } from '../../platform/http/server.ts';
import * as reviews from './exchange-reviews/reviews.ts';

/** Registers the calls about reviews of creatives by exchanges. */
export async function registerExchangeReviews(http: Http, ctx: Context): Promise<void> {
  await http.register(rateLimit, { global: false });
  const perMinute = { preHandler: limitTo(http, { max: REVIEW_SENDS_PER_MINUTE, per: 'company' }) };
  dataRoute(http, ctx, listExchangeReviews, reviews.listExchangeReviews);
  dataRoute(http, ctx, sendForReview, perMinute, reviews.sendForReview);
}
