import { OPERATOR_CONSOLE } from '@bidwell/contract/lib/endpoint';
import { apiMessages } from '@bidwell/contract/text/messages';
import type { ViewerSession } from '@bidwell/contract/accounts/viewer';
import { v7 as uuidv7 } from 'uuid';
import type { Context } from '../../../context.ts';
import { NotFound, Unauthenticated } from '../../../platform/errors.ts';
import type { Session } from '../../../platform/http/auth/auth.ts';
import type { Tx } from '../../../platform/postgres/transaction.ts';
import { hashToken, newSecretToken, readAccessToken, signAccessToken } from './access-tokens.ts';
import {
  endViewerSessionRow,
  endViewerSessionRowsOf,
  firstUserOf,
  insertViewerSession,
  openByCode,
} from './viewer-session-store.ts';

const SESSION_SECONDS = 3600;
/** Lifetime of a code, in which the operator's browser exchanges it. */
const CODE_MS = 60_000;

/** A session that is prepared for an operator: the code that opens it, and the person whose view it is. */
export interface PreparedViewer {
  code: string;
  login: string;
}

/** Prepares a read-only session of a company for an operator; null is the holder of OPERATOR_TOKEN. Throws NotFound. */
export async function prepareViewerSession(
  ctx: Context,
  tx: Tx,
  { companyId, operatorId }: { companyId: string; operatorId: string | null },
): Promise<PreparedViewer> {
  const person = await firstUserOf(tx.db, companyId);
  if (!person) throw new NotFound('User');
  const code = newSecretToken();
  const now = ctx.now();
  await insertViewerSession(tx.db, {
    uuid: uuidv7(),
    operator_uuid: operatorId,
    company_uuid: companyId,
    user_uuid: person.uuid,
    code_hash: hashToken(code),
    created_at: now,
    expires_at: new Date(now.getTime() + SESSION_SECONDS * 1000),
  });
  return { code, login: person.login };
}

/** Exchanges a code for its session. Throws Unauthenticated for one that is unknown, used or older than a minute. */
export async function openViewerSession(ctx: Context, code: string): Promise<ViewerSession> {
  const now = ctx.now();
  const row = await openByCode(ctx.db, hashToken(code), {
    now,
    since: new Date(now.getTime() - CODE_MS),
  });
  if (!row) throw new Unauthenticated(apiMessages.viewerCode);
  const session: Session = {
    sessionId: row.uuid,
    userId: row.user_uuid,
    companyId: row.company_uuid,
    role: 'viewer',
  };
  const seconds = Math.floor((row.expires_at.getTime() - now.getTime()) / 1000);
  return {
    access_token: await signAccessToken(ctx.config.accessTokenSecret, session, now, seconds),
    expires_at: row.expires_at.toISOString(),
    user_id: row.user_uuid,
    company_name: row.company_name,
    return_path: ctx.config.admin === null ? `${OPERATOR_CONSOLE}/companies/${row.company_uuid}` : null,
  };
}

/** Ends the session of an operator's access token. Ignores any other token. */
export async function endViewerSession(ctx: Context, token: string): Promise<void> {
  const read = await readAccessToken(ctx.config.accessTokenSecret, token, ctx.now());
  if (typeof read === 'string' || read.session.role !== 'viewer') return;
  const { sessionId } = read.session;
  await endViewerSessionRow(ctx.db, sessionId, ctx.now());
  ctx.onSessionsEnded([sessionId]);
}

/** Ends all sessions of an operator, whose account no longer gives the right to them. */
export async function endViewerSessionsOf(ctx: Context, tx: Tx, operatorId: string): Promise<void> {
  const ended = await endViewerSessionRowsOf(tx.db, operatorId, ctx.now());
  tx.afterCommit(() => ctx.onSessionsEnded(ended));
}
