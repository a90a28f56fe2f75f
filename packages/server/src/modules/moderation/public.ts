/** What other parts of the server use of moderation. */
export { countWaiting, moderationQueue } from './queue.ts';
export { decide, decideOnMany } from './service.ts';
