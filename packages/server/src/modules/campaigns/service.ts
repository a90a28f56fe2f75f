import { copyName } from '@bidwell/contract/duplicates/copy-name';
import { campaignApiMessages } from '@bidwell/contract/campaigns/api-messages';
import { type Flight, flightErrors, flightMs } from '@bidwell/contract/campaigns/flight';
import { isAlgorithmOf } from '@bidwell/contract/campaigns/kind';
import { startErrors } from '@bidwell/contract/campaigns/start-errors';
import { apiMessages } from '@bidwell/contract/text/api-messages';
import type { Campaign, CampaignInput, CampaignUpdate } from '@bidwell/contract/campaigns/schema';
import type { CreatedRange } from '@bidwell/contract/lib/wire';
import { v7 as uuidv7 } from 'uuid';
import type { Context } from '../../context.ts';
import type { Actor, Owner } from '../../platform/actor.ts';
import { Invalid, NotFound } from '../../platform/errors.ts';
import { requirePermission } from '../../platform/permissions.ts';
import { excludesAllIncluded, requireApp, requireRoom } from '../catalog/public.ts';
import {
  findOwned,
  insertOwned,
  listOwned,
  lockOwned,
  updateOwned,
} from '../../platform/postgres/stores/owned-store.ts';
import { json } from '../../platform/postgres/client.ts';
import { type Db, type Tx, transact } from '../../platform/postgres/transaction.ts';
import { saveInTurn } from './adsets/save-queue.ts';
import { copyAdsets } from './adsets/service.ts';
import { APPROVAL_FIELD } from '@bidwell/contract/approvals/schema';
import { missingApproval } from './approvals/budget-approval.ts';
import { recordCopied, recordSaved } from '../changes/public.ts';
import { timeZoneOf } from '../identity/public.ts';
import { useDraft } from './drafts/service.ts';
import { logged, presentCampaign, presentCampaigns } from './presenter.ts';
import {
  type CampaignRow,
  activeCampaignCount,
  adsetWithoutGoal,
  assignAdsets,
  findCampaigns,
  lockAdsets,
} from './store.ts';
import { requireExpected } from '../../platform/expected-version.ts';

/** The company's campaigns, or those that were created in a range of days, newest first. */
export async function listCampaigns(ctx: Context, actor: Actor, range?: CreatedRange): Promise<Campaign[]> {
  requirePermission(actor, 'campaign.read');
  return campaignsOfCompany(ctx, actor, range);
}

/** {@link listCampaigns} within a call that checked its own permission. */
export async function campaignsOfCompany(
  ctx: Context,
  { companyId }: Owner,
  range?: CreatedRange,
): Promise<Campaign[]> {
  return presentCampaigns(ctx.db, companyId, await listOwned(ctx.db, 'campaigns', companyId, range));
}

/** The company's campaigns among `uuids`, in no order. */
export async function campaignsByUuid(
  ctx: Context,
  { companyId }: Owner,
  uuids: readonly string[],
): Promise<Campaign[]> {
  return presentCampaigns(ctx.db, companyId, await findCampaigns(ctx.db, companyId, uuids));
}

/** Number of the company's campaigns that are Active. */
export async function countActiveCampaigns(ctx: Context, { companyId }: Owner): Promise<number> {
  return activeCampaignCount(ctx.db, companyId);
}

/** Reads one campaign. Throws NotFound. */
export async function getCampaign(ctx: Context, actor: Actor, uuid: string): Promise<Campaign> {
  requirePermission(actor, 'campaign.read');
  return campaignOf(ctx, actor, uuid);
}

/** {@link getCampaign} within a call that checked its own permission. */
export async function campaignOf(ctx: Context, { companyId }: Owner, uuid: string): Promise<Campaign> {
  const row = await findOwned(ctx.db, 'campaigns', companyId, uuid);
  if (!row) throw new NotFound('Campaign');
  return presentCampaign(ctx.db, companyId, row);
}

/**
 * Creates a campaign, Paused. Throws Invalid for an unknown app, and for ad sets that are unknown or belong to
 * another app or campaign; Conflict at the company's limit, and for a draft that was used, discarded or changed meanwhile.
 */
export async function createCampaign(ctx: Context, actor: Actor, input: CampaignInput): Promise<Campaign> {
  requirePermission(actor, 'campaign.write');
  return transact(ctx.db, async (tx) => {
    const { draft, ...fields } = input;
    await requireApp(tx.db, actor.companyId, fields.app_uuid, 'app_uuid');
    await requireFlight(tx.db, actor.companyId, fields, null);
    const row = await insertCampaign(ctx, tx, actor.companyId, fields);
    if (draft) await useDraft(tx, actor, draft, row.uuid);
    const campaign = await presentCampaign(tx.db, actor.companyId, row);
    await recordSaved(ctx, tx, actor, { entity: 'campaign', before: null, after: campaign, logged });
    return campaign;
  });
}

