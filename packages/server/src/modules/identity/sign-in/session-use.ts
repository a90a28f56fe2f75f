import type { Context } from '../../../context.ts';
import type { Client } from '../../../platform/http/auth/client.ts';
import { lruCache } from '../../../platform/lru-cache.ts';
import type { Db } from '../../../platform/postgres/transaction.ts';
import { noteUse, renewSessionDetails } from './session-details-store.ts';

/** A session's use is written once in this time at most, by all processes together. */
const NOTED_EVERY_MS = 5 * 60_000;
/** A process asks the database once in this time whether it is to be written. */
const ASKED_EVERY_MS = 60_000;
/** Sessions of which a process remembers when it asked. */
const REMEMBERED_MAX = 20_000;
const askedAtMs = lruCache<string, number>(REMEMBERED_MAX);

/** Notes that a session was used. What it is called for does not fail where that cannot be written. */
export async function noteSessionUse(ctx: Context, sessionId: string): Promise<void> {
  const now = ctx.now();
  const nowMs = now.getTime();
  if (nowMs - (askedAtMs.get(sessionId) ?? -Infinity) < ASKED_EVERY_MS) return;
  askedAtMs.set(sessionId, nowMs);
  try {
    await noteUse(ctx.db, sessionId, now, new Date(nowMs - NOTED_EVERY_MS));
  } catch (err) {
    ctx.log.warn({ err }, 'the use of a session could not be noted');
  }
}

/** Notes from where a session is renewed. */
export async function noteRenewal(
  ctx: Context,
  db: Db,
  session: { sessionId: string; userId: string; loggedInAt: Date },
  { userAgent, address }: Client,
): Promise<void> {
  await renewSessionDetails(db, {
    uuid: session.sessionId,
    account_uuid: session.userId,
    user_agent: userAgent,
    address,
    started_at: session.loggedInAt,
    last_used_at: ctx.now(),
    confirmed_at: session.loggedInAt,
  });
}
