import { randomId } from './random-id.ts';

/** Which tab this is, as long as the page is not loaded again: the server tells others who changed something. */
export const tabId = randomId();
