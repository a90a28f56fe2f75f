import type { PlayableExit } from '@bidwell/contract/creatives/playable-exits';
import { Invalid } from '../../../../platform/errors.ts';

/** File fields of an upload. */
export type FileField = 'banner' | 'video' | 'playable';

/** The sender of a file. Its inspection does not begin once `signal` has aborted, because the caller has left. */
export interface Uploader {
  companyId: string;
  signal: AbortSignal;
}

/** Type and measures of a file, determined from its content. */
export interface Inspected {
  contentType: string;
  extension: string;
  width: number | null;
  height: number | null;
  durationMs: number | null;
  /** Addresses that a playable loads; null for other files. */
  externalLoads: string[] | null;
  /** How a playable's page leads to the store; null for other files. */
  exits: PlayableExit[] | null;
}

/** Error for a file that its field does not accept. */
export function rejectedFile(field: FileField, message: string): Invalid {
  return new Invalid([{ field, message }]);
}
