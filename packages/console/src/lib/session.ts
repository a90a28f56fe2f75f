import {
  HOST_PREFIX,
  LOGGED_OUT_COOKIE,
  SESSION_HINT_COOKIE,
  SessionTokens,
} from '@bidwell/contract/account';
import { messages } from '@bidwell/contract/messages';
import { z } from 'zod';
import { ApiError } from './api-error.ts';
import { randomId } from './random-id.ts';
import { withTabLock } from './tab-lock.ts';

/** Who is logged in, as this tab knows it. The access token lives in memory only. */
interface Session {
  accessToken: string;
  userId: string;
  /** The mark of the newest tokens when these came. */
  mark: string | null;
}

type Listener = () => void;

/** What tabs tell each other. */
const TabMessage = z.discriminatedUnion('type', [
  z.object({ type: z.literal('logout') }),
  z.object({ type: z.literal('tokens'), tokens: SessionTokens, mark: z.string() }),
]);

let session: Session | null = null;
let refreshing: Promise<Session | null> | null = null;
const ended = new Set<Listener>();
const failed = new Set<Listener>();
const channel = typeof BroadcastChannel === 'undefined' ? null : new BroadcastChannel('bidwell-session');
channel?.addEventListener('message', (event) => {
  const message = TabMessage.safeParse(event.data);
  if (!message.success) return;
  if (message.data.type === 'logout') endSession();
  else if (session?.userId === message.data.tokens.user_id)
    openSession(message.data.tokens, message.data.mark);
});

/** Whether a session may exist: the readable cookie says so, and holds no secret. */
export function mayHaveSession(): boolean {
  return session !== null || hasHint();
}

/** Takes the tokens that a login answered. */
export function openSession(tokens: unknown, mark = readMark()): void {
  const { access_token: accessToken, user_id: userId } = SessionTokens.parse(tokens);
  session = { accessToken, userId, mark };
}

export function userId(): string | null {
  return session?.userId ?? null;
}

/** An access token, refreshed first when there is none; null without a session. */
export async function accessToken(): Promise<string | null> {
  return (session ?? (await refreshSession(null)))?.accessToken ?? null;
}

/**
 * A new session in place of the one whose token was refused. However many calls are refused at once, in however many
 * tabs, each tab asks once, no two at the same time, and one tab's answer serves the others.
 * Null without a refresh token. Throws ApiError when the refresh fails; a refused one has ended the session.
 */
export function refreshSession(refusedToken: string | null): Promise<Session | null> {
  if (isNewerThan(refusedToken)) return Promise.resolve(session);
  // Two tabs must not spend the same refresh token: the second would end the family.
  refreshing ??= withTabLock('bidwell-refresh', () => askForTokens(refusedToken)).finally(() => {
    refreshing = null;
  });
  return refreshing;
}

const isNewerThan = (refusedToken: string | null) => session !== null && session.accessToken !== refusedToken;

async function askForTokens(refusedToken: string | null): Promise<Session | null> {
  // Another tab may have refreshed, or logged out, while this one waited.
  if (session && session.mark !== readMark()) await tokensOfOtherTab();
  if (isNewerThan(refusedToken)) return session;
  if (!hasHint()) {
    endSession();
    return null;
  }
  // Kept alive past a reload: the cookie that takes the spent one's place must not be lost with the page.
  const response = await fetch('/api/internal/refresh-token', { method: 'POST', keepalive: true }).catch(
    () => null,
  );
  const tokens = response?.ok ? readTokens(await response.json().catch(() => null)) : null;
  if (tokens) {
    // Someone else logged in beside us: nothing of the one before may stay on the screen.
    if (session && session.userId !== tokens.user_id) endSession();
    const mark = randomId();
    writeMark(mark);
    openSession(tokens, mark);
    channel?.postMessage({ type: 'tokens', tokens, mark });
    return session;
  }
  if (response?.status === 401) {
    dropHint();
    endSession();
  }
  for (const listener of failed) listener();
  throw new ApiError(response?.status ?? 0, messages.sessionExpired);
}

function readTokens(body: unknown): SessionTokens | null {
  const parsed = z.object({ data: SessionTokens }).safeParse(body);
  return parsed.success ? parsed.data.data : null;
}

/** How long tokens may be on their way from another tab. */
const ON_THEIR_WAY_MS = 1000;

/** Resolves once another tab has said something, or has not for a while: it may have been closed. */
function tokensOfOtherTab(): Promise<void> {
  return new Promise((resolve) => {
    const heard = () => {
      clearTimeout(timer);
      channel?.removeEventListener('message', heard);
      resolve();
    };
    const timer = setTimeout(heard, channel ? ON_THEIR_WAY_MS : 0);
    channel?.addEventListener('message', heard);
  });
}

/** Over https a cookie's name ties it to this very host. */
const isSecure = () => location.protocol === 'https:';
const named = (name: string) => (isSecure() ? HOST_PREFIX + name : name);

function readCookie(name: string): string | null {
  const entry = document.cookie.split('; ').find((cookie) => cookie.startsWith(`${name}=`));
  return entry?.slice(name.length + 1) ?? null;
}

/** Keeps a cookie as long as the browser is open, or for so many seconds. */
function writeCookie(name: string, value: string, maxAgeSeconds?: number): void {
  const age = maxAgeSeconds === undefined ? '' : `; Max-Age=${maxAgeSeconds}`;
  const secure = isSecure() ? '; Secure' : '';
  document.cookie = `${name}=${value}; Path=/; SameSite=Strict${age}${secure}`;
}

const MARK_COOKIE = 'bidwell_mark';

/**
 * Which refresh of this browser was the newest. It holds no secret, and is a cookie because every tab reads those as they
 * are: a message may arrive later than the lock of the tab that sent it.
 */
const readMark = () => readCookie(named(MARK_COOKIE));
const writeMark = (mark: string) => writeCookie(named(MARK_COOKIE), mark);

/** Its name has the prefix where the server knows that it is reached by https. */
const hintNames = [SESSION_HINT_COOKIE, HOST_PREFIX + SESSION_HINT_COOKIE];
const hasHint = () => hintNames.some((name) => readCookie(name) === '1');

/** Without the readable cookie no tab tries the refresh token again, even where the server could not be told. */
function dropHint(): void {
  for (const name of hintNames) writeCookie(name, '', 0);
}

/** As long as the longest session. */
const LOGGED_OUT_SECONDS = 90 * 86_400;

/**
 * Says to the server, with every call until it has heard it, that this browser logged out: the cookie of the session is none
 * that a page can remove, and the server may be away just now.
 */
export function markLoggedOut({ everywhere }: { everywhere: boolean }): void {
  writeCookie(named(LOGGED_OUT_COOKIE), everywhere ? 'everywhere' : '1', LOGGED_OUT_SECONDS);
}

/** Forgets the session here and tells whoever listens. */
export function endSession(): void {
  session = null;
  for (const listener of ended) listener();
}

/** Forgets the session here and in the other tabs. */
export function endSessionEverywhere(): void {
  dropHint();
  channel?.postMessage({ type: 'logout' });
  endSession();
}

/** Calls `listener` whenever the session has ended; answers how to stop that. */
export function onSessionEnd(listener: Listener): () => void {
  ended.add(listener);
  return () => ended.delete(listener);
}

/** Calls `listener` whenever a refresh has failed; answers how to stop that. */
export function onRefreshFailure(listener: Listener): () => void {
  failed.add(listener);
  return () => failed.delete(listener);
}
