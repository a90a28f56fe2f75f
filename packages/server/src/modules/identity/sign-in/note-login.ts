import { notificationMessages } from '@bidwell/contract/text/messages';
import type { Context } from '../../../context.ts';
import { deviceText } from '../../../platform/http/auth/user-agent.ts';
import type { Tx } from '../../../platform/postgres/transaction.ts';
import { findUser, lockUser } from '../store.ts';
import type { LoginClient } from './client.ts';
import { insertSessionDetails, rememberDevice } from './session-details-store.ts';
import { notifyPerson } from './notify-person.ts';

/** Time after the registration in which a person logs in with the devices that they have. */
const SETTLING_MS = 3_600_000;

/** A session that begins with a login. */
interface NewSession {
  sessionId: string;
  userId: string;
  companyId: string;
}

/** Stores from where a person logged in. The person is notified of a device that is new to the account, from an
 * hour after the registration on. */
export async function noteLogin(
  ctx: Context,
  tx: Tx,
  { sessionId, userId, companyId }: NewSession,
  { userAgent, address, deviceHash }: LoginClient,
): Promise<void> {
  const now = ctx.now();
  await insertSessionDetails(tx.db, {
    uuid: sessionId,
    account_uuid: userId,
    user_agent: userAgent,
    address,
    started_at: now,
    last_used_at: now,
    confirmed_at: now,
  });
  await lockUser(tx.db, userId);
  const device = { account_uuid: userId, device_hash: deviceHash, last_used_at: now };
  const isNew = await rememberDevice(tx.db, device);
  const user = isNew ? await findUser(tx.db, companyId, userId) : undefined;
  if (!user || now.getTime() - user.created_at.getTime() < SETTLING_MS) return;
  const where = { device: deviceText(userAgent), address, at: now };
  await notifyPerson(ctx, tx, { userId, companyId }, (login) => notificationMessages.newDevice(login, where));
}
