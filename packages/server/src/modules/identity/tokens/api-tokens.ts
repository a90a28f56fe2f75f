import { companyRoleHas, type CompanyRole } from '@bidwell/contract/accounts/permission';
import { accountApiMessages } from '@bidwell/contract/accounts/api-messages';
import {
  API_TOKEN_PREFIX,
  type ApiToken,
  type ApiTokenInput,
  type NewApiToken,
} from '@bidwell/contract/accounts/api-token';
import { v7 as uuidv7 } from 'uuid';
import type { Context } from '../../../context.ts';
import type { Actor } from '../../../platform/actor.ts';
import { Conflict, NotFound, Unauthenticated } from '../../../platform/errors.ts';
import type { Session } from '../../../platform/http/auth/auth.ts';
import { requirePermission } from '../../../platform/permissions.ts';
import { type Tx, transact, type Db } from '../../../platform/postgres/transaction.ts';
import { ownRequest } from '../../../platform/telemetry/request-id.ts';
import { recordChange } from '../../changes/public.ts';
import { lockCompany } from '../people/membership-store.ts';
import { hashToken, newSecretToken } from '../sessions/access-tokens.ts';
import type { ApiScope } from '@bidwell/contract/accounts/scope';
import { personName } from '../../../platform/postgres/person-name.ts';
import { setOwned } from '../../../platform/postgres/stores/owned-store.ts';

const TOKENS_MAX = 50;
const USED_RESOLUTION_MS = 60_000;
const DAY_MS = 86_400_000;

/** Unrevoked API keys of the company, expired ones included, newest first. */
export async function listApiTokens(ctx: Context, actor: Actor): Promise<ApiToken[]> {
  requirePermission(actor, 'api_token.read');
  const { companyId } = actor;
  return (await listApiTokenRows(ctx.db, companyId)).map(presentApiToken);
}

/**
 * Creates a key with scopes, which has no permission that its creator lacks, until it expires or is revoked. Only its hash is
 * stored. Throws Conflict if there are 50.
 */
export async function createApiToken(
  ctx: Context,
  actor: Session,
  { name, scopes, calls_per_minute, expires_in_days: days }: ApiTokenInput,
): Promise<NewApiToken> {
  requirePermission(actor, 'api_token.create');
  const token = API_TOKEN_PREFIX + newSecretToken();
  const now = ctx.now();
  const row = {
    uuid: uuidv7(),
    name,
    ending: token.slice(-4),
    scopes,
    calls_per_minute,
    created_at: now,
    expires_at: days === null ? null : new Date(now.getTime() + days * DAY_MS),
    last_used_at: null,
    last_used_address: null,
  };
  return transact(ctx.db, async (tx) => {
    // Against other keys at once, which would exceed the limit together.
    await lockCompany(tx.db, actor.companyId);
    if ((await listApiTokenRows(tx.db, actor.companyId)).length >= TOKENS_MAX)
      throw new Conflict(accountApiMessages.apiTokenLimit(TOKENS_MAX));
    const secret = { user_uuid: actor.userId, token_hash: hashToken(token) };
    await insertApiToken(tx.db, actor.companyId, { ...row, ...secret });
    await recordChange(ctx, tx, actor, {
      entity: 'api_token',
      uuid: row.uuid,
      name,
      after: { name, scopes, expires_at: row.expires_at?.toISOString() ?? null },
    });
    const [made] = await listApiTokenRows(tx.db, actor.companyId, row.uuid);
    return { ...presentApiToken(made!), token };
  });
}

/** Revokes a token, with immediate effect in all processes. Throws NotFound. */
export async function revokeApiToken(ctx: Context, actor: Actor, { uuid }: { uuid: string }): Promise<void> {
  requirePermission(actor, 'api_token.revoke');
  await transact(ctx.db, async (tx) => {
    const revoked = await revokeApiTokenRow(tx.db, actor.companyId, uuid, ctx.now());
    if (!revoked) throw new NotFound('API token');
    await recordRevocation(ctx, tx, actor, { uuid, ...revoked });
  });
}

/** Revokes all tokens that the actor created, in the transaction that changes their password. */
export async function revokeOwnApiTokens(ctx: Context, tx: Tx, actor: Session): Promise<void> {
  await revokeApiTokensOf(ctx, tx, actor, actor.userId);
}

/** Revokes all tokens that a person created in the actor's company. */
export async function revokeApiTokensOf(ctx: Context, tx: Tx, actor: Actor, userId: string): Promise<void> {
  const revoked = await revokeApiTokenRowsOf(tx.db, actor.companyId, userId, ctx.now());
  for (const token of revoked) await recordRevocation(ctx, tx, actor, token);
}

async function recordRevocation(
  ctx: Context,
  tx: Tx,
  actor: Actor,
  { uuid, name }: { uuid: string; name: string },
): Promise<void> {
  await recordChange(ctx, tx, actor, { entity: 'api_token', uuid, name, before: { name } });
}

/**
 * Session of a request with an API key from an address, with the standing that the person who made it has now; null for an unknown
 * or revoked key, and for one of a person who may no longer make one: they may have made it while their role was being taken away.
 * Throws Unauthenticated for a key that has expired.
 */
export async function apiTokenSession(ctx: Context, token: string, address: string): Promise<Session | null> {
  const found = await findApiToken(ctx.db, hashToken(token));
  if (!found || !companyRoleHas(found.role, 'api_token.create')) return null;
  const { uuid, company_uuid: companyId, last_used_at: usedAt } = found;
  ownRequest(companyId);
  const now = ctx.now();
  if (found.expires_at && now >= found.expires_at) throw new Unauthenticated(accountApiMessages.keyExpired);
  if (!usedAt || now.getTime() - usedAt.getTime() > USED_RESOLUTION_MS)
    await setOwned(ctx.db, 'api_tokens', companyId, uuid, { last_used_at: now, last_used_address: address });
  return {
    companyId,
    userId: found.user_uuid,
    sessionId: uuid,
    role: 'api-token',
    apiKey: found.name,
    companyRole: found.role,
    scopes: found.scopes,
    callsPerMinute: found.calls_per_minute,
    suspended: found.suspended_at !== null,
  };
}

function presentApiToken({ created_at, expires_at, last_used_at, ...row }: ApiTokenRow): ApiToken {
  return {
    ...row,
    created_at: created_at.toISOString(),
    expires_at: expires_at?.toISOString() ?? null,
    last_used_at: last_used_at?.toISOString() ?? null,
  };
}

interface ApiTokenRow {
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
async function listApiTokenRows(db: Db, companyId: string, uuid?: string): Promise<ApiTokenRow[]> {
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

async function insertApiToken(
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
async function revokeApiTokenRow(
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
async function revokeApiTokenRowsOf(
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

/** An unrevoked key, and the standing of its creator in its company. */
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
 * Unrevoked key with this hash, whose creator is in its company. Not restricted to a company, since the key determines the
 * company.
 */
async function findApiToken(db: Db, tokenHash: string): Promise<FoundApiToken | undefined> {
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
