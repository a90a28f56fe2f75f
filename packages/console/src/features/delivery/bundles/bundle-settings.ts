import type { Adset } from '@bidwell/contract/adsets/schema';

/** What an ad set does on a publisher's app. */
export interface BundleSetting {
  uuid: string;
  name: string;
  isBlocked: boolean;
  /** Dollars per thousand impressions; null if the bid of the ad set applies. */
  bid: number | null;
  /** The bid of the ad set. */
  adsetBid: number;
}

/** What the ad sets of a campaign do on a publisher's app, without archived ones. Pure. */
export function settingsOf(adsets: readonly Adset[], bundle: string): readonly BundleSetting[] {
  return adsets
    .filter(({ archived_at: archivedAt }) => archivedAt === null)
    .map((adset) => ({
      uuid: adset.uuid,
      name: adset.name,
      isBlocked: adset.black_list_bundles.includes(bundle),
      bid: adset.bundle_bids[bundle] ?? null,
      adsetBid: adset.bet_cpm,
    }));
}

/** `Broad reach`, `Broad reach and Lookalike`, `3 ad sets`. Pure. */
export function adsetNames(names: readonly string[]): string {
  return names.length <= 2 ? names.join(' and ') : `${names.length} ad sets`;
}
