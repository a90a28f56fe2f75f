import type { CompanyRole } from '@bidwell/contract/accounts/permission';
import type { ApiScope } from '@bidwell/contract/accounts/scope';
import type { Db } from '../../../platform/postgres/transaction.ts';
import { personName } from '../../../platform/postgres/person-name.ts';

export interface ApiTokenRow {
  uuid: string;
  name: string;
  ending: string;
  scopes: ApiScope[];
  calls_per_minute: number;
  created_at: Date;
  created_by: string;
  expires_at: Date | null;
  last_used_at: Date | null;
  last_used_address: string | null;
}

/** Unrevoked keys of the company, or the one with an id, expired ones included, newest first. */
export async function listApiTokenRows(db: Db, companyId: string, uuid?: string): Promise<ApiTokenRow[]> {
  const keys = db
    .selectFrom('api_tokens')
    .innerJoin('users', 'users.uuid', 'api_tokens.user_uuid')
    .select(['api_tokens.uuid', 'name', 'ending', 'scopes', 'calls_per_minute', 'api_tokens.created_at'])
    .select(['expires_at', 'last_used_at', 'last_used_address'])
    .select(personName('users').as('created_by'))
    .where('api_tokens.company_uuid', '=', companyId)
    .where('revoked_at', 'is', null)
    .orderBy('api_tokens.created_at', 'desc')
    .orderBy('api_tokens.uuid', 'desc');
  return (uuid === undefined ? keys : keys.where('api_tokens.uuid', '=', uuid)).execute();
}

export async function insertApiToken(
  db: Db,
  companyId: string,
  token: Omit<ApiTokenRow, 'created_by'> & { user_uuid: string; token_hash: string },
): Promise<void> {
  await db
    .insertInto('api_tokens')
    .values({ ...token, company_uuid: companyId })
    .execute();
}

/** Revokes a token and returns its name; undefined if there is no such unrevoked token. */
export async function revokeApiTokenRow(
  db: Db,
  companyId: string,
  uuid: string,
  at: Date,
): Promise<{ name: string } | undefined> {
  return db
    .updateTable('api_tokens')
    .set({ revoked_at: at })
    .where('company_uuid', '=', companyId)
    .where('uuid', '=', uuid)
    .where('revoked_at', 'is', null)
    .returning('name')
    .executeTakeFirst();
}

/** Revokes all tokens that a user created, and returns them. */
export async function revokeApiTokenRowsOf(
  db: Db,
  companyId: string,
  userId: string,
  at: Date,
): Promise<{ uuid: string; name: string }[]> {
  return db
    .updateTable('api_tokens')
    .set({ revoked_at: at })
    .where('company_uuid', '=', companyId)
    .where('user_uuid', '=', userId)
    .where('revoked_at', 'is', null)
    .returning(['uuid', 'name'])
    .execute();
}

/** An unrevoked key, and the standing of whoever made it in its company. */
interface FoundApiToken {
  uuid: string;
  company_uuid: string;
  user_uuid: string;
  name: string;
  scopes: ApiScope[];
  calls_per_minute: number;
  expires_at: Date | null;
  last_used_at: Date | null;
  role: CompanyRole;
  suspended_at: Date | null;
}

/**
 * Unrevoked key with this hash, of somebody who is in its company. Not restricted to a company, since the key determines the
 * company.
 */
export async function findApiToken(db: Db, tokenHash: string): Promise<FoundApiToken | undefined> {
  return db
    .selectFrom('api_tokens')
    .innerJoin('memberships', (join) =>
      join
        .onRef('memberships.company_uuid', '=', 'api_tokens.company_uuid')
        .onRef('memberships.user_uuid', '=', 'api_tokens.user_uuid'),
    )
    .innerJoin('companies', 'companies.uuid', 'api_tokens.company_uuid')
    .select(['api_tokens.uuid', 'api_tokens.company_uuid', 'api_tokens.user_uuid', 'api_tokens.name'])
    .select(['scopes', 'calls_per_minute', 'expires_at', 'last_used_at', 'role', 'suspended_at'])
    .where('token_hash', '=', tokenHash)
    .where('revoked_at', 'is', null)
    .executeTakeFirst();
}

export async function markApiTokenUsed(
  db: Db,
  companyId: string,
  uuid: string,
  { at, address }: { at: Date; address: string },
): Promise<void> {
  await db
    .updateTable('api_tokens')
    .set({ last_used_at: at, last_used_address: address })
    .where('company_uuid', '=', companyId)
    .where('uuid', '=', uuid)
    .execute();
}
