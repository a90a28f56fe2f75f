import type { ModerationStatus } from '@bidwell/contract/apps/schema';
import { isDeepStrictEqual } from 'node:util';
import type { Config } from '../../config/config.ts';

/** Review state of an entity. `Version` holds the reviewed fields: those that people see in the ad. */
export interface Review<Version extends object> {
  status: ModerationStatus;
  rejection_reason: string | null;
  /** The approved version, which runs while the current one is not approved; null if there is none. */
  approved: Version | null;
}

/** The review status of a new entity. */
export function initialStatus({ moderation }: Pick<Config, 'moderation'>): ModerationStatus {
  return moderation === 'auto' ? 'Approved' : 'Moderation';
}

/**
 * The review after the reviewed fields change from `from` to `to`. It starts again, while the approved version continues
 * to run. Returning to the approved version needs no new decision. Null if the version is unchanged.
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
