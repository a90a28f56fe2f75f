import { parseStoreLink } from '@bidwell/contract/apps/store-link';
import type { SourceIdentifierList } from '@bidwell/contract/skadnetwork/schema';
import { campaignOf } from '@bidwell/contract/skadnetwork/source-identifiers';
import type { Context } from '../../../context.ts';
import type { Actor } from '../../../platform/actor.ts';
import { requirePermission } from '../../../platform/permissions.ts';
import { hasSigningNetwork } from '../../../delivery/public.ts';
import { getApp } from './service.ts';
import type { Db } from '../../../platform/postgres/transaction.ts';

/**
 * The numbers by which postbacks of SKAdNetwork name an app's ad sets, starting with the numbers for its present store id, and the ad sets
 * that have none for it. Throws NotFound.
 */
export async function listSourceIdentifiers(
  ctx: Context,
  actor: Actor,
  { uuid }: { uuid: string },
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

/**
 * The numbers of a company's ad sets for an app in the store, the newest first; also numbers that other ad sets have since. After them the
 * numbers that ad sets of the app have for its former numbers in the store.
 */
async function listNumberRows(db: Db, companyId: string, uuid: string, itemId: number | null) {
  return db
    .selectFrom('source_identifiers')
    .leftJoin('adsets', (join) =>
      join
        .onRef('adsets.uuid', '=', 'source_identifiers.adset_uuid')
        .onRef('adsets.company_uuid', '=', 'source_identifiers.company_uuid'),
    )
    .leftJoin('campaigns', 'campaigns.uuid', 'adsets.campaign_uuid')
    .select([
      'source_identifiers.item_id',
      'source_identifiers.number',
      'source_identifiers.adset_uuid',
      'adsets.name as adset',
      'source_identifiers.allocated_at',
      'source_identifiers.last_bid_at',
      'source_identifiers.released_at',
    ])
    .where('source_identifiers.company_uuid', '=', companyId)
    .where((eb) =>
      eb.or([
        eb('campaigns.app_uuid', '=', uuid),
        ...(itemId === null ? [] : [eb('source_identifiers.item_id', '=', itemId)]),
      ]),
    )
    .orderBy((eb) => eb('source_identifiers.item_id', 'is distinct from', itemId))
    .orderBy('source_identifiers.allocated_at', 'desc')
    .orderBy('source_identifiers.number')
    .execute();
}

/** Whether bids for an app are signed, with its present number in the store. */
async function hasSignedBids(db: Db, companyId: string, uuid: string): Promise<boolean> {
  const row = await db
    .selectFrom('skadnetwork_apps')
    .innerJoin('apps', (join) =>
      join
        .onRef('apps.uuid', '=', 'skadnetwork_apps.app_uuid')
        .onRef('apps.store_item_id', '=', 'skadnetwork_apps.item_id'),
    )
    .select('app_uuid')
    .where('skadnetwork_apps.company_uuid', '=', companyId)
    .where('app_uuid', '=', uuid)
    .executeTakeFirst();
  return row !== undefined;
}

/** The company's active ad sets of an app without a number for it, by name. */
async function adsetsWithoutNumber(db: Db, companyId: string, uuid: string, itemId: number) {
  return db
    .selectFrom('adsets')
    .innerJoin('campaigns', 'campaigns.uuid', 'adsets.campaign_uuid')
    .select(['adsets.uuid', 'adsets.name'])
    .where('adsets.company_uuid', '=', companyId)
    .where('campaigns.app_uuid', '=', uuid)
    .where('campaigns.status', '=', 'Active')
    .where('adsets.status', '=', 'Active')
    .where('adsets.archived_at', 'is', null)
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('source_identifiers')
            .select('source_identifiers.uuid')
            .whereRef('source_identifiers.adset_uuid', '=', 'adsets.uuid')
            .where('source_identifiers.item_id', '=', itemId)
            .where('source_identifiers.released_at', 'is', null),
        ),
      ),
    )
    .orderBy('adsets.name')
    .orderBy('adsets.uuid')
    .execute();
}
