/** The frameworks of Apple that a simulated device attributes with. */
export type Framework = 'skadnetwork' | 'adattributionkit';

/** An ad that a simulated device has shown. */
export interface ShownAd {
  framework: Framework;
  /** Version of the signed impression; `3.0` has a campaign id in place of the source identifier, and one postback. */
  version: '3.0' | '4.0';
  networkId: string;
  /** Four digits; the last two are the campaign id of version 3.0. */
  sourceIdentifier: string;
  /** The App Store's ids of the advertised app and of the publisher's. */
  itemId: number;
  sourceAppId: number;
  /** 0 for a view, 1 for an ad that StoreKit rendered or a click. */
  fidelity: 0 | 1;
  /** Unix ms. */
  atMs: number;
}

const DAY_MS = 86_400_000;
/** How long before the install an ad may have been shown, by fidelity. */
const LOOK_BACK_MS = [DAY_MS, 30 * DAY_MS] as const;
/** Impressions that take part in an attribution, the winner included. */
const TAKING_PART_MAX = 6;
/** View-through impressions that a publisher's app keeps of the latest. */
const VIEWS_KEPT = 15;

/** Who wins an install, and who takes part without winning. */
export interface Attribution {
  winner: ShownAd;
  /** At most five, one of each network. */
  losers: ShownAd[];
}

/**
 * Attributes an install by Apple's rules: over both frameworks the highest fidelity wins, and of these the newest. The next five networks
 * lose, each once. Null where no ad was shown in time. Pure.
 */
export function attribute(
  shown: readonly ShownAd[],
  itemId: number,
  installedMs: number,
): Attribution | null {
  const candidates = kept(shown)
    .filter((ad) => ad.itemId === itemId && ad.atMs <= installedMs)
    .filter(({ fidelity, atMs }) => installedMs - atMs <= LOOK_BACK_MS[fidelity])
    .toSorted((a, b) => b.fidelity - a.fidelity || b.atMs - a.atMs);
  const [winner, ...others] = candidates;
  if (!winner) return null;
  const losers = new Map<string, ShownAd>();
  for (const ad of others)
    if (ad.networkId !== winner.networkId && !losers.has(ad.networkId)) losers.set(ad.networkId, ad);
  return { winner, losers: [...losers.values()].slice(0, TAKING_PART_MAX - 1) };
}

function kept(shown: readonly ShownAd[]): ShownAd[] {
  const views = new Map<number, number>();
  return shown
    .toSorted((a, b) => b.atMs - a.atMs)
    .filter(({ fidelity, sourceAppId }) => {
      if (fidelity === 1) return true;
      const count = (views.get(sourceAppId) ?? 0) + 1;
      views.set(sourceAppId, count);
      return count <= VIEWS_KEPT;
    });
}
