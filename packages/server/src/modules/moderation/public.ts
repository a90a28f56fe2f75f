/** Interface of moderation for other parts of the server. */
export { countWaiting, moderationQueue } from './queue.ts';
export { decide, decideOnMany } from './service.ts';
