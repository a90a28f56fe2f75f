import type { AppSummary } from '@bidwell/contract/apps/schema';
import { parseStoreLink } from '@bidwell/contract/apps/store-link';

/** The fields of an app that its links depend on. */
export type LinkedApp = Pick<AppSummary, 'os' | 'bundle_id' | 'store_link' | 'mobile_measurement_partner'>;

/** The store's id of an app as partners write it: the package name on Android, `id` with the App Store number on iOS. */
export function storeIdOf({ os, bundle_id: bundle, store_link: link }: LinkedApp): string {
  if (os === 'android') return bundle;
  const store = parseStoreLink(link);
  return `id${(store?.os === 'ios' ? store.bundleId : bundle).replace(/^id/, '')}`;
}
