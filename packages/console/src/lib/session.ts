import { SESSION_HINT_COOKIE, SessionTokens } from '@bidwell/contract/account';
import { messages } from '@bidwell/contract/messages';
import { ApiError } from './api-error.ts';

/** Who is logged in, as this tab knows it. The access token lives in memory only. */
interface Session {
  accessToken: string;
  userId: string;
}

type Listener = () => void;

let session: Session | null = null;
let refreshing: Promise<Session | null> | null = null;
const ended = new Set<Listener>();
const channel = typeof BroadcastChannel === 'undefined' ? null : new BroadcastChannel('bidwell-session');
channel?.addEventListener('message', (event) => {
  if (event.data === 'logout') endSession();
});

/** Whether a session may exist: the readable cookie says so, and holds no secret. */
export function mayHaveSession(): boolean {
  return session !== null || document.cookie.split('; ').includes(`${SESSION_HINT_COOKIE}=1`);
}

/** Takes the tokens that a login answered. */
export function openSession(tokens: unknown): void {
  const { access_token: accessToken, user_id: userId } = SessionTokens.parse(tokens);
  session = { accessToken, userId };
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
 * tabs, each tab asks once and no two at the same time. Null when the refresh token is gone too.
 * Throws ApiError when the refresh itself fails.
 */
export function refreshSession(refusedToken: string | null): Promise<Session | null> {
  if (session && session.accessToken !== refusedToken) return Promise.resolve(session);
  refreshing ??= withLock(askForTokens).finally(() => {
    refreshing = null;
  });
  return refreshing;
}

async function askForTokens(): Promise<Session | null> {
  if (!mayHaveSession()) return forget();
  const response = await fetch('/api/internal/refresh-token', { method: 'POST' }).catch(() => null);
  if (response?.ok) {
    openSession(((await response.json()) as { data: unknown }).data);
    return session;
  }
  if (response?.status === 401) return forget();
  throw new ApiError(response?.status ?? 0, messages.sessionExpired);
}

function forget(): null {
  endSession();
  return null;
}

async function withLock<T>(work: () => Promise<T>): Promise<T> {
  // Two tabs must not spend the same refresh token: the second would end the family.
  // Absent where the page is served over plain http from another host.
  const locks = navigator.locks as LockManager | null | undefined;
  return locks ? ((await locks.request('bidwell-refresh', work)) as T) : work();
}

/** Forgets the session here and tells whoever listens. */
export function endSession(): void {
  session = null;
  for (const listener of ended) listener();
}

/** Forgets the session here and in the other tabs. */
export function endSessionEverywhere(): void {
  channel?.postMessage('logout');
  endSession();
}

/** Calls `listener` whenever the session has ended; answers how to stop that. */
export function onSessionEnd(listener: Listener): () => void {
  ended.add(listener);
  return () => ended.delete(listener);
}
