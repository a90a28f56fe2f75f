import type { CompanyRole, Permission } from '@bidwell/contract/accounts/permission';
import type { Db, Tx } from '../../../platform/postgres/transaction.ts';
import { hasFactor } from '../sign-in/factor-store.ts';
import { messages } from '@bidwell/contract/text/messages';
import { Forbidden } from '../../../platform/errors.ts';
import type { Session } from '../../../platform/http/auth/auth.ts';
import { requirePermission } from '../../../platform/permissions.ts';

/** A member of a company. */
export interface MemberRow {
  uuid: string;
  login: string;
  email: string;
  first_name: string;
  last_name: string;
  role: CompanyRole;
  created_at: Date;
}

/** The people of a company, in the order in which they joined. */
export async function listMembers(db: Db, companyId: string): Promise<MemberRow[]> {
  return db
    .selectFrom('memberships')
    .innerJoin('users', 'users.uuid', 'memberships.user_uuid')
    .select(['users.uuid', 'login', 'email', 'first_name', 'last_name', 'role', 'memberships.created_at'])
    .where('memberships.company_uuid', '=', companyId)
    .orderBy('memberships.created_at')
    .orderBy('users.uuid')
    .execute();
}

/**
 * Locks a company until the transaction ends, against other changes of its memberships and invitations. Returns its name;
 * undefined if there is no such company.
 */
export async function lockCompany(db: Db, companyId: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('companies')
    .select('name')
    .where('uuid', '=', companyId)
    .forNoKeyUpdate()
    .executeTakeFirst();
  return row?.name;
}

/** Whether operators have suspended a company. */
export async function isSuspended(db: Db, companyId: string): Promise<boolean> {
  const row = await db
    .selectFrom('companies')
    .select('suspended_at')
    .where('uuid', '=', companyId)
    .executeTakeFirst();
  return (row?.suspended_at ?? null) !== null;
}

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

export async function updateMembershipRole(
  db: Db,
  companyId: string,
  { userId, role }: { userId: string; role: CompanyRole },
): Promise<void> {
  await db
    .updateTable('memberships')
    .set({ role })
    .where('company_uuid', '=', companyId)
    .where('user_uuid', '=', userId)
    .execute();
}

export async function deleteMembership(db: Db, companyId: string, userId: string): Promise<void> {
  await db
    .deleteFrom('memberships')
    .where('company_uuid', '=', companyId)
    .where('user_uuid', '=', userId)
    .execute();
}

/** A company of a person, with their role there, and the other fields that decide on their permissions. */
export interface OwnCompanyRow {
  uuid: string;
  name: string;
  time_zone: string;
  role: CompanyRole;
  suspended_at: Date | null;
  second_factor_required: boolean;
  /** Whether the person has a second factor. */
  has_factor: boolean;
}

/** Whether a company of a person requires a second factor. Not restricted to a company, since a person may be in several. */
export async function needsFactor(db: Db, userId: string): Promise<boolean> {
  const row = await db
    .selectFrom('memberships')
    .innerJoin('companies', 'companies.uuid', 'memberships.company_uuid')
    .select('companies.uuid')
    .where('memberships.user_uuid', '=', userId)
    .where('companies.second_factor_required', '=', true)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** The companies of a person, by name. Crosses companies: a person may be in several. */
export async function companiesOfUser(db: Db, userId: string): Promise<OwnCompanyRow[]> {
  return db
    .selectFrom('memberships')
    .innerJoin('companies', 'companies.uuid', 'memberships.company_uuid')
    .innerJoin('users', 'users.uuid', 'memberships.user_uuid')
    .select(['companies.uuid', 'companies.name', 'companies.time_zone', 'memberships.role'])
    .select(['suspended_at', 'second_factor_required', hasFactor.as('has_factor')])
    .where('memberships.user_uuid', '=', userId)
    .orderBy('companies.name')
    .orderBy('companies.uuid')
    .execute();
}

/**
 * The company that a login leads to: the one in which the person registered or was first invited while they are there, else the
 * one that they joined first; undefined without any but the companies `except`. Crosses companies, since a login is known before a
 * company.
 */
export async function companyOfUser(
  db: Db,
  userId: string,
  except: readonly string[] = [],
): Promise<string | undefined> {
  const row = await db
    .selectFrom('memberships')
    .innerJoin('users', 'users.uuid', 'memberships.user_uuid')
    .select('memberships.company_uuid')
    .where('user_uuid', '=', userId)
    .$if(except.length > 0, (query) => query.where('memberships.company_uuid', 'not in', [...except]))
    .orderBy((eb) => eb('users.company_uuid', '=', eb.ref('memberships.company_uuid')), 'desc')
    .orderBy('memberships.created_at')
    .orderBy('memberships.company_uuid')
    .limit(1)
    .executeTakeFirst();
  return row?.company_uuid;
}

/** The people of a company, locked against other changes until the transaction ends. */
export interface LockedPeople {
  members: MemberRow[];
  companyName: string;
  /** The actor's own role, as it is now. */
  ownRole: CompanyRole;
}

/**
 * Locks the people of the actor's company. Throws Forbidden if the actor's role was taken away since the call began, or does not
 * have the permission any more.
 */
export async function lockPeople(tx: Tx, actor: Session, permission: Permission): Promise<LockedPeople> {
  const companyName = await lockCompany(tx.db, actor.companyId);
  const members = await listMembers(tx.db, actor.companyId);
  const ownRole = members.find(({ uuid }) => uuid === actor.userId)?.role;
  if (companyName === undefined || ownRole === undefined) throw new Forbidden(messages.roleForbids);
  requirePermission({ ...actor, companyRole: ownRole }, permission);
  return { members, companyName, ownRole };
}
