import type { CompanyRole } from '@bidwell/contract/accounts/permission';
import type { Db } from '../../../platform/postgres/transaction.ts';

/** Adds a person to a company. False if they are there already. */
export async function insertMembership(
  db: Db,
  companyId: string,
  { userId, role, at }: { userId: string; role: CompanyRole; at: Date },
): Promise<boolean> {
  const inserted = await db
    .insertInto('memberships')
    .values({ company_uuid: companyId, user_uuid: userId, role, created_at: at })
    .onConflict((conflict) => conflict.columns(['company_uuid', 'user_uuid']).doNothing())
    .executeTakeFirst();
  return inserted.numInsertedOrUpdatedRows === 1n;
}

/**
 * The company that a login leads to: the one in which the person registered or was first invited while they are there, else the
 * one that they joined first; undefined without any. Crosses companies, since a login is known before a company.
 */
export async function companyOfUser(db: Db, userId: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('memberships')
    .innerJoin('users', 'users.uuid', 'memberships.user_uuid')
    .select('memberships.company_uuid')
    .where('user_uuid', '=', userId)
    .orderBy((eb) => eb('users.company_uuid', '=', eb.ref('memberships.company_uuid')), 'desc')
    .orderBy('memberships.created_at')
    .orderBy('memberships.company_uuid')
    .limit(1)
    .executeTakeFirst();
  return row?.company_uuid;
}
