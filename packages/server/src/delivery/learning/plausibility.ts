import type { UntrainedReason } from '../model/event.ts';

/*
 * Thresholds that an install must meet to be used for training. Documented in docs/delivery.md; change both together.
 */

/** Minimum time between touchpoint and install: opening the store, downloading and starting an app takes longer. */
export const TOUCH_TO_INSTALL_MS_MIN = 10_000;
/** Default attribution window of the partners after a click. */
export const CLICK_TO_INSTALL_MS_MAX = 7 * 86_400_000;
/** Default attribution window of the partners after a view. */
export const VIEW_TO_INSTALL_MS_MAX = 86_400_000;
/** Highest plausible number of installs per click of an ad set in a publisher's app. */
export const INSTALLS_PER_CLICK_MAX = 0.5;
/** Installs accepted before there are enough clicks to estimate a rate. */
export const INSTALLS_UNCHECKED = 5;
/** Half-life of the counts of {@link INSTALLS_PER_CLICK_MAX}. */
export const RATE_HALF_LIFE_MS = 7 * 86_400_000;

/** The click or impression that an install is attributed to. */
export interface Touchpoint {
  kind: 'click' | 'impression';
  /** Unix ms. */
  atMs: number;
}

/**
 * Why the time between a touchpoint and an install is implausible; '' when it is plausible. `reportedMs` is the arrival
 * of the postback, `installedMs` the partner's time of the install, truncated to seconds; both Unix ms.
 */
export function implausibleTime(
  { kind, atMs }: Touchpoint,
  reportedMs: number,
  installedMs: number | null,
): UntrainedReason | '' {
  const elapsedMs = Math.min(reportedMs, installedMs === null ? Infinity : installedMs + 999) - atMs;
  if (elapsedMs < TOUCH_TO_INSTALL_MS_MIN) return 'too_fast';
  return elapsedMs > (kind === 'click' ? CLICK_TO_INSTALL_MS_MAX : VIEW_TO_INSTALL_MS_MAX) ? 'too_late' : '';
}

/** Maximum number of installs used for training, for a number of clicks. */
export function trainableInstalls(clicks: number): number {
  return INSTALLS_UNCHECKED + clicks * INSTALLS_PER_CLICK_MAX;
}
