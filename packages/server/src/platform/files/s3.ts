import type { ReadableStream } from 'node:stream/web';
import { type Agent, Headers, Response, fetch } from 'undici';
import { readBodyText } from '../http/bodies/response-body.ts';
import { S3ServiceError } from 's3mini';

/** Longest response that is no object: an error document, an acknowledgement. */
const RESPONSE_BYTES_MAX = 64 * 1024;

/** S3 rejects a call because of a setting or a permission; `message` is one sentence for an operator. */
export class S3Refused extends Error {}

/** Error codes of S3 with which a call may succeed when it is repeated, with any status. */
const TRANSIENT: ReadonlySet<string> = new Set(['SlowDown', 'RequestTimeout', 'InternalError', 'BadDigest']);

/**
 * A fetch for s3mini, which itself has no idle timeout, follows redirects and reads error documents of any length. Only
 * the body of a successful GET is left to be read.
 */
export function boundedFetch(dispatcher: Agent, signal: AbortSignal): typeof globalThis.fetch {
  const bounded = async (
    url: string,
    init: { method: string; headers: Record<string, string>; body?: unknown },
  ) => {
    const response = await fetch(url, {
      method: init.method,
      // Compression would hide the length of an object.
      headers: { ...init.headers, 'accept-encoding': 'identity' },
      body: init.body as ReadableStream | string | undefined,
      duplex: 'half',
      redirect: 'manual',
      dispatcher,
      signal,
    });
    if (response.ok && init.method === 'GET') return response;
    const { text } = await readBodyText(
      response.body as ReadableStream<Uint8Array> | null,
      RESPONSE_BYTES_MAX,
    );
    const headers = new Headers([...response.headers]);
    // s3mini reads the error code of this media type only, without parameters.
    if (/[/+]xml\b/.test(headers.get('content-type') ?? '')) headers.set('content-type', 'application/xml');
    // It does not read a document whose namespace has a prefix either.
    for (const name of ['Code', 'Message'] as const) {
      const [, said] =
        new RegExp(`<(?:[\\w.-]{1,50}:)?${name}(?:\\s[^<>]{0,200})?>([^<]*)<`).exec(
          response.ok ? '' : text,
        ) ?? [];
      const header = `x-amz-error-${name.toLowerCase()}`;
      const value = said?.replaceAll(/[^\x20-\x7e]+/g, ' ').trim();
      if (value && !headers.has(header)) headers.set(header, value);
    }
    return new Response(text === '' ? null : text, { status: response.status, headers });
  };
  return bounded as unknown as typeof globalThis.fetch;
}

/** Where creative files are stored in S3. */
export interface S3Settings {
  /** Without a trailing slash; the bucket is the first part of the path behind it. */
  endpoint: string;
  bucket: string;
  region: string;
  accessKeyId: string;
  secretAccessKey: string;
  /** Empty, or ends with a slash. */
  prefix: string;
}

/** The rejection in an error of a call; null for an outage, after which the call can be repeated. */
export function refusalOf(error: unknown, verb: string, settings: S3Settings): S3Refused | null {
  if (error instanceof S3Refused) return error;
  if (!(error instanceof S3ServiceError)) return null;
  const { status, serviceCode: code = 'Unknown' } = error;
  if (status >= 500 || status === 408 || status === 429 || TRANSIENT.has(code)) return null;
  return new S3Refused(sentenceOf(status, code, verb, settings));
}

function sentenceOf(status: number, code: string, verb: string, { bucket, region }: S3Settings): string {
  switch (code) {
    case 'InvalidAccessKeyId':
      return 'S3 does not know the key in S3_ACCESS_KEY_ID.';
    case 'SignatureDoesNotMatch':
      return 'S3 refuses the signature: check S3_SECRET_ACCESS_KEY.';
    case 'NoSuchBucket':
      return `S3 has no bucket "${bucket}": create it, or check S3_BUCKET.`;
    case 'AccessDenied':
      return `S3 does not let this key ${verb} objects in the bucket "${bucket}": it needs s3:GetObject, s3:PutObject, s3:DeleteObject and s3:ListBucket.`;
    case 'RequestTimeTooSkewed':
      return "This machine's clock is too far from that of S3: set it.";
    case 'AuthorizationHeaderMalformed':
    case 'PermanentRedirect':
    case 'TemporaryRedirect':
      return `The bucket "${bucket}" is not in the region "${region}" or not at this address: check S3_REGION and S3_ENDPOINT.`;
    default:
      return `S3 does not ${verb} objects in the bucket "${bucket}" (${status} ${code}): check S3_ENDPOINT and the other S3 settings.`;
  }
}
