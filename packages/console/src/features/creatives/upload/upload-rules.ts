import type { CreativeType } from '@bidwell/contract/creatives/schema';

/** What can be uploaded as one type of creative. */
export interface UploadRules {
  /** The word for one file. */
  file: string;
  hint: string;
  /** Accepted file names by MIME type. */
  accept: Record<string, string[]>;
  /** Whether several files can be selected at once. */
  multiple: boolean;
}

export const uploadRules: Readonly<Record<CreativeType, UploadRules>> = {
  Banner: {
    file: 'image',
    hint: 'JPEG or PNG in one of the allowed sizes, up to 5 MB each',
    accept: { 'image/png': ['.png'], 'image/jpeg': ['.jpg', '.jpeg'] },
    multiple: true,
  },
  Native: {
    file: 'image',
    hint: 'One JPEG, PNG or GIF in one of the allowed sizes, up to 5 MB',
    accept: { 'image/png': ['.png'], 'image/jpeg': ['.jpg', '.jpeg'], 'image/gif': ['.gif'] },
    multiple: false,
  },
  Playable: {
    file: 'playable',
    hint: 'HTML files that contain everything they load, up to 5 MB each',
    accept: { 'text/html': ['.html'] },
    multiple: true,
  },
  Video: {
    file: 'video',
    hint: 'MP4 or MOV, not square, up to 100 MB each. Each needs an end card: JPEG or PNG, not square',
    accept: { 'video/mp4': ['.mp4'], 'video/quicktime': ['.mov'] },
    multiple: true,
  },
};
