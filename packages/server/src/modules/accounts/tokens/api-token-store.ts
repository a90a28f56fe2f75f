import type { CompanyRole } from '@bidwell/contract/accounts/permission';
import type { Db } from '../../../platform/postgres/transaction.ts';

export interface ApiTokenRow {
  uuid: string;
  name: string;
  ending: string;
  created_at: Date;
  last_used_at: Date | null;
}

/** Unrevoked tokens of the company, newest first. */
export async function listApiTokenRows(db: Db, companyId: string): Promise<ApiTokenRow[]> {
  return db
    .selectFrom('api_tokens')
    .select(['uuid', 'name', 'ending', 'created_at', 'last_used_at'])
    .where('company_uuid', '=', companyId)
    .where('revoked_at', 'is', null)
    .orderBy('created_at', 'desc')
    .orderBy('uuid', 'desc')
    .execute();
}

export async function insertApiToken(
  db: Db,
  companyId: string,
  token: ApiTokenRow & { user_uuid: string; token_hash: string },
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

/** An unrevoked token, and the role of whoever made it in its company. */
interface FoundApiToken {
  uuid: string;
  company_uuid: string;
  user_uuid: string;
  last_used_at: Date | null;
  role: CompanyRole;
}

/**
 * Unrevoked token with this hash, of somebody who is in its company. Not restricted to a company, since the token determines the
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
    .select(['uuid', 'api_tokens.company_uuid', 'api_tokens.user_uuid', 'last_used_at', 'role'])
    .where('token_hash', '=', tokenHash)
    .where('revoked_at', 'is', null)
    .executeTakeFirst();
}

export async function markApiTokenUsed(db: Db, companyId: string, uuid: string, at: Date): Promise<void> {
  await db
    .updateTable('api_tokens')
    .set({ last_used_at: at })
    .where('company_uuid', '=', companyId)
    .where('uuid', '=', uuid)
    .execute();
}
