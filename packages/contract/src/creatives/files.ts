import type { CreativeType } from './schema.ts';
import { limits } from '../lib/limits.ts';
import { PLAYABLE_EXITS } from './playable-exits.ts';

/** The use of a file of a creative: its type, or the end card of a video. */
export type CreativeFileKind = CreativeType | 'EndCard';

/** Allowed endings of the names of files, by kind. */
export const fileExtensions: Readonly<Record<CreativeFileKind, readonly string[]>> = {
  Banner: ['.jpeg', '.jpg', '.png'],
  Native: ['.jpeg', '.jpg', '.png', '.gif'],
  Playable: ['.html'],
  Video: ['.mp4', '.mov'],
  EndCard: ['.jpeg', '.jpg', '.png'],
};

/** Messages for files that are not accepted: the fault and what is allowed. */
export const fileMessages = {
  wrongType: (kind: CreativeFileKind) => `Invalid file type. Allowed: ${fileExtensions[kind].join(', ')}`,
  empty: 'The file is empty',
  tooLarge: (name: string, bytesMax: number) => `"${name}" is larger than ${bytesMax / 1024 / 1024} MB`,
  imageDamaged: 'The image is damaged or incomplete. Export it again and upload the new file',
  imagePixels: `The image is too large. Allowed: ${limits.imagePixelsMax / 1e6} megapixels`,
  notAVideo: `The file is not a complete video. Allowed: ${fileExtensions.Video.join(', ')}`,
  noExit: `The page has no exit to the store that can be found. Call mraid.open() where the store is to open. Also found: ${PLAYABLE_EXITS.slice(1).join(', ')}`,
  notAPage: 'The file cannot be read as a page. Allowed: one .html file in UTF-8',
} as const;
