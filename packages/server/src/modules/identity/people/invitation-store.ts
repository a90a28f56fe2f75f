import type { Selectable } from 'kysely';
import type { InvitationTable } from '../../../platform/postgres/schema.ts';
import type { Db } from '../../../platform/postgres/transaction.ts';
import { personName } from '../../../platform/postgres/person-name.ts';

export type InvitationRow = Selectable<InvitationTable>;
type Listed = InvitationRow & { invited_by_name: string };

const inviter = personName('users');

/** The open invitations of a company, newest first. */
export async function listOpenInvitations(db: Db, companyId: string, now: Date): Promise<Listed[]> {
  return db
    .selectFrom('invitations')
    .innerJoin('users', 'users.uuid', 'invitations.invited_by')
    .selectAll('invitations')
    .select(inviter.as('invited_by_name'))
    .where('invitations.company_uuid', '=', companyId)
    .where('revoked_at', 'is', null)
    .where('accepted_at', 'is', null)
    .where('expires_at', '>', now)
    .orderBy('invitations.created_at', 'desc')
    .orderBy('invitations.uuid', 'desc')
    .execute();
}

/** Number of invitations that a company has made since a time, whatever became of them. */
export async function countInvitationsSince(db: Db, companyId: string, since: Date): Promise<number> {
  const { count } = await db
    .selectFrom('invitations')
    .select((eb) => eb.fn.countAll<string | number>().as('count'))
    .where('company_uuid', '=', companyId)
    .where('created_at', '>', since)
    .executeTakeFirstOrThrow();
  return Number(count);
}

export async function insertInvitation(
  db: Db,
  companyId: string,
  invitation: Omit<InvitationRow, 'company_uuid' | 'revoked_at' | 'accepted_at'>,
): Promise<void> {
  await db
    .insertInto('invitations')
    .values({ ...invitation, company_uuid: companyId })
    .execute();
}

/** Revokes open invitations of a company by their ids. */
export async function revokeInvitationRows(
  db: Db,
  companyId: string,
  uuids: readonly string[],
  at: Date,
): Promise<void> {
  if (uuids.length === 0) return;
  await db
    .updateTable('invitations')
    .set({ revoked_at: at })
    .where('company_uuid', '=', companyId)
    .where('uuid', 'in', [...uuids])
    .execute();
}

/** The open invitation of a token, with its company. Not restricted to a company, since the token determines it. */
export async function findOpenInvitation(
  db: Db,
  tokenHash: string,
  now: Date,
): Promise<(InvitationRow & { company_name: string }) | undefined> {
  return db
    .selectFrom('invitations')
    .innerJoin('companies', 'companies.uuid', 'invitations.company_uuid')
    .selectAll('invitations')
    .select('companies.name as company_name')
    .where('token_hash', '=', tokenHash)
    .where('revoked_at', 'is', null)
    .where('accepted_at', 'is', null)
    .where('expires_at', '>', now)
    .executeTakeFirst();
}

/** Marks an open invitation as accepted. False if it is not open any more: of two callers one succeeds. */
export async function spendInvitation(db: Db, companyId: string, uuid: string, now: Date): Promise<boolean> {
  const spent = await db
    .updateTable('invitations')
    .set({ accepted_at: now })
    .where('company_uuid', '=', companyId)
    .where('uuid', '=', uuid)
    .where('revoked_at', 'is', null)
    .where('accepted_at', 'is', null)
    .where('expires_at', '>', now)
    .executeTakeFirst();
  return spent.numUpdatedRows === 1n;
}
