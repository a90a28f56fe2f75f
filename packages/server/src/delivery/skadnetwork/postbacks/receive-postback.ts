import { TtlCache } from '../../../platform/ttl-cache.ts';
import type { Database } from '../../../platform/postgres/client.ts';
import { ownersOfSourceIdentifier } from '../source-identifiers.ts';
import type { PostbackKeys } from './apple-keys.ts';
import type { ClaimedBy, InstallPostback, PostbackFault } from './postback.ts';
import type { RejectedPostbacks } from './rejected-postbacks.ts';
import { networkOfJws, verifyAdAttributionKitPostback } from './verify-adattributionkit.ts';
import { networkOfPostback, verifySkadnetworkPostback } from './verify-skadnetwork.ts';
import { sql } from 'kysely';
import type { Db } from '../../../platform/postgres/transaction.ts';

/** The outcome of a postback; `unknown_app` is stored for no company, since no company advertises the app. */
export type InstallPostbackOutcome =
  | 'stored'
  | 'test'
  | 'duplicate'
  | 'unknown_app'
  | 'unknown_network'
  | PostbackFault;

/** Dependencies of {@link postbackReceiver}. */
export interface ReceiverDeps {
  db: Database;
  keys: PostbackKeys;
  rejected: Pick<RejectedPostbacks, 'add'>;
  now: () => Date;
}

/** How long the ad networks of this installation are remembered. */
const NETWORKS_MS = 10_000;

/**
 * Returns the function that verifies a postback and stores it. The first valid one of a transaction and window counts, since the
 * conversion value in another copy may have been changed on its way. Rejects where PostgreSQL does not respond: the device sends it
 * again.
 */
export function postbackReceiver({ db, keys, rejected, now }: ReceiverDeps) {
  const networks = new TtlCache<readonly OwnNetwork[]>(NETWORKS_MS, 1);
  const reject = async (
    { itemId }: Pick<ClaimedBy, 'itemId'>,
    reason: PostbackFault | 'unknown_network' | 'test',
  ): Promise<InstallPostbackOutcome> => {
    rejected.add({ itemId, reason });
    return reason;
  };
  return async (
    body: Readonly<Record<string, unknown>>,
    /** The bytes that the device sent, for copies to measurement partners. */
    bytes: Buffer,
  ): Promise<InstallPostbackOutcome> => {
    const isJws = 'jws-string' in body;
    const claimed = isJws ? networkOfJws(body) : networkOfPostback(body);
    const own = await networks.get('', async () => ownNetworks(db));
    const network = own.find(({ id }) => id === claimed.networkId);
    // Copies of other networks' postbacks come to the domain of a developer as well.
    if (claimed.networkId !== '' && !network) return reject(claimed, 'unknown_network');
    const verified = isJws
      ? await verifyAdAttributionKitPostback(body, keys, network?.acceptsDevelopment ?? false)
      : await verifySkadnetworkPostback(body, keys);
    if ('fault' in verified) return reject(verified.claimed, verified.fault);
    const { postback, isTest } = verified;
    // Anyone can make tests of any app with a device for development: rows of them would have no bound.
    if (isTest) return reject(postback, 'test');
    const at = now();
    const owner = await ownerOf(db, postback, at);
    const isNew = await insertInstallPostback(db, owner, { postback, bytes, at });
    if (!isNew) return 'duplicate';
    return owner.companyId === null ? 'unknown_app' : 'stored';
  };
}

/**
 * Whose a postback is: the ad set that has its source identifier or had it last, and else the company that has the app with signed bids,
 * if only one has it.
 */
async function ownerOf(
  db: Database,
  { itemId, sourceIdentifier }: InstallPostback,
  at: Date,
): Promise<PostbackOwner> {
  const owners = await ownersOfSourceIdentifier(db, Number(itemId), sourceIdentifier);
  const owner = owners.find(({ from }) => from <= at);
  if (owner?.appId) return owner;
  const apps = await appsOfItem(db, itemId);
  if (owner) {
    const app = apps.find(({ companyId }) => companyId === owner.companyId);
    return { ...owner, appId: app?.appId ?? null };
  }
  const [app] = new Set(apps.map(({ companyId }) => companyId)).size === 1 ? apps : [];
  return { companyId: app?.companyId ?? null, appId: app?.appId ?? null, adsetId: null };
}

/** An ad network of this installation. */
interface OwnNetwork {
  /** In lower case. */
  id: string;
  acceptsDevelopment: boolean;
}

/** The ad networks of this installation. Spans companies, which share them. */
async function ownNetworks(db: Db): Promise<OwnNetwork[]> {
  const rows = await db.selectFrom('skadnetwork_networks').select(['id', 'development_postbacks']).execute();
  return rows.map(({ id, development_postbacks }) => ({
    id: id.toLowerCase(),
    acceptsDevelopment: development_postbacks,
  }));
}

/**
 * The apps, of any company, that may have postbacks of a number in the App Store: apps for which an operator switched it on, and apps
 * with ad sets that have or had a source identifier of it. The store link alone proves nothing: any company can enter any.
 */
async function appsOfItem(db: Db, itemId: string): Promise<{ companyId: string; appId: string }[]> {
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
interface PostbackOwner {
  companyId: string | null;
  appId: string | null;
  /** Null where no ad set has or had the source identifier. */
  adsetId: string | null;
}

/**
 * Stores a postback, with a copy to send to each measurement partner that gets the app's postbacks, and returns true. Returns false where one of the
 * same transaction and window is stored already: the first one counts. The row has no company if none is known to advertise the app.
 */
async function insertInstallPostback(
  db: Database,
  { companyId, appId, adsetId }: PostbackOwner,
  { postback, bytes, at }: { postback: InstallPostback; bytes: Buffer; at: Date },
): Promise<boolean> {
  const { framework, transactionId, sequenceIndex } = postback;
  const insert = db
    .insertInto('install_postbacks')
    .values({
      framework,
      transaction_id: transactionId,
      sequence_index: sequenceIndex,
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
      body: bytes,
    })
    .onConflict((conflict) => conflict.columns(['framework', 'transaction_id', 'sequence_index']).doNothing())
    .returning(['company_uuid', 'app_uuid', 'framework', 'transaction_id', 'sequence_index', 'received_at']);
  const { rows } = await sql`
    with stored as (${insert}), copied as (
      insert into postback_copies (uuid, company_uuid, app_uuid, mmp, framework, transaction_id, sequence_index, status,
        next_attempt_at, created_at)
      select gen_random_uuid(), t.company_uuid, t.app_uuid, t.mmp, s.framework, s.transaction_id, s.sequence_index, 'waiting',
        s.received_at, s.received_at
      from stored s join postback_copy_targets t on t.app_uuid = s.app_uuid and t.company_uuid = s.company_uuid
      where t.is_enabled and (s.framework = 'skadnetwork' or t.adattributionkit_url is not null)
      on conflict do nothing
    )
    select from stored`.execute(db);
  return rows.length === 1;
}
