import type { Selectable } from 'kysely';
import { anyOf } from '../../../platform/postgres/client.ts';
import type { CompanyTable, MembershipTable, UserTable } from '../../../platform/postgres/schema.ts';
import type { Db } from '../../../platform/postgres/transaction.ts';

// Operators see all companies, so nothing here is restricted to one.

export type CompanyRow = Selectable<CompanyTable>;
export type PersonRow = Pick<
  Selectable<UserTable>,
  'uuid' | 'login' | 'email' | 'first_name' | 'last_name' | 'contact'
> &
  Pick<Selectable<MembershipTable>, 'company_uuid' | 'role'>;

/** The key by which a list of companies is sorted. */
export type CompanyKey = Pick<
  CompanyRow,
  'uuid' | 'name' | 'time_zone' | 'credit_limit_micros' | 'created_at'
>;

/**
 * The companies that match a text and a status, newest first. The text is part of the name, or of a login or email address
 * of its people, or the whole id.
 */
export async function matchingCompanies(
  db: Db,
  { q, status }: { q?: string | undefined; status?: 'active' | 'suspended' | undefined },
): Promise<CompanyKey[]> {
  let companies = db
    .selectFrom('companies')
    .select(['uuid', 'name', 'time_zone', 'credit_limit_micros', 'created_at']);
  if (status) companies = companies.where('suspended_at', status === 'active' ? 'is' : 'is not', null);
  if (q) {
    const part = `%${q.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`;
    companies = companies.where((of) =>
      of.or([
        of('name', 'ilike', part),
        of(of.cast<string>('uuid', 'text'), '=', q.toLowerCase()),
        of(
          'uuid',
          'in',
          of
            .selectFrom('users')
            .innerJoin('memberships', 'memberships.user_uuid', 'users.uuid')
            .select('memberships.company_uuid')
            .where((user) => user.or([user('login', 'ilike', part), user('email', 'ilike', part)])),
        ),
      ]),
    );
  }
  return companies.orderBy('created_at', 'desc').orderBy('uuid', 'desc').execute();
}

/** Companies by id, in any order. */
export async function companiesOf(db: Db, uuids: readonly string[]): Promise<CompanyRow[]> {
  return db.selectFrom('companies').selectAll().where('uuid', '=', anyOf(uuids)).execute();
}

/** The people of companies, in the order in which they joined. */
export async function peopleOf(db: Db, companyUuids: readonly string[]): Promise<PersonRow[]> {
  return db
    .selectFrom('users')
    .innerJoin('memberships', 'memberships.user_uuid', 'users.uuid')
    .select(['users.uuid', 'login', 'email', 'first_name', 'last_name', 'contact'])
    .select(['memberships.company_uuid', 'memberships.role'])
    .where('memberships.company_uuid', '=', anyOf(companyUuids))
    .orderBy('memberships.created_at')
    .orderBy('users.uuid')
    .execute();
}

/** Reads a company and locks it until the transaction ends. */
export async function findCompanyLocked(db: Db, uuid: string): Promise<CompanyRow | undefined> {
  return db.selectFrom('companies').selectAll().where('uuid', '=', uuid).forNoKeyUpdate().executeTakeFirst();
}

export async function updateCompany(
  db: Db,
  uuid: string,
  changes: Partial<
    Pick<
      CompanyRow,
      | 'name'
      | 'suspended_at'
      | 'suspension_reason'
      | 'notes'
      | 'margin_basis_points'
      | 'second_factor_required'
      | 'time_zone'
      | 'storage_quota_bytes'
    >
  >,
): Promise<void> {
  await db.updateTable('companies').set(changes).where('uuid', '=', uuid).execute();
}
