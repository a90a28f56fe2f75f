import { apiMessages, messages } from '@bidwell/contract/text/messages';
import type { Context } from '../../../context.ts';
import { Forbidden, NotFound, Unauthenticated } from '../../../platform/errors.ts';
import { type Operator, requireOperatorPermission } from '../../../platform/operator.ts';
import type { Db, Tx } from '../../../platform/postgres/transaction.ts';
import { type ProvedSession, provedUntil } from '../sign-in/proof.ts';
import { type OperatorRow, findOperator, lockOperator, startOfOperatorSession } from './store.ts';

/** The account and the session of a call. */
export interface OwnSession extends ProvedSession {
  row: OperatorRow;
}

/** The session of the call. Throws NotFound for the holder of OPERATOR_TOKEN; Unauthenticated for an ended session. */
export async function ownSession(ctx: Context, operator: Operator): Promise<OwnSession> {
  requireOperatorPermission(operator, 'session.own');
  return sessionOf(ctx, ctx.db, operator, findOperator);
}

/**
 * The session of the call, whose operator's row is locked until the transaction ends. Throws Forbidden without a recent proof of who they
 * are; else as {@link ownSession}.
 */
export async function lockedSession(ctx: Context, tx: Tx, operator: Operator): Promise<OwnSession> {
  const own = await sessionOf(ctx, tx.db, operator, lockOperator);
  if ((await provedUntil(tx.db, own)) < ctx.now()) throw new Forbidden(messages.confirmFirst);
  return own;
}

async function sessionOf(
  ctx: Context,
  db: Db,
  { uuid, sessionUuid }: Operator,
  read: (db: Db, uuid: string) => Promise<OperatorRow | undefined>,
): Promise<OwnSession> {
  if (uuid === null || sessionUuid === undefined) throw new NotFound('Account');
  const row = await read(db, uuid);
  const startedAt = await startOfOperatorSession(db, uuid, { uuid: sessionUuid, now: ctx.now() });
  if (!row || !startedAt) throw new Unauthenticated(apiMessages.operatorLogInFirst);
  return { row, sessionId: sessionUuid, accountUuid: row.uuid, startedAt };
}
