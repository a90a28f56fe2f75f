import { APPROVAL_FIELD } from '@bidwell/contract/approvals/schema';
import { flightMs } from '@bidwell/contract/campaigns/flight';
import type { Campaign, CampaignStatus } from '@bidwell/contract/campaigns/schema';
import { startErrors } from '@bidwell/contract/campaigns/start-errors';
import { notificationMessages } from '@bidwell/contract/notifications/notification-messages';
import type { Context } from '../../context.ts';
import type { Actor, Author } from '../../platform/actor.ts';
import { Conflict, NotFound } from '../../platform/errors.ts';
import { requirePermission } from '../../platform/permissions.ts';
import { appStartErrors } from '../catalog/public.ts';
import { lockOwned, updateOwned } from '../../platform/postgres/stores/owned-store.ts';
import { type Tx, transact } from '../../platform/postgres/transaction.ts';
import { timeZoneOf } from '../identity/public.ts';
import { missingApproval } from './approvals/budget-approval.ts';
import { recordChange } from '../changes/public.ts';
import { availableMicros } from '../money/public.ts';
import { presentCampaign } from './presenter.ts';
import { changeCampaign } from './service.ts';
import {
  type CampaignRow,
  adsetWithoutAudience,
  adsetWithoutGoal,
  hasSomethingToShow,
  type CampaignKey,
  campaignsToStart,
  isToStart,
} from './store.ts';
import { isDatabaseUnavailable } from '../../platform/database-unavailable.ts';
import { notify } from '../messaging/public.ts';

/**
 * Starts a campaign; does nothing if it is Active. Throws NotFound; Conflict naming everything that is missing: an
 * approved app with an advertiser domain, an ad set with something to show, prices, audiences of a re-engagement campaign, funds (a positive balance, or credit), an end date
 * not yet past; and where a second person has to approve its budgets.
 */
export async function startCampaign(
  ctx: Context,
  actor: Actor,
  { uuid }: { uuid: string },
): Promise<Campaign> {
  requirePermission(actor, 'campaign.write');
  const available = await availableMicros(ctx, actor.companyId);
  return transact(ctx.db, async (tx) => startWithin(ctx, tx, actor, uuid, available));
}

/**
 * {@link startCampaign} in the caller's transaction; `available` is the money that the company can spend, in micros.
 */
export async function startWithin(
  ctx: Context,
  tx: Tx,
  actor: Actor,
  uuid: string,
  available: number,
): Promise<Campaign> {
  const row = await lockedRow(tx, actor, uuid);
  if (row.status === 'Active') return presentCampaign(tx.db, actor.companyId, row);
  const missing = await missingToStart(ctx, tx, row, available);
  if (missing !== null) throw new Conflict(missing);
  const approval = await missingApproval(tx.db, actor.companyId, uuid);
  if (approval !== null) throw new Conflict(approval, [{ field: APPROVAL_FIELD, message: approval }]);
  return setStatus(ctx, tx, actor, row, { status: 'Active' });
}

/**
 * The reasons that keep a campaign from starting, in sentences; null if there are none. `available` is the money that its company
 * can spend, in micros.
 */
async function missingToStart(
  ctx: Context,
  tx: Tx,
  campaign: CampaignRow,
  available: number,
): Promise<string | null> {
  const { company_uuid: companyId, uuid } = campaign;
  const missing: string[] = [];
  if (campaign.archived_at) missing.push(startErrors.archived);
  missing.push(...(await appStartErrors(tx.db, companyId, campaign.app_uuid)));
  if (!(await hasSomethingToShow(tx.db, companyId, uuid))) missing.push(startErrors.adsets);
  const lacking = await adsetWithoutGoal(tx.db, companyId, uuid);
  if (lacking) missing.push(startErrors[lacking.field](lacking.name));
  const open = campaign.kind === 're_engagement' && (await adsetWithoutAudience(tx.db, companyId, uuid));
  if (open) missing.push(startErrors.audience(open));
  if (available <= 0) missing.push(startErrors.balance);
  const { untilMs } = flightMs(campaign, await timeZoneOf(tx.db, companyId));
  if (untilMs <= ctx.now().getTime()) missing.push(startErrors.ended);
  return missing.length > 0 ? `${missing.join('. ')}.` : null;
}

/**
 * Pauses a campaign. One that is Paused stays so, and does not start by itself any more either. Throws NotFound.
 */
export async function pauseCampaign(
  ctx: Context,
  actor: Actor,
  { uuid }: { uuid: string },
): Promise<Campaign> {
  requirePermission(actor, 'campaign.write');
  return transact(ctx.db, async (tx) => {
    const row = await lockedRow(tx, actor, uuid);
    if (row.status === 'Active') return setStatus(ctx, tx, actor, row, { status: 'Paused' });
    const campaign = await presentCampaign(tx.db, actor.companyId, row);
    if (!row.start_when_approved) return campaign;
    return changeCampaign(ctx, tx, actor, campaign, { start_when_approved: false });
  });
}

async function lockedRow(tx: Tx, { companyId }: Actor, uuid: string): Promise<CampaignRow> {
  const row = await lockOwned(tx.db, 'campaigns', companyId, uuid);
  if (!row) throw new NotFound('Campaign');
  return row;
}

/** Starts or pauses a campaign that the caller has locked. */
async function setStatus(
  ctx: Context,
  tx: Tx,
  actor: Author,
  row: CampaignRow,
  { status, author }: { status: CampaignStatus; author?: string },
): Promise<Campaign> {
  const { companyId } = actor;
  const after = { status, start_when_approved: false };
  const written = await updateOwned(tx.db, 'campaigns', companyId, row.uuid, {
    ...after,
    updated_at: ctx.now(),
  });
  await recordChange(ctx, tx, actor, {
    entity: 'campaign',
    uuid: row.uuid,
    name: row.name,
    action: status === 'Active' ? 'start' : 'pause',
    before: { status: row.status, start_when_approved: row.start_when_approved },
    after,
    ...(author !== undefined && { author }),
  });
  return presentCampaign(tx.db, companyId, written);
}

/** Campaigns that one run starts; others follow in the next. */
const RUN_MAX = 200;

/**
 * Starts the campaigns with automatic start whose parts are all reviewed, and notifies their companies. A campaign that lacks
 * something else is not tried again: its company is notified of the missing parts. Covers all companies: for a background job
 * only.
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
  // The change log names the product as the author of automatic changes.
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
  const owner = { companyId, userId: null };
  await recordChange(ctx, tx, owner, {
    entity: 'campaign',
    uuid,
    name,
    before: { start_when_approved: true },
    after,
    author,
  });
}
