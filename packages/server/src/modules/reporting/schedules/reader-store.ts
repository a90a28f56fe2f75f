import { companyRoleHas } from '@bidwell/contract/accounts/permission';
import { anyOf } from '../../../platform/postgres/client.ts';
import type { Db } from '../../../platform/postgres/transaction.ts';

/** A person who gets a report. */
export interface Reader {
  userId: string;
  email: string;
  /** Whether they confirmed the address: nothing is mailed to it before. */
  isConfirmed: boolean;
}

/** Those of `userIds` who belong to the company in a role that may read reports. */
export async function findReaders(db: Db, companyId: string, userIds: readonly string[]): Promise<Reader[]> {
  const rows = await db
    .selectFrom('memberships')
    .innerJoin('users', 'users.uuid', 'memberships.user_uuid')
    .select(['users.uuid as userId', 'users.email', 'users.email_confirmed_at', 'memberships.role'])
    .where('memberships.company_uuid', '=', companyId)
    .where('memberships.user_uuid', '=', anyOf(userIds))
    .orderBy('memberships.created_at')
    .orderBy('users.uuid')
    .execute();
  return rows
    .filter(({ role }) => companyRoleHas(role, 'report.read'))
    .map(({ userId, email, email_confirmed_at }) => ({
      userId,
      email,
      isConfirmed: email_confirmed_at !== null,
    }));
}
