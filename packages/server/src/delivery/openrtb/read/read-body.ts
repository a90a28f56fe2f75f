import { BID_REQUEST_BYTES_MAX } from '@bidwell/contract/operator/exchange-test';
import { brotliDecompress, gunzip, inflate, inflateRaw } from 'node:zlib';
import type { RawCall } from '../../../platform/http/door/call.ts';
import { arrayOf, objectOf } from '../json.ts';

/** Maximum size of a bid request in bytes, both compressed and decompressed. */
export const BODY_BYTES_MAX = BID_REQUEST_BYTES_MAX;

/** Values of `content-encoding` that {@link readBody} decompresses. */
export const ACCEPTED_ENCODINGS = 'gzip, deflate, br';

/**
 * Reads the body of a request, decompresses it as `content-encoding` says ({@link ACCEPTED_ENCODINGS}), and calls `done` with it;
 * with null if it cannot be decompressed or is then longer than {@link BODY_BYTES_MAX}, with 'unknown-encoding' if it has another encoding, and
 * with what {@link RawCall.body} says if it did not come whole.
 */
export function readBody(
  call: RawCall,
  done: (body: Buffer | 'too-large' | 'unknown-encoding' | 'aborted' | null) => void,
): void {
  call.body((body) => {
    if (typeof body === 'string') return done(body);
    const encoding = call.header('content-encoding')?.trim().toLowerCase() ?? 'identity';
    if (encoding === 'identity' || encoding === '') return done(body);
    const decompress = decompressorOf(encoding, body);
    if (!decompress) return done('unknown-encoding');
    decompress(body, { maxOutputLength: BODY_BYTES_MAX }, (error, content) => done(error ? null : content));
  });
}

type Decompressor = (
  body: Buffer,
  options: { maxOutputLength: number },
  done: (error: Error | null, content: Buffer) => void,
) => void;

/** The function of zlib for an encoding; null for an unknown one. */
function decompressorOf(encoding: string, body: Buffer): Decompressor | null {
  switch (encoding) {
    case 'gzip':
    case 'x-gzip':
      return gunzip;
    case 'deflate':
      return hasZlibHeader(body) ? inflate : inflateRaw;
    case 'br':
      return brotliDecompress;
    default:
      return null;
  }
}

/** RFC 1950, 2.2. Clients that misread RFC 9110 send deflate without it. */
function hasZlibHeader(body: Buffer): boolean {
  return body.length >= 2 && (body[0]! & 0x0f) === 8 && body.readUInt16BE(0) % 31 === 0;
}

/**
 * Parses the JSON of a bid request. A byte order mark before it is ignored. Ids of the request and its imps, which the response
 * repeats, are texts in the standard; where one is a number that would lose digits, all ids that are such numbers become texts
 * with the same digits. Throws SyntaxError.
 */
export function parseRequest(text: string): unknown {
  const json = text.charCodeAt(0) === BYTE_ORDER_MARK ? text.slice(1) : text;
  const request: unknown = JSON.parse(json);
  return losesDigits(request) ? JSON.parse(withTextIds(json)) : request;
}

const BYTE_ORDER_MARK = 0xfeff;

/** Whether an id that the response repeats is a number that JavaScript may not write as it was written. */
function losesDigits(request: unknown): boolean {
  const { id, imp } = objectOf(request);
  return isInexact(id) || arrayOf(imp, Infinity).some((one) => isInexact(objectOf(one)['id']));
}

function isInexact(id: unknown): boolean {
  return typeof id === 'number' && !Number.isSafeInteger(id);
}

/** A name in quotes and a number are found in no text of JSON, in which quotes are escaped. */
function withTextIds(json: string): string {
  return json.replaceAll(/("id"\s*:\s*)(-?\d[\d.eE+-]*)/g, (whole, name: string, number: string) =>
    isInexact(Number(number)) ? `${name}"${number}"` : whole,
  );
}
