import { messages } from '@bidwell/contract/messages';
import { Invalid } from '../../platform/errors.ts';

/** The fields of an upload that hold files. */
export type FileField = 'banner' | 'video' | 'playable';

/** What a file turned out to be, whatever its name says. */
export interface Inspected {
  contentType: string;
  extension: string;
  width: number | null;
  height: number | null;
  durationMs: number | null;
  /** Addresses that a playable loads from. */
  externalLoads: string[] | null;
}

/** For a file that is not of a kind its field takes. */
export function wrongType(field: FileField): Invalid {
  return new Invalid([{ field, message: messages.invalidFileType }]);
}
