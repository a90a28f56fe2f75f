import { z } from 'zod';
import { CONSOLE_API, endpoint, limited } from '../lib/endpoint.ts';
import { Failure, Timestamp, envelope } from '../lib/wire.ts';

/** `{uuid}` or `{uuid}.{extension}`. */
export const FileParams = z.object({
  file: z.string().regex(/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}(\.[a-z0-9]{1,5})?$/i),
});

const whole = { content: { '*/*': { schema: z.file() } } };

export const readFile = endpoint('GET /file/:file', {
  companyPermission: 'file.read',
  summary: 'Read a file',
  params: FileParams,
  /** `thumb`: a thumbnail of an image, WebP of at most 160 pixels on its longer side. */
  query: z.object({ size: z.enum(['thumb']).optional() }),
  response: { 200: whole, 206: whole, 304: z.null(), 416: Failure, ...limited },
});

const folder = CONSOLE_API + readFile.path.replace(':file', '');

/** The address of a file on the server: `{uuid}` or `{uuid}.{extension}`. */
export const fileAddress = (file: string): string => folder + file;

/** The address of an image's thumbnail. */
export const thumbnailAddress = (uuid: string): string => `${folder}${uuid}?size=thumb`;

/** A signed address for frames and players, which send no access token. */
export const readPreview = endpoint('GET /file/:file/preview', {
  companyPermission: 'file.read',
  summary: 'Ask for the address of a preview',
  params: FileParams,
  response: { 200: envelope(z.object({ url: z.string(), expires_at: Timestamp })) },
});
