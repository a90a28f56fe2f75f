import { sql } from 'kysely';
import type { Db } from '../../../platform/postgres/transaction.ts';
import type { InstallPostback } from './postback.ts';

/** An ad network of this installation. */
export interface OwnNetwork {
  /** In lower case. */
  id: string;
  acceptsDevelopment: boolean;
}

/** The ad networks of this installation. Spans companies, which share them. */
export async function ownNetworks(db: Db): Promise<OwnNetwork[]> {
  const rows = await db.selectFrom('skadnetwork_networks').select(['id', 'development_postbacks']).execute();
  return rows.map(({ id, development_postbacks }) => ({
    id: id.toLowerCase(),
    acceptsDevelopment: development_postbacks,
  }));
}

/** An app with an id of the App Store, of any company: a postback names nothing else. Deleted ones come last. */
export async function appsOfItem(
  db: Db,
  itemId: string,
): Promise<{ companyId: string; appId: string; isDeleted: boolean }[]> {
  const rows = await db
    .selectFrom('apps')
    .select(['company_uuid', 'uuid', 'deleted_at'])
    .where('os', '=', 'ios')
    .where(sql<boolean>`(bundle_id = ${itemId} or bundle_id = ${`id${itemId}`})`)
    .orderBy(sql`deleted_at is not null`)
    .orderBy('created_at', 'desc')
    .execute();
  return rows.map(({ company_uuid, uuid, deleted_at }) => ({
    companyId: company_uuid,
    appId: uuid,
    isDeleted: deleted_at !== null,
  }));
}

/** Whose a postback is, as far as that is known. */
export interface PostbackOwner {
  companyId: string | null;
  appId: string | null;
  /** Null where no ad set has or had the source identifier. */
  adsetId: string | null;
}

/**
 * Stores a postback and returns true, or false where one of the same transaction and window is stored already: the first one counts.
 * Of no company where nobody is known to advertise the app.
 */
export async function insertInstallPostback(
  db: Db,
  { companyId, appId, adsetId }: PostbackOwner,
  postback: InstallPostback,
  at: Date,
): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('install_postbacks')
    .values({
      framework: postback.framework,
      transaction_id: postback.transactionId,
      sequence_index: postback.sequenceIndex,
      received_at: at,
      company_uuid: companyId,
      app_uuid: appId,
      adset_uuid: adsetId,
      item_id: postback.itemId,
      network_id: postback.networkId,
      source_identifier: postback.sourceIdentifier,
      version: postback.version,
      conversion_type: postback.conversionType,
      source_app_id: postback.sourceAppId,
      source_domain: postback.sourceDomain,
      fidelity: postback.fidelity,
      did_win: postback.didWin,
      fine_value: postback.fineValue,
      coarse_value: postback.coarseValue,
      country: postback.country,
    })
    .onConflict((conflict) => conflict.columns(['framework', 'transaction_id', 'sequence_index']).doNothing())
    .executeTakeFirstOrThrow();
  return numInsertedOrUpdatedRows === 1n;
}