/**
 * Copies a campaign with its ad sets that are not archived. The copy is Paused. Throws NotFound; Conflict at the company's
 * limit, and for a campaign with too many ad sets.
 */
export async function duplicateCampaign(
  ctx: Context,
  actor: Actor,
  { uuid }: { uuid: string },
): Promise<Campaign> {
  requirePermission(actor, 'campaign.write');
  return saveInTurn(actor, async () =>
    transact(ctx.db, async (tx) => {
      const { companyId } = actor;
      const original = await lockOwned(tx.db, 'campaigns', companyId, uuid);
      if (!original) throw new NotFound('Campaign');
      const row = await insertCampaign(ctx, tx, companyId, {
        kind: original.kind,
        name: copyName(original.name),
        description: original.description,
        app_uuid: original.app_uuid,
        start_date: original.start_date,
        end_date: original.end_date,
        start_time: original.start_time,
        end_time: original.end_time,
        frequency_caps: original.frequency_caps,
        start_when_approved: false,
        adset_uuids: [],
      });
      await copyAdsets(ctx, tx, actor, { from: uuid, to: row.uuid });
      const campaign = await presentCampaign(tx.db, companyId, row);
      await recordCopied(ctx, tx, actor, {
        entity: 'campaign',
        uuid: campaign.uuid,
        fields: logged(campaign),
        original,
      });
      return campaign;
    }),
  );
}

async function insertCampaign(
  ctx: Context,
  tx: Tx,
  companyId: string,
  { adset_uuids, ...fields }: Omit<CampaignInput, 'draft'>,
): Promise<CampaignRow> {
  await requireRoom(tx.db, companyId, 'campaigns');
  const uuid = uuidv7();
  await requireAdsets(tx.db, companyId, { uuid, ...fields }, adset_uuids, 'adset_uuids');
  const at = ctx.now();
  const row = await insertOwned(tx.db, 'campaigns', companyId, {
    uuid,
    ...fields,
    frequency_caps: json(fields.frequency_caps),
    status: 'Paused',
    created_at: at,
    updated_at: at,
  });
  await assignAdsets(tx.db, companyId, uuid, adset_uuids);
  return row;
}

/**
 * Changes the given fields; `adset_uuids` replaces the whole list. Throws NotFound; Invalid like {@link
 * createCampaign}, if the end date is before the start date, and for an ad set that a running campaign gets without the price
 * that its algorithm needs.
 */
export async function updateCampaign(
  ctx: Context,
  actor: Actor,
  { uuid, ...input }: CampaignUpdate & { uuid: string },
): Promise<Campaign> {
  requirePermission(actor, 'campaign.write');
  return transact(ctx.db, async (tx) => {
    const before = await lockedCampaign(tx.db, actor.companyId, uuid);
    await requireExpected(() => before);
    return changeCampaign(ctx, tx, actor, before, input);
  });
}

/** Reads a campaign and locks it until the transaction ends. Throws NotFound. */
export async function lockedCampaign(db: Db, companyId: string, uuid: string): Promise<Campaign> {
  const row = await lockOwned(db, 'campaigns', companyId, uuid);
  if (!row) throw new NotFound('Campaign');
  return presentCampaign(db, companyId, row);
}

/** {@link updateCampaign} in the caller's transaction, of a campaign that it has locked. */
export async function changeCampaign(
  ctx: Context,
  tx: Tx,
  actor: Actor,
  before: Campaign,
  { adset_uuids, kind, ...update }: CampaignUpdate,
): Promise<Campaign> {
  const fields = withoutTimesOfNoDay(update);
  const { companyId } = actor;
  const { uuid } = before;
  if (kind && kind !== before.kind)
    throw new Invalid([{ field: 'kind', message: campaignApiMessages.kindFixed }]);
  const merged = { ...before, ...fields };
  await requireFlight(tx.db, companyId, merged, before);
  const isOtherApp = merged.app_uuid !== before.app_uuid;
  if (isOtherApp) await requireApp(tx.db, companyId, merged.app_uuid, 'app_uuid');
  if (adset_uuids) {
    await requireAdsets(tx.db, companyId, merged, adset_uuids, 'adset_uuids');
    await assignAdsets(tx.db, companyId, uuid, adset_uuids);
    if (before.status === 'Active') {
      await requireGoals(tx.db, companyId, before, adset_uuids);
      await requireApprovedAdsets(tx.db, companyId, before, adset_uuids);
    }
  } else if (isOtherApp) {
    const previousUuids = before.adsets.map((adset) => adset.uuid);
    await requireAdsets(tx.db, companyId, merged, previousUuids, 'app_uuid');
  }
  const written = await updateOwned(tx.db, 'campaigns', companyId, uuid, {
    ...fields,
    frequency_caps: fields.frequency_caps && json(fields.frequency_caps),
    updated_at: ctx.now(),
  });
  const after = await presentCampaign(tx.db, companyId, written);
  await recordSaved(ctx, tx, actor, { entity: 'campaign', before, after, logged });
  return after;
}

