import type { ReadableStream } from 'node:stream/web';
import { type Agent, Headers, Response, fetch } from 'undici';
import { readBodyText } from '../http/bodies/response-body.ts';

/** Longest response that is no object: an error document, an acknowledgement. */
const RESPONSE_BYTES_MAX = 64 * 1024;

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
    // Nor does it read one whose document has a prefix for its namespace.
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
