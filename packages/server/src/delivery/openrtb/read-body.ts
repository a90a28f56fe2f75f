import type { IncomingMessage } from 'node:http';
import { gunzip } from 'node:zlib';

/** Bytes of a bid request, as it comes and unzipped. */
export const BODY_BYTES_MAX = 512 * 1024;

/**
 * Reads a request to its end and gives `done` the JSON of its body, unzipped where its headers say so; undefined when it
 * cannot be read, 'too-large' when it is. `done` is not called when the other side goes away before.
 */
export function readBody(request: IncomingMessage, done: (json: unknown) => void): void {
  const chunks: Buffer[] = [];
  let bytes = 0;
  const collect = (chunk: Buffer): void => {
    bytes += chunk.length;
    if (bytes <= BODY_BYTES_MAX) return void chunks.push(chunk);
    request.off('data', collect).off('end', finish);
    request.resume();
    done('too-large');
  };
  const finish = (): void => {
    const body = chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks);
    const encoding = request.headers['content-encoding']?.trim().toLowerCase() ?? 'identity';
    if (encoding === 'identity' || encoding === '') done(parse(body));
    else if (encoding === 'gzip' || encoding === 'x-gzip')
      gunzip(body, { maxOutputLength: BODY_BYTES_MAX }, (error, json) =>
        done(error ? undefined : parse(json)),
      );
    else done(undefined);
  };
  request.on('data', collect).on('end', finish);
  // Whoever went away waits for no answer.
  request.on('error', () => {});
}

function parse(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    return undefined;
  }
}
