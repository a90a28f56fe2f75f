import { bytesText } from '../lib/bytes.ts';
import type { Storage } from '../storage/schema.ts';

/** Messages of creatives and their files that only the server writes, in responses of the API. */
export const creativeApiMessages = {
  storageFull: ({ used_bytes: used, quota_bytes: quota, quota_after_approval_bytes: later }: Storage) =>
    `Your company’s files have ${bytesText(used)} of ${bytesText(quota)}, and this one does not fit. Delete creatives that you do not need, or ask the operator for more.${
      later === null ? '' : ` Once one of your apps is approved, they may have ${bytesText(later)}.`
    }`,
  creativeType: (name: string, type: string) => `"${name}" is a ${type} creative`,
  oneEndCard: 'Only an end card can be replaced: send one file, as banner',
  endCardOnly: 'Only the end card of a video can be replaced',
  videoCodec: 'The video’s codec is not one that devices play. Use H.264',
  videoFiles: 'Send one file as video and one as banner',
  oneFile: (field: string) => `Send one file, as ${field}`,
  multipart: 'Send the creative as a multipart form.',
  formTooLarge: 'The form has too many parts, or too large ones.',
  formUnreadable: 'The multipart form cannot be read.',
  fileSize: (bytes: number) => `The file has ${bytes} bytes.`,
} as const;
