import type { CompanyRole } from '@bidwell/contract/accounts/permission';
import type { Registration } from '@bidwell/contract/accounts/schema';
import type { Context } from '@bidwell/server/context';
import { insertMembership } from '@bidwell/server/modules/accounts/people/membership-store';
import { insertUser } from '@bidwell/server/modules/accounts/store';
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
      created_at: at,
      updated_at: at,
    });
    await insertMembership(tx.db, companyId, { userId, role, at });
  });
  return userId;
}
