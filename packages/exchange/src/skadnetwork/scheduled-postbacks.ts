import { attribute, type ShownAd } from './shown-ad.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Ends of the conversion windows after the first launch. */
const WINDOW_ENDS_MS = [2 * DAY_MS, 7 * DAY_MS, 35 * DAY_MS] as const;
/** Between a window's end and its postback: from one day to two, and to six in later windows. */
const DELAYS_MS = [
  [DAY_MS, 2 * DAY_MS],
  [DAY_MS, 6 * DAY_MS],
  [DAY_MS, 6 * DAY_MS],
] as const;
/** Longest time from the install to the first launch. */
const LAUNCH_MS_MAX = 60 * DAY_MS;
const COARSE = ['low', 'medium', 'high'] as const;
export type Coarse = (typeof COARSE)[number];

/** How a person came to the app, and what they did there. */
export interface Install {
  itemId: number;
  installedMs: number;
  launchedMs: number;
  isRedownload: boolean;
  /** The crowd anonymity tier: how much of the postback Apple sends. */
  tier: 0 | 1 | 2 | 3;
  /** The app's fine value at the end of the first window; of the later windows coarse values. */
  fineValue: number;
  coarseValues: readonly [Coarse, Coarse, Coarse];
  country: string;
}

/** A postback that a device sends at a time, with its signed and its other fields. */
export interface ScheduledPostback {
  atMs: number;
  ad: ShownAd;
  transactionId: string;
  window: 0 | 1 | 2;
  didWin: boolean;
  isRedownload: boolean;
  /** As many digits of the source identifier as the tier allows. */
  digits: string;
  /** Null if the device does not send the publisher's app. */
  sourceAppId: number | null;
  fineValue: number | null;
  coarseValue: Coarse | null;
  country: string | null;
}

/** The random draws of a device: numbers from 0 to 1, and ids. */
export interface Chance {
  random: () => number;
  newId: () => string;
}

/** The postbacks of an install by Apple's rules, the earliest first; none if no ad was shown in time. Pure but for chance. */
export function postbacksOf(
  shown: readonly ShownAd[],
  install: Install,
  chance: Chance,
): ScheduledPostback[] {
  const { installedMs, launchedMs } = install;
  if (launchedMs < installedMs || launchedMs - installedMs > LAUNCH_MS_MAX) return [];
  const attribution = attribute(shown, install.itemId, installedMs);
  if (!attribution) return [];
  const { winner, losers } = attribution;
  const transactionId = chance.newId();
  // Version 3.0 has one postback, and so has a crowd of tier 0.
  const windows = winner.version === '3.0' || install.tier === 0 ? ([0] as const) : ([0, 1, 2] as const);
  const won = windows.map((window) => wonPostback(winner, install, { window, transactionId, chance }));
  const lost = losers.map((ad) => lostPostback(ad, install, chance));
  return [...won, ...lost].toSorted((a, b) => a.atMs - b.atMs);
}

function wonPostback(
  ad: ShownAd,
  install: Install,
  { window, transactionId, chance }: { window: 0 | 1 | 2; transactionId: string; chance: Chance },
): ScheduledPostback {
  const { tier } = install;
  const isFine = window === 0 && tier >= 2;
  const isOld = ad.version === '3.0';
  return {
    atMs: sentAtMs(install, window, chance),
    ad,
    transactionId,
    window,
    didWin: true,
    isRedownload: install.isRedownload,
    digits: digitsOf(ad, isFine ? (tier === 3 ? 4 : 3) : 2),
    sourceAppId: tier === 3 && window === 0 ? ad.sourceAppId : null,
    fineValue: isFine ? install.fineValue : null,
    coarseValue: tier === 0 || isFine || isOld ? null : install.coarseValues[window],
    country: tier === 3 && ad.framework === 'adattributionkit' ? install.country : null,
  };
}

function lostPostback(ad: ShownAd, install: Install, chance: Chance): ScheduledPostback {
  return {
    atMs: sentAtMs(install, 0, chance),
    ad,
    transactionId: chance.newId(),
    window: 0,
    didWin: false,
    isRedownload: install.isRedownload,
    digits: digitsOf(ad, install.tier >= 2 ? 4 : 2),
    sourceAppId: null,
    fineValue: null,
    coarseValue: null,
    country: null,
  };
}

function sentAtMs({ launchedMs }: Install, window: 0 | 1 | 2, { random }: Chance): number {
  const [least, most] = DELAYS_MS[window];
  return Math.round(launchedMs + WINDOW_ENDS_MS[window] + least + random() * (most - least));
}

/** The last digits of a source identifier; version 3.0 has a campaign id of two. */
function digitsOf({ version, sourceIdentifier }: ShownAd, digits: number): string {
  return sourceIdentifier.slice(version === '3.0' ? -2 : -digits);
}
