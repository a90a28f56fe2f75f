import { TtlCache } from '../../../platform/ttl-cache.ts';
import type { Database } from '../../../platform/postgres/client.ts';
import { ownersOfSourceIdentifier } from '../source-identifier-store.ts';
import type { PostbackKeys } from './apple-keys.ts';
import {
  type OwnNetwork,
  type PostbackOwner,
  appsOfItem,
  insertInstallPostback,
  ownNetworks,
} from './install-postback-store.ts';
import type { ClaimedBy, InstallPostback, PostbackFault } from './postback.ts';
import type { RejectedPostbacks } from './rejected-postbacks.ts';
import { networkOfJws, verifyAdAttributionKitPostback } from './verify-adattributionkit.ts';
import { networkOfPostback, verifySkadnetworkPostback } from './verify-skadnetwork.ts';

/** What became of a postback; `unknown_app` is stored for no company, since nobody advertises the app here. */
export type InstallPostbackOutcome =
  'stored' | 'test' | 'duplicate' | 'unknown_app' | 'unknown_network' | PostbackFault;

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
  return async (body: Readonly<Record<string, unknown>>): Promise<InstallPostbackOutcome> => {
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
    const isNew = await insertInstallPostback(db, owner, postback, at);
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
