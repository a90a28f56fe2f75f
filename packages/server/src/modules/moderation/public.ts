/** Interface of moderation for other parts of the server. */
export { listReviewedCreatives, putReviewAccount, readReviewAccount } from './exchange-reviews/accounts.ts';
export { reviewSendMessages, reviewStateMessages } from './exchange-reviews/review-messages.ts';
export { withheldOf } from './exchange-reviews/review-store.ts';
export { moderationJobs } from './jobs.ts';
export { countWaiting, moderationQueue } from './queue.ts';
export { registerExchangeReviews } from './routes.ts';
export { decide, decideOnMany } from './service.ts';
