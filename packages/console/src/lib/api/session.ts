import { LOGGED_OUT_COOKIE, SESSION_HINT_COOKIE, SessionTokens } from '@bidwell/contract/accounts/schema';
import { CONSOLE_API } from '@bidwell/contract/lib/endpoint';
import { refreshSession as refreshEndpoint } from '@bidwell/contract/accounts/endpoints';
import { accountMessages } from '@bidwell/contract/accounts/messages';
import { z } from 'zod';
import { ApiError } from './api-error.ts';
import { cookieName, readCookie, writeCookie } from './cookies.ts';
import { randomId } from '../random-id.ts';
import { markingRefresh } from './refresh-mark.ts';
import { withTabLock } from './tab-lock.ts';
import { VIEW_PATH, leaveViewing, viewing } from './viewing.ts';

/** The logged-in session in this tab. The access token is held in memory only. */
interface Session {
  accessToken: string;
  userId: string;
  /** The value of the mark cookie when these tokens arrived. */
  mark: string | null;
}

type Listener = () => void;

/** How a session ended: by itself, so that the same person continues after a login, or because someone logged out or in. */
export interface SessionEnd {
  isOver: boolean;
  /** Whose session it was; null if this tab did not know it. */
  userId: string | null;
}

/** Messages between tabs. */
const TabMessage = z.discriminatedUnion('type', [
  z.object({ type: z.literal('logout') }),
  z.object({ type: z.literal('tokens'), tokens: SessionTokens, mark: z.string() }),
]);

let session: Session | null = viewing && {
  accessToken: viewing.access_token,
  userId: viewing.user_id,
  mark: null,
};
let refreshing: Promise<Session | null> | null = null;
const endListeners = new Set<(end: SessionEnd) => void>();
const failureListeners = new Set<Listener>();
const channel = typeof BroadcastChannel === 'undefined' ? null : new BroadcastChannel('bidwell-session');
channel?.addEventListener('message', (event) => {
  const message = TabMessage.safeParse(event.data);
  // The tabs of a user's session do not concern an operator's.
  if (!message.success || viewing) return;
  if (message.data.type === 'logout') endSession();
  else if (session?.userId === message.data.tokens.user_id)
    openSession(message.data.tokens, message.data.mark);
});

/** Whether a session may exist, by a readable cookie that holds no secret. */
export function mayHaveSession(): boolean {
  return session !== null || hasHint();
}

/** Starts a session with the tokens of a login response. */
export function openSession(tokens: unknown, mark = readMark()): void {
  const parsed = SessionTokens.parse(tokens);
  session = { accessToken: parsed.access_token, userId: parsed.user_id, mark };
}

export function userId(): string | null {
  return session?.userId ?? null;
}

/** An access token, refreshed first when there is none; null without a session. */
export async function accessToken(): Promise<string | null> {
  return (session ?? (await refreshSession(null)))?.accessToken ?? null;
}

/**
 * Replaces the session whose token was rejected. However many calls are rejected at once, each tab sends one refresh,
 * no two tabs refresh at the same time, and the others use the tokens of the first. Null without a refresh token.
 * Throws ApiError when the refresh fails; a 401 has ended the session.
 */
export function refreshSession(rejectedToken: string | null): Promise<Session | null> {
  if (isNewerThan(rejectedToken)) return Promise.resolve(session);
  if (viewing) {
    // It cannot be renewed, and the cookie of this browser may belong to another session.
    leaveViewing(VIEW_PATH);
    return Promise.resolve(null);
  }
  // Two tabs must not spend the same refresh token: the second use would revoke the whole token family.
  refreshing ??= withTabLock('bidwell-refresh', () => requestTokens(rejectedToken)).finally(() => {
    refreshing = null;
  });
  return refreshing;
}

const isNewerThan = (rejectedToken: string | null) =>
  session !== null && session.accessToken !== rejectedToken;

