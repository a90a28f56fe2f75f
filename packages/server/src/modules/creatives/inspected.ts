import { messages } from '@bidwell/contract/messages';
import { Invalid } from '../../platform/errors.ts';

/** File fields of an upload. */
export type FileField = 'banner' | 'video' | 'playable';

/** Type and measures of a file, determined from its content. */
export interface Inspected {
  contentType: string;
  extension: string;
  width: number | null;
  height: number | null;
  durationMs: number | null;
  /** Addresses that a playable loads; null for other files. */
  externalLoads: string[] | null;
}

/** Error for a file whose type its field does not accept. */
export function wrongType(field: FileField): Invalid {
  return new Invalid([{ field, message: messages.invalidFileType }]);
}
