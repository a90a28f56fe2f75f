import { REFRESHING_COOKIE } from '@bidwell/contract/accounts/schema';
import { cookieName, readCookie, writeCookie } from './cookies.ts';
import { randomId } from '../random-id.ts';

/** How long a page waits for the response to the refresh of another, which may have been lost, in seconds. */
const EXPIRES_SECONDS = 10;
const POLL_MS = 40;
/** When a call of a page that is closed or reloaded has failed, the page ends sooner than this. */
const PAGE_ENDS_MS = 1000;
const thisPage = randomId();
let unmarking: ReturnType<typeof setTimeout> | undefined;

/**
 * Sends a refresh, with a cookie that says so until the response arrives; resolves to null if none does. A page that is
 * closed or reloaded meanwhile leaves a spent refresh token behind, and releases its lock, before the response brings the
 * next token; using a token twice ends the session. So the next page waits until the response has deleted the cookie, or
 * until it has expired.
 */
export async function markingRefresh(send: () => Promise<Response>): Promise<Response | null> {
  const name = cookieName(REFRESHING_COOKIE);
  while (![null, thisPage].includes(readCookie(name))) await pause();
  clearTimeout(unmarking);
  writeCookie(name, thisPage, EXPIRES_SECONDS);
  const unmark = () => {
    if (readCookie(name) === thisPage) writeCookie(name, '', 0);
  };
  try {
    const response = await send();
    unmark();
    return response;
  } catch {
    unmarking = setTimeout(unmark, PAGE_ENDS_MS);
    return null;
  }
}

const pause = () =>
  new Promise<void>((resolve) => {
    setTimeout(resolve, POLL_MS);
  });
