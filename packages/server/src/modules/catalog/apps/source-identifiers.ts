import { parseStoreLink } from '@bidwell/contract/apps/store-link';
import type { SourceIdentifierList } from '@bidwell/contract/skadnetwork/schema';
import { campaignOf } from '@bidwell/contract/skadnetwork/source-identifiers';
import type { Context } from '../../../context.ts';
import type { Actor } from '../../../platform/actor.ts';
import { requirePermission } from '../../../platform/permissions.ts';
import { hasSigningNetwork } from '../../../delivery/public.ts';
import { getApp } from './service.ts';
import { adsetsWithoutNumber, hasSignedBids, listNumberRows } from './source-identifier-store.ts';

/**
 * The numbers by which postbacks of SKAdNetwork name an app's ad sets, those of its present number in the store first, and the ad sets that
 * have none for it. Throws NotFound.
 */
export async function listSourceIdentifiers(
  ctx: Context,
  actor: Actor,
  uuid: string,
): Promise<SourceIdentifierList> {
  requirePermission(actor, 'app.read');
  const { companyId } = actor;
  const { os, store_link: link } = await getApp(ctx, actor, uuid);
  const [enabled, hasNetwork] = await Promise.all([
    hasSignedBids(ctx.db, companyId, uuid),
    hasSigningNetwork(ctx.db),
  ]);
  const number = os === 'ios' ? Number(parseStoreLink(link)?.bundleId) : NaN;
  const itemId = Number.isSafeInteger(number) ? number : null;
  const rows = await listNumberRows(ctx.db, companyId, uuid, itemId);
  return {
    enabled,
    has_network: hasNetwork,
    item_id: itemId,
    source_identifiers: rows.map(({ allocated_at, last_bid_at, released_at, ...row }) => ({
      ...row,
      digits: campaignOf(row.number),
      allocated_at: allocated_at.toISOString(),
      last_bid_at: last_bid_at?.toISOString() ?? null,
      released_at: released_at?.toISOString() ?? null,
    })),
    without_number:
      enabled && itemId !== null ? await adsetsWithoutNumber(ctx.db, companyId, uuid, itemId) : [],
  };
}
