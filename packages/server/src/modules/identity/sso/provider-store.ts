import { type Selectable, sql } from 'kysely';
import type { Place } from '../../../platform/encryption.ts';
import type { SsoDomainTable, SsoProviderTable } from '../../../platform/postgres/schema.ts';
import type { Db } from '../../../platform/postgres/transaction.ts';

export type ProviderRow = Selectable<SsoProviderTable>;
export type DomainRow = Selectable<SsoDomainTable>;

/** Where the client secret of a company is stored. */
export const clientSecretPlace = (companyId: string): Place => ({
  table: 'sso_providers',
  column: 'client_secret',
  row: companyId,
});

export async function findProvider(db: Db, companyId: string): Promise<ProviderRow | undefined> {
  return db.selectFrom('sso_providers').selectAll().where('company_uuid', '=', companyId).executeTakeFirst();
}

export async function upsertProvider(
  db: Db,
  companyId: string,
  provider: Omit<ProviderRow, 'company_uuid'>,
): Promise<void> {
  await db
    .insertInto('sso_providers')
    .values({ company_uuid: companyId, ...provider })
    .onConflict((conflict) => conflict.column('company_uuid').doUpdateSet(provider))
    .execute();
}

export async function deleteProvider(db: Db, companyId: string): Promise<void> {
  await db.deleteFrom('sso_providers').where('company_uuid', '=', companyId).execute();
}

/** The mail domains of a company, by name. */
export async function listDomains(db: Db, companyId: string): Promise<DomainRow[]> {
  return db
    .selectFrom('sso_domains')
    .selectAll()
    .where('company_uuid', '=', companyId)
    .orderBy('domain')
    .execute();
}

export async function insertDomain(
  db: Db,
  companyId: string,
  domain: Pick<DomainRow, 'uuid' | 'domain' | 'token' | 'verified_at' | 'created_at'>,
): Promise<void> {
  await db
    .insertInto('sso_domains')
    .values({ company_uuid: companyId, ...domain })
    .execute();
}

