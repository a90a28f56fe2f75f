import type { UntrainedReason } from '../model/event.ts';

/*
 * What an install must be like to be learned from. Each threshold stands here and in docs/delivery.md, nowhere else.
 */

/** An app takes longer than this to be found in the store, loaded and opened. */
export const TOUCH_TO_INSTALL_MS_MIN = 10_000;
/** The partners' usual window after a click: what comes later was not brought by it. */
export const CLICK_TO_INSTALL_MS_MAX = 7 * 86_400_000;
/** The partners' usual window after a view. */
export const VIEW_TO_INSTALL_MS_MAX = 86_400_000;
/** More installs than this for each click of an ad set in a publisher's app are no rate that people make. */
export const INSTALLS_PER_CLICK_MAX = 0.5;
/** So many are believed before there are clicks enough to judge by. */
export const INSTALLS_UNJUDGED = 5;
/** What rates are judged by is half forgotten after so long. */
export const RATE_HALF_LIFE_MS = 7 * 86_400_000;

/** The last thing a person did with an ad before the install. */
export interface Touchpoint {
  kind: 'click' | 'impression';
  /** Unix ms. */
  atMs: number;
}

/**
 * Why the time from an ad to an install is not plausible; '' when it is. `reportedMs` is when the report came, `installedMs`
 * when the partner says that it happened, to the second.
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

/** Installs that may be learned from beside so many clicks. */
export function trainableInstalls(clicks: number): number {
  return INSTALLS_UNJUDGED + clicks * INSTALLS_PER_CLICK_MAX;
}
