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

/**
 * The apps, of any company, that may have postbacks of a number in the App Store: those for which an operator switched it on, and those
 * with ad sets that have or had a source identifier of it. The store link alone proves nothing: any company can enter any.
 */
export async function appsOfItem(db: Db, itemId: string): Promise<{ companyId: string; appId: string }[]> {
  const { rows } = await sql<{ companyId: string; appId: string }>`
    select apps.company_uuid as "companyId", apps.uuid as "appId" from apps
    where apps.deleted_at is null and apps.uuid in (
      select app_uuid from skadnetwork_apps where item_id = ${Number(itemId)}
      union
      select campaigns.app_uuid from source_identifiers
      join adsets on adsets.uuid = source_identifiers.adset_uuid
      join campaigns on campaigns.uuid = adsets.campaign_uuid
      where source_identifiers.item_id = ${Number(itemId)})
    order by apps.created_at desc, apps.uuid`.execute(db);
  return rows;
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
