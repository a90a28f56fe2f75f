import type { Mmp } from '@bidwell/contract/apps/fields';
import { toDollars } from '@bidwell/contract/lib/money';
import { partnerCostMessages } from '@bidwell/contract/measurement/messages';
import {
  COST_UPLOADS_LISTED,
  type CostUpload,
  type PartnerCosts,
  type PartnerCostsInput,
} from '@bidwell/contract/measurement/partner-costs';
import { PARTNERS } from '@bidwell/contract/measurement/partners/partners';
import { v7 as uuidv7 } from 'uuid';
import type { Context } from '../../../context.ts';
import type { Actor } from '../../../platform/actor.ts';
import { Conflict, Invalid, NotFound } from '../../../platform/errors.ts';
import { requireExpected } from '../../../platform/expected-version.ts';
import { requirePermission } from '../../../platform/permissions.ts';
import { lockCompanyRow } from '../../../platform/postgres/locks.ts';
import { type Db, transact } from '../../../platform/postgres/transaction.ts';
import { recordChange } from '../../changes/public.ts';
import { companyNameOf } from '../../messaging/public.ts';
import { PUSHED, queueRound, removeRound } from './cost-messages.ts';
import {
  type ListedUpload,
  type PartnerCostsRow,
  appsOfPartner,
  costTokenPlace,
  countLinks,
  findPartnerCosts,
  listUploadRows,
  savePartnerCosts,
  updatePartnerCostsRow,
} from './cost-store.ts';

/** The parameters by which AppsFlyer matches costs with installs. */
const ID_PARAMETERS = [
  'af_c_id={campaign_short_id}',
  'af_adset_id={adset_short_id}',
  'af_ad_id={creative_short_id}',
];

/** How costs are sent to each partner that takes them. */
export async function listPartnerCosts(ctx: Context, actor: Actor): Promise<PartnerCosts[]> {
  requirePermission(actor, 'postbacks.read');
  const { companyId } = actor;
  return [await presentCosts(ctx.db, companyId, await findPartnerCosts(ctx.db, companyId, PUSHED))];
}

/** Changes how costs are sent to a partner. Throws NotFound for one that takes none, and Invalid without a token. */
export async function updatePartnerCosts(
  ctx: Context,
  actor: Actor,
  { mmp: partner, ...input }: PartnerCostsInput & { mmp: string },
): Promise<PartnerCosts> {
  requirePermission(actor, 'report_destination.write');
  const mmp = requirePushed(partner);
  const { companyId } = actor;
  return transact(ctx.db, async (tx) => {
    const { db } = tx;
    await lockCompanyRow(db, companyId);
    const before = await findPartnerCosts(db, companyId, mmp);
    await requireExpected(async () => presentCosts(db, companyId, before));
    const uuid = before?.uuid ?? uuidv7();
    const token =
      input.token === undefined
        ? (before?.token ?? null)
        : ctx.encryption.encrypt(input.token, costTokenPlace(uuid));
    if (input.is_enabled && token === null)
      throw new Invalid([{ field: 'token', message: partnerCostMessages.tokenRequired }]);
    const { is_enabled, media_source } = input;
    const next_at = is_enabled ? ctx.now() : null;
    await savePartnerCosts(db, companyId, {
      uuid,
      mmp,
      is_enabled,
      media_source,
      token,
      next_at,
      error: null,
    });
    if (!is_enabled) await removeRound(tx, uuid);
    const name = (await companyNameOf(db, companyId)) ?? '';
    await recordChange(ctx, tx, actor, {
      entity: 'company',
      uuid: companyId,
      name,
      before: logged(mmp, before),
      after: {
        ...logged(mmp, { is_enabled, media_source }),
        ...(input.token && { [`costs_token_${mmp}`]: true }),
      },
    });
    return presentCosts(db, companyId, await findPartnerCosts(db, companyId, mmp));
  });
}

/** Begins a round now. Throws NotFound for a partner that takes none, and Conflict while costs are off. */
export async function sendPartnerCosts(
  ctx: Context,
  actor: Actor,
  { mmp: partner }: { mmp: string },
): Promise<PartnerCosts> {
  requirePermission(actor, 'report_destination.write');
  const mmp = requirePushed(partner);
  const { companyId } = actor;
  return transact(ctx.db, async (tx) => {
    const costs = await findPartnerCosts(tx.db, companyId, mmp);
    if (!costs?.is_enabled) throw new Conflict(partnerCostMessages.off);
    await queueRound(ctx, tx, costs);
    await updatePartnerCostsRow(tx.db, companyId, costs.uuid, { error: null });
    return presentCosts(tx.db, companyId, { ...costs, error: null });
  });
}

/** The latest uploads to a partner, newest first. Throws NotFound for one that takes no costs. */
export async function listCostUploads(
  ctx: Context,
  actor: Actor,
  { mmp: partner }: { mmp: string },
): Promise<CostUpload[]> {
  requirePermission(actor, 'postbacks.read');
  const mmp = requirePushed(partner);
  const rows = await listUploadRows(ctx.db, actor.companyId, { mmp, limit: COST_UPLOADS_LISTED });
  return rows.map(presentUpload);
}

function requirePushed(mmp: string): Mmp {
  if (mmp !== PUSHED) throw new NotFound('Measurement partner that takes costs');
  return mmp;
}

const logged = (
  mmp: Mmp,
  row: Pick<PartnerCostsRow, 'is_enabled' | 'media_source'> | undefined,
): Record<string, unknown> => ({
  [`costs_enabled_${mmp}`]: row?.is_enabled ?? false,
  [`costs_media_source_${mmp}`]: row?.media_source ?? null,
});

async function presentCosts(
  db: Db,
  companyId: string,
  row: PartnerCostsRow | undefined,
): Promise<PartnerCosts> {
  const apps = await appsOfPartner(db, companyId, PUSHED);
  const { links, withParts } = await countLinks(db, companyId, PUSHED, ID_PARAMETERS);
  const listed = row?.partner_apps && new Set(row.partner_apps.map(({ id }) => id));
  return {
    mmp: PUSHED,
    is_enabled: row?.is_enabled ?? false,
    media_source: row?.media_source ?? defaultMediaSource(),
    has_token: row !== undefined && row.token !== null,
    accepted_at: row?.accepted_at?.toISOString() ?? null,
    next_at: row?.next_at?.toISOString() ?? null,
    error: row?.error ?? null,
    apps: listed ? apps.filter(({ storeId }) => listed.has(storeId)).length : null,
    apps_here: apps.length,
    links,
    links_with_ids: withParts,
  };
}

/** The name of this network in the usual link of the partner. */
function defaultMediaSource(): string {
  return /[?&]pid=([\w.-]+)/.exec(PARTNERS[PUSHED].links.click)?.[1] ?? '';
}

function presentUpload(row: ListedUpload): CostUpload {
  return {
    uuid: row.uuid,
    app: { uuid: row.app_uuid, name: row.app_name },
    day: row.day,
    time_zone: row.time_zone,
    status: row.status,
    rows: row.rows,
    spend: toDollars(row.spend_micros),
    sent: toDollars(row.sent_micros),
    matched_percent: row.matched_percent,
    error: row.error,
    created_at: row.created_at.toISOString(),
    finished_at: row.finished_at?.toISOString() ?? null,
  };
}
