import type { CompanyRole } from '@bidwell/contract/accounts/permission';
import type { Registration } from '@bidwell/contract/accounts/schema';
import type { Context } from '@bidwell/server/context';
import { insertMembership } from '@bidwell/server/modules/identity/people/membership-store';
import { insertUser, updateUser } from '@bidwell/server/modules/identity/store';
import { transact } from '@bidwell/server/platform/postgres/transaction';
import { v7 as uuidv7 } from 'uuid';

/** Adds a person to a company without an invitation; resolves to their id. */
export async function joined(
  ctx: Context,
  companyId: string,
  { password: _password, role, ...person }: Registration & { role: CompanyRole },
  passwordHash: string,
): Promise<string> {
  const userId = uuidv7();
  const at = ctx.now();
  await transact(ctx.db, async (tx) => {
    await insertUser(tx.db, companyId, {
      uuid: userId,
      ...person,
      password_hash: passwordHash,
      avatar_file_uuid: null,
      email_confirmed_at: at,
      created_at: at,
      updated_at: at,
    });
    await insertMembership(tx.db, companyId, { userId, role, at });
  });
  return userId;
}

/** Confirms the mail address of a person, as the link that was sent there does; of another one, if one is given, without a mail to it. */
export async function confirmMail(
  { db, now }: Pick<Context, 'db' | 'now'>,
  userId: string,
  email?: string,
): Promise<void> {
  await updateUser(db, userId, { ...(email !== undefined && { email }), email_confirmed_at: now() });
}
