import { notificationMessages } from '@bidwell/contract/text/messages';
import type { Context } from '../../context.ts';
import { isDatabaseUnavailable } from '../../platform/database-unavailable.ts';
import { lockOwned, updateOwned } from '../../platform/postgres/stores/owned-store.ts';
import { type Tx, transact } from '../../platform/postgres/transaction.ts';
import { missingApproval } from './approvals/budget-approval.ts';
import { recordChange } from '../changes/public.ts';
import { availableMicros } from '../money/public.ts';
import { notify } from '../messaging/public.ts';
import { missingToStart, setStatus } from './start.ts';
import { type CampaignKey, type CampaignRow, campaignsToStart, isToStart } from './store.ts';

/** Campaigns that one run starts; others follow in the next. */
const RUN_MAX = 200;

/**
 * Starts the campaigns that are to start by themselves and of which everything is reviewed, and notifies their companies. A
 * campaign that lacks something else does not try again: its company is notified of what is missing. Covers all companies: for
 * a background job only.
 */
export async function startApprovedCampaigns(ctx: Context): Promise<void> {
  for (const campaign of await campaignsToStart(ctx.db, RUN_MAX)) {
    try {
      await startIfApproved(ctx, campaign);
    } catch (err) {
      if (isDatabaseUnavailable(err)) throw err;
      ctx.log.error({ err, campaignId: campaign.uuid }, 'an approved campaign could not be started');
    }
  }
}

/** Does nothing for a campaign that was changed since it was read, so that it is not to start any more. */
async function startIfApproved(ctx: Context, campaign: CampaignKey): Promise<void> {
  const { company_uuid: companyId, uuid } = campaign;
  const available = await availableMicros(ctx, companyId);
  // What happens by itself is in the change log by the name of the product.
  const { name: author } = (await ctx.brand.current()).settings;
  await transact(ctx.db, async (tx) => {
    const row = await lockOwned(tx.db, 'campaigns', companyId, uuid);
    if (!row || !(await isToStart(tx.db, campaign))) return;
    const missing =
      (await missingToStart(ctx, tx, row, available)) ?? (await missingApproval(tx.db, companyId, uuid));
    if (missing === null) {
      const actor = { companyId, userId: null };
      await setStatus(ctx, tx, actor, row, { status: 'Active', author });
    } else await giveUp(ctx, tx, row, author);
    const message =
      missing === null
        ? notificationMessages.startedByItself(row.name)
        : notificationMessages.notStarted(row.name, missing);
    await notify(ctx, tx, companyId, {
      kind: 'moderation',
      ...message,
      entity: { type: 'campaign', uuid },
    });
  });
}

async function giveUp(ctx: Context, tx: Tx, row: CampaignRow, author: string): Promise<void> {
  const { company_uuid: companyId, uuid, name } = row;
  const after = { start_when_approved: false };
  await updateOwned(tx.db, 'campaigns', companyId, uuid, { ...after, updated_at: ctx.now() });
  await recordChange(
    ctx,
    tx,
    { companyId, userId: null },
    {
      entity: 'campaign',
      uuid,
      name,
      action: 'update',
      before: { start_when_approved: true },
      after,
      author,
    },
  );
}
