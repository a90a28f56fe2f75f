import { Network, NetworkApp, NetworkAppList, NetworkExchange } from '@bidwell/contract/skadnetwork/schema';
import { hashOf } from '../../random.ts';
import type { Api } from '../api.ts';
import { EXCHANGES } from '../exchanges.ts';

/** The ad network of the demo. Its id is longer than Apple's ids, so it belongs to no one. */
export const NETWORK_ID = 'b1dw3lldem0.skadnetwork';
/** Share of the publishers' iOS apps that list the network. */
const LISTED_SHARE = 0.3;

/** Share of those whose SDK does not send the object of SKAdNetwork. */
const SILENT_SHARE = 0.1;
/** Networks that all other apps list. */
export const OTHER_NETWORKS = ['r1valone00.skadnetwork', 'r1valtwo00.skadnetwork', 'r1valthree.skadnetwork'];

/** The ad networks that a publisher's iOS app lists; null if its SDK does not say. Pure. */
export function networksOf(bundle: string): readonly string[] | null {
  if (listsNetwork(bundle)) return [...OTHER_NETWORKS, NETWORK_ID];
  return hashOf(`silent ${bundle}`) / 2 ** 32 < SILENT_SHARE ? null : OTHER_NETWORKS;
}

/** Whether a publisher's app lists the network in its `SKAdNetworkItems`. Pure. */
export function listsNetwork(bundle: string): boolean {
  return hashOf(`${NETWORK_ID} ${bundle}`) / 2 ** 32 < LISTED_SHARE;
}

/** Adds the network with a new key, and signs bids with all exchanges of the demo. Throws ApiError. */
export async function registerNetwork(operator: Api): Promise<void> {
  await operator.send('PUT', `/skadnetwork/networks/${NETWORK_ID}`, {}, Network);
  for (const { slug } of EXCHANGES)
    await operator.send('PUT', `/skadnetwork/exchanges/${slug}`, { enabled: true }, NetworkExchange);
}

/** The number in the store of an iOS app. Throws ApiError, and Error where it has none. */
export async function itemIdOf(operator: Api, appUuid: string): Promise<number> {
  const { apps } = await operator.get('/skadnetwork/apps', NetworkAppList);
  const itemId = apps.find(({ uuid }) => uuid === appUuid)?.item_id;
  if (!itemId) throw new Error('The app has no number in the store.');
  return itemId;
}

/** Signs bids for an app: its ad sets that run get source identifiers. Throws ApiError. */
export async function signBidsFor(operator: Api, appUuid: string): Promise<void> {
  await operator.send('PUT', `/skadnetwork/apps/${appUuid}`, { enabled: true }, NetworkApp);
}