async function requestTokens(rejectedToken: string | null): Promise<Session | null> {
  // Another tab may have refreshed or logged out while this one waited for the lock.
  if (session && session.mark !== readMark()) await tokensOfOtherTab();
  if (isNewerThan(rejectedToken)) return session;
  if (!hasHint()) {
    endSession({ isOver: true });
    return null;
  }
  // `keepalive` survives a reload: the new refresh token's cookie must not be lost with the page.
  const response = await markingRefresh(() =>
    fetch(CONSOLE_API + refreshEndpoint.path, { method: refreshEndpoint.method, keepalive: true }),
  );
  const tokens = response?.ok ? readTokens(await response.json().catch(() => null)) : null;
  if (tokens) {
    // Another user logged in in this browser: nothing of the previous one may stay on the screen.
    if (session && session.userId !== tokens.user_id) endSession();
    const mark = randomId();
    writeMark(mark);
    openSession(tokens, mark);
    channel?.postMessage({ type: 'tokens', tokens, mark });
    return session;
  }
  if (response?.status === 401) {
    deleteHint();
    endSession({ isOver: true });
  }
  for (const listener of failureListeners) listener();
  throw new ApiError(response?.status ?? 0, accountMessages.sessionExpired);
}

function readTokens(body: unknown): SessionTokens | null {
  const parsed = z.object({ data: SessionTokens }).safeParse(body);
  return parsed.success ? parsed.data.data : null;
}

/** How long to wait for tokens from another tab. */
const OTHER_TAB_WAIT_MS = 1000;

/** Resolves at the next message of another tab, or after a timeout: that tab may have been closed. */
function tokensOfOtherTab(): Promise<void> {
  return new Promise((resolve) => {
    const finish = () => {
      clearTimeout(timer);
      channel?.removeEventListener('message', finish);
      resolve();
    };
    const timer = setTimeout(finish, channel ? OTHER_TAB_WAIT_MS : 0);
    channel?.addEventListener('message', finish);
  });
}

const MARK_COOKIE = 'bidwell_mark';

/**
 * The id of this browser's newest refresh. It holds no secret. It is a cookie because all tabs read cookies
 * synchronously: a message may arrive after the sending tab has released the lock.
 */
const readMark = () => readCookie(cookieName(MARK_COOKIE));
const writeMark = (mark: string) => writeCookie(cookieName(MARK_COOKIE), mark);

const hasHint = () => readCookie(cookieName(SESSION_HINT_COOKIE)) === '1';

/** Without this cookie no tab tries the refresh token again, even if the server was not notified. */
function deleteHint(): void {
  writeCookie(cookieName(SESSION_HINT_COOKIE), '', 0);
}

/** As long as the longest session. */
const LOGGED_OUT_SECONDS = 90 * 86_400;

/**
 * Sets a cookie that reports the logout to the server with every request until the server has received it. A page
 * cannot remove the session's cookie, and the server may be unavailable now.
 */
export function markLoggedOut({ everywhere }: { everywhere: boolean }): void {
  writeCookie(cookieName(LOGGED_OUT_COOKIE), everywhere ? 'everywhere' : '1', LOGGED_OUT_SECONDS);
}

/** Ends the session in this tab and notifies the subscribers. */
export function endSession({ isOver = false } = {}): void {
  const end = { isOver, userId: userId() };
  session = null;
  for (const listener of endListeners) listener(end);
}

/** Ends the session in the other tabs, which then begin with the one that this browser has now. */
export function endSessionOfOtherTabs(): void {
  channel?.postMessage({ type: 'logout' });
}

/** Ends the session in this tab and in the others. */
export function endSessionEverywhere(): void {
  deleteHint();
  channel?.postMessage({ type: 'logout' });
  endSession();
}

/** Calls `listener` whenever the session has ended; returns a function that unsubscribes. */
export function onSessionEnd(listener: (end: SessionEnd) => void): () => void {
  endListeners.add(listener);
  return () => endListeners.delete(listener);
}

/** Calls `listener` whenever a refresh has failed; returns a function that unsubscribes. */
export function onRefreshFailure(listener: Listener): () => void {
  failureListeners.add(listener);
  return () => failureListeners.delete(listener);
}
