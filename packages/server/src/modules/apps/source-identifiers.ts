import { parseStoreLink } from '@bidwell/contract/apps/store-link';
import type { SourceIdentifierList } from '@bidwell/contract/skadnetwork/schema';
import { campaignOf } from '@bidwell/contract/skadnetwork/source-identifiers';
import type { Context } from '../../context.ts';
import type { Actor } from '../../platform/actor.ts';
import { requirePermission } from '../../platform/permissions.ts';
import { getApp } from './service.ts';
import { adsetsWithoutNumber, hasSignedBids, listNumberRows } from './source-identifier-store.ts';

/** The numbers by which postbacks of SKAdNetwork name an app's ad sets, and the ad sets that have none. Throws NotFound. */
export async function listSourceIdentifiers(
  ctx: Context,
  actor: Actor,
  uuid: string,
): Promise<SourceIdentifierList> {
  requirePermission(actor, 'app.read');
  const { companyId } = actor;
  const { os, store_link: link } = await getApp(ctx, actor, uuid);
  const enabled = await hasSignedBids(ctx.db, companyId, uuid);
  const itemId = os === 'ios' ? Number(parseStoreLink(link)?.bundleId) : NaN;
  if (!Number.isSafeInteger(itemId))
    return { enabled, item_id: null, source_identifiers: [], without_number: [] };
  const rows = await listNumberRows(ctx.db, companyId, itemId);
  return {
    enabled,
    item_id: itemId,
    source_identifiers: rows.map(({ allocated_at, last_bid_at, released_at, ...row }) => ({
      ...row,
      digits: campaignOf(row.number),
      allocated_at: allocated_at.toISOString(),
      last_bid_at: last_bid_at?.toISOString() ?? null,
      released_at: released_at?.toISOString() ?? null,
    })),
    without_number: enabled ? await adsetsWithoutNumber(ctx.db, companyId, uuid, itemId) : [],
  };
}
