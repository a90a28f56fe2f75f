import { BID_REQUEST_BYTES_MAX } from '@bidwell/contract/exchange-test';
import type { IncomingMessage } from 'node:http';
import { gunzip } from 'node:zlib';
import { rawHeader } from '../../platform/http/raw-header.ts';

/** Maximum size of a bid request in bytes, both compressed and decompressed. */
export const BODY_BYTES_MAX = BID_REQUEST_BYTES_MAX;

/**
 * Reads the body of a request, decompresses it if `content-encoding` is gzip, and calls `done` with it; with null if it
 * cannot be decompressed or that is longer than {@link BODY_BYTES_MAX}, with 'too-large' if it is longer than that as sent.
 * Calls it with 'aborted' if the client disconnects first.
 */
export function readBody(
  request: IncomingMessage,
  done: (body: Buffer | 'too-large' | 'aborted' | null) => void,
): void {
  const chunks: Buffer[] = [];
  let bytes = 0;
  let isDone = false;
  const collect = (chunk: Buffer): void => {
    bytes += chunk.length;
    if (bytes <= BODY_BYTES_MAX) return void chunks.push(chunk);
    request.off('data', collect).off('end', finish);
    request.resume();
    isDone = true;
    done('too-large');
  };
  const finish = (): void => {
    isDone = true;
    const body = chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks);
    const encoding = rawHeader(request, 'content-encoding')?.trim().toLowerCase() ?? 'identity';
    if (encoding === 'identity' || encoding === '') done(body);
    else if (encoding === 'gzip' || encoding === 'x-gzip')
      gunzip(body, { maxOutputLength: BODY_BYTES_MAX }, (error, unzipped) => done(error ? null : unzipped));
    else done(null);
  };
  request.on('data', collect).on('end', finish);
  request.on('error', () => {
    if (isDone) return;
    isDone = true;
    done('aborted');
  });
}

/** Parses JSON; undefined if it is none. */
export function parseJson(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    return undefined;
  }
}
