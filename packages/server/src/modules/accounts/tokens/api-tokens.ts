import { companyRoleHas } from '@bidwell/contract/accounts/permission';
import { apiMessages } from '@bidwell/contract/text/messages';
import {
  API_TOKEN_PREFIX,
  type ApiToken,
  type ApiTokenInput,
  type NewApiToken,
} from '@bidwell/contract/accounts/api-token';
import { v7 as uuidv7 } from 'uuid';
import type { Context } from '../../../context.ts';
import type { Actor } from '../../../platform/actor.ts';
import { Conflict, NotFound } from '../../../platform/errors.ts';
import type { Session } from '../../../platform/http/auth/auth.ts';
import { requirePermission } from '../../../platform/permissions.ts';
import { type Tx, transact } from '../../../platform/postgres/transaction.ts';
import { ownRequest } from '../../../platform/telemetry/request-id.ts';
import { recordChange } from '../../changes/service.ts';
import {
  type ApiTokenRow,
  findApiToken,
  insertApiToken,
  listApiTokenRows,
  markApiTokenUsed,
  revokeApiTokenRow,
  revokeApiTokenRowsOf,
} from './api-token-store.ts';
import { hashToken, newSecretToken } from '../sessions/access-tokens.ts';

const TOKENS_MAX = 50;
const USED_RESOLUTION_MS = 60_000;

/** Unrevoked API tokens of the company, newest first. */
export async function listApiTokens(ctx: Context, actor: Actor): Promise<ApiToken[]> {
  requirePermission(actor, 'api_token.read');
  const { companyId } = actor;
  return (await listApiTokenRows(ctx.db, companyId)).map(presentApiToken);
}

/**
 * Creates a token that can read the company's reports until revoked. Only its hash is stored. Throws Conflict if
 * there are 50.
 */
export async function createApiToken(
  ctx: Context,
  actor: Session,
  { name }: ApiTokenInput,
): Promise<NewApiToken> {
  requirePermission(actor, 'api_token.create');
  const token = API_TOKEN_PREFIX + newSecretToken();
  const row = {
    uuid: uuidv7(),
    name,
    ending: token.slice(-4),
    created_at: ctx.now(),
    last_used_at: null,
  };
  await transact(ctx.db, async (tx) => {
    if ((await listApiTokenRows(tx.db, actor.companyId)).length >= TOKENS_MAX)
      throw new Conflict(apiMessages.apiTokenLimit(TOKENS_MAX));
    const secret = { user_uuid: actor.userId, token_hash: hashToken(token) };
    await insertApiToken(tx.db, actor.companyId, { ...row, ...secret });
    await recordChange(ctx, tx, actor, {
      entity: 'api_token',
      uuid: row.uuid,
      name,
      action: 'create',
      before: null,
      after: { name },
    });
  });
  return { ...presentApiToken(row), token };
}

/** Revokes a token, with immediate effect in all processes. Throws NotFound. */
export async function revokeApiToken(ctx: Context, actor: Actor, uuid: string): Promise<void> {
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
  const before = { name };
  await recordChange(ctx, tx, actor, {
    entity: 'api_token',
    uuid,
    name,
    action: 'delete',
    before,
    after: null,
  });
}

/**
 * Session of a request with an API token; null for an unknown or revoked token, and for one of a person who may no longer make one:
 * they may have made it while their role was being taken away.
 */
export async function apiTokenSession(ctx: Context, token: string): Promise<Session | null> {
  const found = await findApiToken(ctx.db, hashToken(token));
  if (!found || !companyRoleHas(found.role, 'api_token.create')) return null;
  ownRequest(found.company_uuid);
  const now = ctx.now();
  if (!found.last_used_at || now.getTime() - found.last_used_at.getTime() > USED_RESOLUTION_MS)
    await markApiTokenUsed(ctx.db, found.company_uuid, found.uuid, now);
  return { companyId: found.company_uuid, userId: found.user_uuid, sessionId: found.uuid, role: 'api-token' };
}

function presentApiToken({ uuid, name, ending, created_at, last_used_at }: ApiTokenRow): ApiToken {
  return {
    uuid,
    name,
    ending,
    created_at: created_at.toISOString(),
    last_used_at: last_used_at?.toISOString() ?? null,
  };
}
