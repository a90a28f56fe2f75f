import type { BiddingState } from '@bidwell/contract/operator/schema';
import type { Context } from '../../context.ts';
import type { Operator } from '../../platform/operator.ts';
import { transact } from '../../platform/postgres/transaction.ts';
import { recordAct } from '../operator-accounts/service.ts';
import { deleteBiddingStop, findBiddingStop, insertBiddingStop } from './bidding-store.ts';

/** Whether all bidding is stopped, by whom and why. */
export async function readBidding({ db }: Context): Promise<BiddingState> {
  const row = await findBiddingStop(db);
  return {
    stopped: row ? { operator: row.operator, reason: row.reason, at: row.stopped_at.toISOString() } : null,
  };
}

/** Stops all bidding, or lets it go on. Every bidder obeys within two seconds while PostgreSQL answers. */
export async function switchBidding(
  ctx: Context,
  by: Operator,
  { stopped, reason }: { stopped: boolean; reason: string },
): Promise<BiddingState> {
  await transact(ctx.db, async (tx) => {
    const before = await findBiddingStop(tx.db);
    if ((before !== undefined) === stopped) return;
    if (stopped) await insertBiddingStop(tx.db, { operator: by.login, reason, stopped_at: ctx.now() });
    else await deleteBiddingStop(tx.db);
    await recordAct(ctx, tx, by, {
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
  return readBidding(ctx);
}
