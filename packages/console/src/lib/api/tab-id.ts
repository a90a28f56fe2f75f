import { randomId } from '../random-id.ts';

/**
 * Identifies this tab until the page is reloaded; the server publishes it with each change, so that the tab can tell
 * its own changes from others'.
 */
export const tabId = randomId();
