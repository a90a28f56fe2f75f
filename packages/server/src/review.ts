import type { ModerationStatus } from '@bidwell/contract/app';
import { isDeepStrictEqual } from 'node:util';
import type { Config } from './config.ts';

/** How the review of an entity stands. `Version` holds the fields that are reviewed: what a person sees of the ad. */
export interface Review<Version extends object> {
  status: ModerationStatus;
  rejection_reason: string | null;
  /** What runs while the current version is not approved; null where nothing of before may run. */
  approved: Version | null;
}

/** The status of what is made now. */
export function initialStatus({ moderation }: Pick<Config, 'moderation'>): ModerationStatus {
  return moderation === 'auto' ? 'Approved' : 'Moderation';
}

/**
 * The review after the reviewed fields change from `from` to `to`: it begins again, while what was approved goes on
 * running. Going back to what is approved needs no decision. Null where the version stays the same.
 */
export function reviewAfter<Version extends object>(
  config: Pick<Config, 'moderation'>,
  before: Review<Version>,
  from: Version,
  to: Version,
): Review<Version> | null {
  if (isDeepStrictEqual(from, to)) return null;
  const approved = before.status === 'Approved' ? from : before.approved;
  const isApproved = initialStatus(config) === 'Approved' || isDeepStrictEqual(approved, to);
  return isApproved
    ? { status: 'Approved', rejection_reason: null, approved: null }
    : { status: 'Moderation', rejection_reason: null, approved };
}
