import type { BiddingState } from '@bidwell/contract/operator/schema';
import type { Context } from '../../context.ts';
import { type Operator, requireOperatorPermission } from '../../platform/operator.ts';
import { transact } from '../../platform/postgres/transaction.ts';
import { recordAuditEntry } from '../changes/public.ts';
import { deleteBiddingStop, findBiddingStop, insertBiddingStop } from './bidding-store.ts';

/** Whether all bidding is stopped, by whom and why. */
export async function readBidding({ db }: Context, operator: Operator): Promise<BiddingState> {
  requireOperatorPermission(operator, 'server.read');
  const row = await findBiddingStop(db);
  return {
    stopped: row ? { operator: row.operator, reason: row.reason, at: row.stopped_at.toISOString() } : null,
  };
}

/** Stops all bidding, or lets it go on. Every bidder obeys within two seconds while PostgreSQL responds. */
export async function switchBidding(
  ctx: Context,
  operator: Operator,
  { stopped, reason }: { stopped: boolean; reason: string },
): Promise<BiddingState> {
  requireOperatorPermission(operator, 'bidding.write');
  await transact(ctx.db, async (tx) => {
    const before = await findBiddingStop(tx.db);
    if ((before !== undefined) === stopped) return;
    if (stopped) await insertBiddingStop(tx.db, { operator: operator.login, reason, stopped_at: ctx.now() });
    else await deleteBiddingStop(tx.db);
    await recordAuditEntry(ctx, tx, operator, {
      action: stopped ? 'Stopped' : 'Resumed',
      entity: 'bidding',
      entityId: null,
      name: 'of all companies',
      reason,
      before: { stopped: !stopped },
      after: { stopped },
    });
  });
  ctx.onInstallationChanged();
  return readBidding(ctx, operator);
}
