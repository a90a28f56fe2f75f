import type { EndedSessions } from '../../engines.ts';
import { ACCESS_TOKEN_SECONDS } from './tokens.ts';

/**
 * Remembers the sessions that ended in this process for as long as an access token of theirs could live, so that it
 * stops at once. Other processes learn of it when that token ends, at most 15 minutes later.
 */
export function rememberEndedSessions(now: () => Date): EndedSessions {
  const untilMs = new Map<string, number>();
  return {
    add(sessionIds) {
      const nowMs = now().getTime();
      // The oldest stand first: those that are over go, and the rest is at most a quarter of an hour of endings.
      for (const [sessionId, endMs] of untilMs) {
        if (endMs > nowMs) break;
        untilMs.delete(sessionId);
      }
      for (const sessionId of sessionIds) untilMs.set(sessionId, nowMs + ACCESS_TOKEN_SECONDS * 1000);
    },
    has: (sessionId) => untilMs.has(sessionId),
  };
}
