import { CONFIRMED_MINUTES } from '@bidwell/contract/accounts/sign-in';
import type { Client } from '../../../platform/http/auth/client.ts';
import type { Db } from '../../../platform/postgres/transaction.ts';
import { findSessionDetails, setConfirmed } from './session-details-store.ts';

/** A session of an account, a person's or an operator's; its login counts as a proof of who makes its calls. */
export interface ProvedSession {
  sessionId: string;
  accountUuid: string;
  startedAt: Date;
}

/** Until when the last proof of a session counts; may be past. */
export async function provedUntil(
  db: Db,
  { sessionId, startedAt }: Pick<ProvedSession, 'sessionId' | 'startedAt'>,
): Promise<Date> {
  const details = await findSessionDetails(db, sessionId);
  return untilOf(details?.confirmed_at ?? startedAt);
}

/** Notes a proof of a session that was given now; resolves to when it ends to count. */
export async function noteProof(
  db: Db,
  { sessionId, accountUuid, startedAt }: ProvedSession,
  { userAgent, address }: Client,
  now: Date,
): Promise<Date> {
  await setConfirmed(db, {
    uuid: sessionId,
    account_uuid: accountUuid,
    user_agent: userAgent,
    address,
    started_at: startedAt,
    last_used_at: now,
    confirmed_at: now,
  });
  return untilOf(now);
}

const untilOf = (provedAt: Date) => new Date(provedAt.getTime() + CONFIRMED_MINUTES * 60_000);
