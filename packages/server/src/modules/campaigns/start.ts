import { APPROVAL_FIELD } from '@bidwell/contract/approvals/schema';
import { dateAt } from '@bidwell/contract/lib/calendar';
import type { Campaign, CampaignStatus } from '@bidwell/contract/campaigns/schema';
import { startErrors } from '@bidwell/contract/text/messages';
import type { Context } from '../../context.ts';
import type { Actor, Author } from '../../platform/actor.ts';
import { Conflict, NotFound } from '../../platform/errors.ts';
import { requirePermission } from '../../platform/permissions.ts';
import { lockOwned, updateOwned } from '../../platform/postgres/stores/owned-store.ts';
import { type Tx, transact } from '../../platform/postgres/transaction.ts';
import { timeZoneOf } from '../identity/public.ts';
import { appStartErrors } from '../catalog/public.ts';
import { missingApproval } from './approvals/budget-approval.ts';
import { recordChange } from '../changes/public.ts';
import { availableMicros } from '../money/public.ts';
import { presentCampaign } from './presenter.ts';
import { changeCampaign } from './service.ts';
import { type CampaignRow, adsetWithoutGoal, hasSomethingToShow } from './store.ts';

/**
 * Starts a campaign; does nothing if it is Active. Throws NotFound; Conflict naming everything that is missing: an
 * approved app with an advertiser domain, an ad set with something to show, prices, funds (a positive balance, or credit), an end date
 * not yet past; and where a second person has to approve its budgets.
 */
export async function startCampaign(ctx: Context, actor: Actor, uuid: string): Promise<Campaign> {
  requirePermission(actor, 'campaign.write');
  const available = await availableMicros(ctx, actor.companyId);
  return transact(ctx.db, async (tx) => startWithin(ctx, tx, actor, uuid, available));
}

/** {@link startCampaign} in the caller's transaction; `available` is what the company can spend, in micros. */
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

/** What keeps a campaign from starting, in sentences; null if nothing does. `available` is what its company can spend, in micros. */
export async function missingToStart(
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
  if (available <= 0) missing.push(startErrors.balance);
  const today = dateAt(ctx.now().getTime(), await timeZoneOf(tx.db, companyId));
  if (campaign.end_date !== null && campaign.end_date < today) missing.push(startErrors.ended);
  return missing.length > 0 ? `${missing.join('. ')}.` : null;
}

/**
 * Pauses a campaign. One that is Paused stays so, and does not start by itself any more either. Throws NotFound.
 */
export async function pauseCampaign(ctx: Context, actor: Actor, uuid: string): Promise<Campaign> {
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
export async function setStatus(
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
