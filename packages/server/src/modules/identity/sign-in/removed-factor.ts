import { apiMessages } from '@bidwell/contract/text/messages';
import type { Context } from '../../../context.ts';
import { Conflict } from '../../../platform/errors.ts';
import type { Db } from '../../../platform/postgres/transaction.ts';
import { needsFactor } from '../people/membership-store.ts';
import { findUserOfAnyCompany } from '../store.ts';
import { endRecoveryCodes } from './recovery-codes.ts';

/**
 * Deletes the recovery codes of a person who removed the last second factor. Throws Conflict where a company of theirs requires one, so
 * that the caller's transaction does not remove it.
 */
export async function afterRemovedFactor(ctx: Context, db: Db, userId: string): Promise<void> {
  const user = await findUserOfAnyCompany(db, userId);
  if (user?.has_factor) return;
  if (await needsFactor(db, userId)) throw new Conflict(apiMessages.factorRequired);
  await endRecoveryCodes(db, userId, ctx.now());
}
