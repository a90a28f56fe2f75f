import type { IncomingHttpHeaders } from 'node:http';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';

/** Bytes of a bid request, as it comes and unzipped. */
export const BODY_BYTES_MAX = 512 * 1024;
const unzip = promisify(gunzip);

/** The JSON of a request's body, unzipped where its headers say so; undefined when it cannot be read. Never throws. */
export async function readBody(
  headers: Pick<IncomingHttpHeaders, 'content-encoding'>,
  body: Buffer,
): Promise<unknown> {
  const encoding = headers['content-encoding']?.trim().toLowerCase() ?? 'identity';
  try {
    if (encoding === 'gzip' || encoding === 'x-gzip')
      return parse(await unzip(body, { maxOutputLength: BODY_BYTES_MAX }));
    return encoding === 'identity' || encoding === '' ? parse(body) : undefined;
  } catch {
    return undefined;
  }
}

function parse(body: Buffer): unknown {
  return JSON.parse(body.toString('utf8'));
}