/** Marks a domain as proven. False if another company has proven it, also at the same time. In a transaction. */
export async function verifyDomainRow(
  db: Db,
  companyId: string,
  { uuid, domain }: Pick<DomainRow, 'uuid' | 'domain'>,
  at: Date,
): Promise<boolean> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`sso domain ${domain}`}, 0))`.execute(db);
  const taken = await db
    .selectFrom('sso_domains')
    .select('uuid')
    .where('domain', '=', domain)
    .where('verified_at', 'is not', null)
    .where('company_uuid', '!=', companyId)
    .executeTakeFirst();
  if (taken) return false;
  await db
    .updateTable('sso_domains')
    .set({ verified_at: at })
    .where('company_uuid', '=', companyId)
    .where('uuid', '=', uuid)
    .execute();
  return true;
}

/** Proven domains whose record was last looked for before an instant. Crosses companies, since it is a job for all. */
export async function dueDomains(db: Db, before: Date, limit: number): Promise<DomainRow[]> {
  return db
    .selectFrom('sso_domains')
    .selectAll()
    .where('verified_at', 'is not', null)
    .where(({ eb, or }) => or([eb('record_checked_at', 'is', null), eb('record_checked_at', '<=', before)]))
    .orderBy(sql`record_checked_at nulls first`)
    .limit(limit)
    .execute();
}

/** Stores that it was looked for the record of a domain, whether it was there, and whether the owners are notified that it is gone. */
export async function saveRecordCheck(
  db: Db,
  companyId: string,
  check: { uuid: string; checkedAt: Date; isThere: boolean; isNotified?: boolean },
): Promise<void> {
  const { uuid, checkedAt, isThere, isNotified = false } = check;
  await db
    .updateTable('sso_domains')
    .set({
      record_checked_at: checkedAt,
      ...(isThere && { record_seen_at: checkedAt }),
      ...(isNotified && { record_notified_at: checkedAt }),
    })
    .where('company_uuid', '=', companyId)
    .where('uuid', '=', uuid)
    .execute();
}

/** Removes a domain. False if the company has none of this id. */
export async function deleteDomain(db: Db, companyId: string, uuid: string): Promise<boolean> {
  const deleted = await db
    .deleteFrom('sso_domains')
    .where('company_uuid', '=', companyId)
    .where('uuid', '=', uuid)
    .executeTakeFirst();
  return deleted.numDeletedRows === 1n;
}

/** The company that has proven a mail domain and has a provider. Crosses companies: it is found by the domain. */
export async function findCompanyOfDomain(db: Db, domain: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('sso_domains')
    .innerJoin('sso_providers', 'sso_providers.company_uuid', 'sso_domains.company_uuid')
    .select('sso_domains.company_uuid')
    .where('domain', '=', domain)
    .where('verified_at', 'is not', null)
    .where('client_secret', 'is not', null)
    .executeTakeFirst();
  return row?.company_uuid;
}

/** Whether a company of a person has a provider. Crosses companies: a person may be in several. */
export async function isWithProvider(db: Db, userId: string): Promise<boolean> {
  const row = await db
    .selectFrom('memberships')
    .innerJoin('sso_providers', 'sso_providers.company_uuid', 'memberships.company_uuid')
    .select('memberships.company_uuid')
    .where('memberships.user_uuid', '=', userId)
    .where('client_secret', 'is not', null)
    .executeTakeFirst();
  return row !== undefined;
}

/** Whether a company requires single sign-on of people with addresses of a mail domain: the domains that it has proven. Owners are excepted. */
export async function requiresSsoOf(db: Db, companyId: string, domain: string): Promise<boolean> {
  const row = await db
    .selectFrom('sso_providers')
    .innerJoin('sso_domains', 'sso_domains.company_uuid', 'sso_providers.company_uuid')
    .select('sso_domains.uuid')
    .where('sso_providers.company_uuid', '=', companyId)
    .where('is_required', '=', true)
    .where('client_secret', 'is not', null)
    .where('verified_at', 'is not', null)
    .where('domain', '=', domain)
    .executeTakeFirst();
  return row !== undefined;
}

/**
 * The companies of a person for which they may not use a password: those that require single sign-on, have proven the domain of the
 * person's address or know them at the provider, unless they own it. Crosses companies: a person may be in several.
 */
export async function companiesRequiringSso(db: Db, userId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('memberships')
    .innerJoin('users', 'users.uuid', 'memberships.user_uuid')
    .innerJoin('sso_providers', 'sso_providers.company_uuid', 'memberships.company_uuid')
    .select('memberships.company_uuid')
    .where('memberships.user_uuid', '=', userId)
    .where('memberships.role', '!=', 'owner')
    .where('is_required', '=', true)
    .where('client_secret', 'is not', null)
    .where(({ exists, or, selectFrom }) =>
      or([
        exists(
          selectFrom('sso_domains')
            .select('sso_domains.uuid')
            .whereRef('sso_domains.company_uuid', '=', 'memberships.company_uuid')
            .where('verified_at', 'is not', null)
            .where('domain', '=', sql<string>`lower(split_part(users.email, '@', 2))`),
        ),
        exists(
          selectFrom('sso_identities')
            .select('subject')
            .whereRef('sso_identities.company_uuid', '=', 'memberships.company_uuid')
            .whereRef('sso_identities.user_uuid', '=', 'users.uuid'),
        ),
      ]),
    )
    .execute();
  return rows.map(({ company_uuid }) => company_uuid);
}

/**
 * Whether a company of a person has proven a mail domain, without the companies that the person owns. Not restricted to a company: a person may be in
 * several.
 */
export async function isDomainOfCompanies(db: Db, userId: string, domain: string): Promise<boolean> {
  const row = await db
    .selectFrom('memberships')
    .innerJoin('sso_domains', 'sso_domains.company_uuid', 'memberships.company_uuid')
    .select('sso_domains.uuid')
    .where('memberships.user_uuid', '=', userId)
    .where('memberships.role', '!=', 'owner')
    .where('domain', '=', domain)
    .where('verified_at', 'is not', null)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}
