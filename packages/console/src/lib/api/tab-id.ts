import { randomId } from '../random-id.ts';

/**
 * Identifies this tab until the page is reloaded; the server publishes it with each change, so that the tab
 * recognizes its own changes.
 */
export const tabId = randomId();