/** Throws Invalid where one of the ad sets that the running campaign did not have `before` lacks the goal of its bid strategy. */
async function requireGoals(
  db: Db,
  companyId: string,
  before: Campaign,
  adsetUuids: readonly string[],
): Promise<void> {
  const had = new Set(before.adsets.map(({ uuid }) => uuid));
  const added = adsetUuids.filter((uuid) => !had.has(uuid));
  const lacking = await adsetWithoutGoal(db, companyId, before.uuid, added);
  if (lacking)
    throw new Invalid([{ field: 'adset_uuids', message: startErrors[lacking.field](lacking.name) }]);
}

/** Throws Invalid where a running campaign gets ad sets with which a second person has to approve its budgets. */
async function requireApprovedAdsets(
  db: Db,
  companyId: string,
  before: Campaign,
  adsetUuids: readonly string[],
): Promise<void> {
  const had = new Set(before.adsets.map(({ uuid }) => uuid));
  if (adsetUuids.every((uuid) => had.has(uuid))) return;
  const message = await missingApproval(db, companyId, before.uuid);
  if (message !== null)
    throw new Invalid(['adset_uuids', APPROVAL_FIELD].map((field) => ({ field, message })));
}

/**
 * Throws Invalid for days and times that are wrong together, and for another flight than `before` without any time: its first and its last
 * minute are both in an hour that the company's clocks skip.
 */
async function requireFlight(
  db: Db,
  companyId: string,
  campaign: Flight,
  before: Flight | null,
): Promise<void> {
  const errors = flightErrors(campaign);
  if (errors.length > 0) throw new Invalid(errors);
  const { start_date: start, end_date: end, end_time: until } = campaign;
  const isOther = FLIGHT_FIELDS.some((field) => campaign[field] !== before?.[field]);
  // Clocks skip less than a day, but for days that a time zone skips as a whole.
  if (start === null || start !== end || !isOther) return;
  const timeZone = await timeZoneOf(db, companyId);
  const { fromMs, untilMs } = flightMs(campaign, timeZone);
  if (fromMs < untilMs) return;
  const field = until === null ? 'end_date' : 'end_time';
  throw new Invalid([{ field, message: campaignApiMessages.skippedByClocks(timeZone) }]);
}

const FLIGHT_FIELDS = ['start_date', 'start_time', 'end_date', 'end_time'] as const;

/** An update that removes a day removes its time too: clients of an earlier release do not know of times. */
function withoutTimesOfNoDay(
  update: Omit<CampaignUpdate, 'adset_uuids'>,
): Omit<CampaignUpdate, 'adset_uuids'> {
  return {
    ...(update.start_date === null && { start_time: null }),
    ...(update.end_date === null && { end_time: null }),
    ...update,
  };
}

/**
 * Checks that each ad set is the company's, is for the campaign's app, is not part of another campaign, and has a bid strategy of the
 * campaign's kind. Throws Invalid.
 */
async function requireAdsets(
  db: Db,
  companyId: string,
  campaign: Pick<Campaign, 'uuid' | 'app_uuid' | 'kind'>,
  adsetUuids: readonly string[],
  field: 'adset_uuids' | 'app_uuid',
): Promise<void> {
  const adsets = await lockAdsets(db, companyId, adsetUuids);
  const errors = adsets.flatMap((adset) => {
    if (adset.app_uuid !== campaign.app_uuid) return [campaignApiMessages.adsetOfOtherApp(adset.name)];
    if (adset.campaign_uuid && adset.campaign_uuid !== campaign.uuid) {
      return [campaignApiMessages.adsetOfCampaign(adset.name, adset.campaign_name ?? '')];
    }
    if (!isAlgorithmOf(campaign.kind, adset.algo)) return [campaignApiMessages.manualCpmOnly(adset.name)];
    return [];
  });
  if (errors.length === 0 && campaign.kind === 'acquisition')
    for (const adset of adsets)
      // One that is in the campaign was checked when it changed.
      if (
        adset.campaign_uuid === null &&
        (await excludesAllIncluded(db, companyId, campaign.app_uuid, adset))
      )
        errors.push(campaignApiMessages.adsetOfNoOne(adset.name));
  if (adsets.length < adsetUuids.length) errors.push(apiMessages.notFound('Ad set'));
  if (errors.length > 0) throw new Invalid(errors.map((message) => ({ field, message })));
}
