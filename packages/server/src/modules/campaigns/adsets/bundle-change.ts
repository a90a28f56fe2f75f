import type { Adset } from '@bidwell/contract/adsets/schema';
import type { BundleChange } from '@bidwell/contract/campaign-reports/bundles';
import { limits } from '@bidwell/contract/lib/limits';
import { apiMessages } from '@bidwell/contract/text/messages';
import type { Context } from '../../../context.ts';
import type { Actor } from '../../../platform/actor.ts';
import { Invalid, NotFound } from '../../../platform/errors.ts';
import { requirePermission } from '../../../platform/permissions.ts';
import { transact } from '../../../platform/postgres/transaction.ts';
import { changeAdset, lockedAdset } from './service.ts';

/**
 * Blocks or unblocks a publisher's bundle in ad sets of a campaign, or changes their bids there: in all of them or in none,
 * each a change of its own in the change log. Throws NotFound for ad sets that the campaign does not have; Invalid where a
 * list would become too long.
 */
export async function changeBundle(
  ctx: Context,
  actor: Actor,
  campaignUuid: string,
  { bundle, adsets }: BundleChange,
): Promise<Adset[]> {
  requirePermission(actor, 'adset.write');
  return transact(ctx.db, async (tx) => {
    const changed: Adset[] = [];
    // In the order of their ids, so that concurrent changes do not lock each other out.
    for (const { uuid, blocked, bid_cpm: bid } of adsets.toSorted((a, b) => (a.uuid < b.uuid ? -1 : 1))) {
      const before = await lockedAdset(tx.db, actor.companyId, uuid);
      if (before.campaign?.uuid !== campaignUuid) throw new NotFound('Ad set');
      const input = {
        ...(blocked !== undefined && { black_list_bundles: blockedBundles(before, bundle, blocked) }),
        ...(bid !== undefined && { bundle_bids: bundleBids(before, bundle, bid) }),
      };
      changed.push(await changeAdset(ctx, tx, actor, before, input));
    }
    return changed;
  });
}

function blockedBundles(
  { black_list_bundles: list, name }: Adset,
  bundle: string,
  blocked: boolean,
): string[] {
  const others = list.filter((one) => one !== bundle);
  if (!blocked) return others;
  if (others.length === list.length) requireRoomFor(others.length, name);
  return others.length === list.length ? [...list, bundle] : list;
}

function bundleBids(
  { bundle_bids: bids, name }: Adset,
  bundle: string,
  bid: number | null,
): Record<string, number> {
  const others = Object.entries(bids).filter(([one]) => one !== bundle);
  if (bid !== null) requireRoomFor(others.length, name);
  return Object.fromEntries([...others, ...(bid === null ? [] : [[bundle, bid] as const])]);
}

function requireRoomFor(present: number, adsetName: string): void {
  if (present < limits.bundleListMax) return;
  throw new Invalid([
    { field: 'bundle', message: apiMessages.bundleListFull(adsetName, limits.bundleListMax) },
  ]);
}
