import type { CompanyRole } from '@bidwell/contract/accounts/permission';
import { type Insertable, type Selectable, sql } from 'kysely';
import type { CompanyTable, UserTable } from '../../platform/postgres/schema.ts';
import type { Db } from '../../platform/postgres/transaction.ts';
import { hasFactor } from './sign-in/factor-store.ts';

export type UserRow = Selectable<UserTable>;
/** A person, and whether they have a second factor. */
export type PersonRow = UserRow & { has_factor: boolean };
/** A person as a member of a company; `company_uuid` is the one in which they registered or were first invited. */
export type UserWithCompany = PersonRow & {
  role: CompanyRole;
  member_of: string;
  company_name: string;
  time_zone: string;
  second_factor_required: boolean;
};

export async function insertCompany(
  db: Db,
  company: Pick<Selectable<CompanyTable>, 'uuid' | 'name' | 'postback_secret' | 'created_at'>,
): Promise<void> {
  await db.insertInto('companies').values(company).execute();
}

/** Inserts a person of a company, without a membership. False if the login is taken, also by a concurrent registration. */
export async function insertUser(
  db: Db,
  companyId: string,
  user: Omit<Insertable<UserTable>, 'company_uuid' | 'one_time_password_until'>,
): Promise<boolean> {
  const inserted = await db
    .insertInto('users')
    .values({ ...user, company_uuid: companyId })
    .onConflict((conflict) => conflict.column('login').doNothing())
    .executeTakeFirst();
  return inserted.numInsertedOrUpdatedRows === 1n;
}

export async function findTimeZone(db: Db, companyId: string): Promise<string> {
  const row = await db
    .selectFrom('companies')
    .select('time_zone')
    .where('uuid', '=', companyId)
    .executeTakeFirst();
  return row?.time_zone ?? 'UTC';
}

/** Finds a person by login. Not restricted to a company, since a login is known before a company. */
export async function findUserByLogin(db: Db, login: string): Promise<PersonRow | undefined> {
  return people(db).where('login', '=', login).executeTakeFirst();
}

/** A person by id. Not restricted to a company, since a person may be in several. */
export async function findUserOfAnyCompany(db: Db, userId: string): Promise<PersonRow | undefined> {
  return people(db).where('uuid', '=', userId).executeTakeFirst();
}

const people = (db: Db) => db.selectFrom('users').selectAll().select(hasFactor.as('has_factor'));

/** A member of a company. */
export async function findUser(
  db: Db,
  companyId: string,
  userId: string,
): Promise<UserWithCompany | undefined> {
  return db
    .selectFrom('users')
    .innerJoin('memberships', 'memberships.user_uuid', 'users.uuid')
    .innerJoin('companies', 'companies.uuid', 'memberships.company_uuid')
    .selectAll('users')
    .select(hasFactor.as('has_factor'))
    .select(['memberships.role', 'memberships.company_uuid as member_of'])
    .select(['companies.name as company_name', 'companies.time_zone', 'companies.second_factor_required'])
    .where('memberships.company_uuid', '=', companyId)
    .where('users.uuid', '=', userId)
    .executeTakeFirst();
}

/** Changes a person. Not restricted to a company, since a person may be in several. */
export async function updateUser(
  db: Db,
  userId: string,
  changes: Partial<Omit<UserRow, 'uuid' | 'company_uuid'>>,
): Promise<void> {
  await db.updateTable('users').set(changes).where('uuid', '=', userId).execute();
}

/** Notes that a person's address was confirmed, if it still is theirs. Not restricted to a company, since a person may be in several. */
export async function confirmPersonAddress(
  db: Db,
  userId: string,
  { email, at }: { email: string; at: Date },
): Promise<void> {
  await db
    .updateTable('users')
    .set({ email_confirmed_at: at })
    .where('uuid', '=', userId)
    .where('email', '=', email)
    .where('email_confirmed_at', 'is', null)
    .execute();
}

/** The address of a company's billing details; undefined without one. */
export async function findBillingAddress(db: Db, companyId: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('billing_details')
    .select('details')
    .where('company_uuid', '=', companyId)
    .executeTakeFirst();
  return row?.details.email ?? undefined;
}

/** As {@link confirmPersonAddress}, of a company's billing details. */
export async function confirmBillingAddress(
  db: Db,
  companyId: string,
  { email, at }: { email: string; at: Date },
): Promise<void> {
  await db
    .updateTable('billing_details')
    .set({ email_confirmed_at: at })
    .where('company_uuid', '=', companyId)
    .where(sql`details->>'email'`, '=', email)
    .where('email_confirmed_at', 'is', null)
    .execute();
}

/** Locks a person until the transaction ends. Not restricted to a company, since a person may be in several. */
export async function lockUser(db: Db, userId: string): Promise<void> {
  await db.selectFrom('users').select('uuid').where('uuid', '=', userId).forNoKeyUpdate().execute();
}

/**
 * Ends the use of a one-time password for logins: true for the one login that may use it. Not restricted to a company,
 * since a login is known before a company.
 */
export async function useOneTimePassword(db: Db, userId: string, now: Date): Promise<boolean> {
  const used = await db
    .updateTable('users')
    .set({ one_time_password_until: now })
    .where('uuid', '=', userId)
    .where('one_time_password_until', '>', now)
    .executeTakeFirst();
  return used.numUpdatedRows === 1n;
}

export async function insertAvatar(
  db: Db,
  companyId: string,
  file: { uuid: string; size_bytes: number; sha256: string; width: number; height: number; created_at: Date },
): Promise<void> {
  await db
    .insertInto('files')
    .values({ ...file, company_uuid: companyId, content_type: 'image/png', extension: 'png' })
    .execute();
}
