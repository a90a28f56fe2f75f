import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { type Digest, digestMeter } from '../platform/files/digest.ts';

/** Writes chunks into a new file of this user, on disk when it resolves, and sums it up. Removes it after an error. */
export async function writtenFile(
  path: string,
  chunks: AsyncIterable<Uint8Array | string> | Iterable<Uint8Array | string>,
  { isCompressed = false } = {},
): Promise<Digest> {
  const meter = digestMeter(Infinity);
  const file = createWriteStream(path, { mode: 0o600, flush: true });
  const content = Readable.from(chunks, { objectMode: false });
  try {
    // Events shrink to a tenth at the fastest level.
    if (isCompressed) await pipeline(content, createGzip({ level: 1 }), meter.stream, file);
    else await pipeline(content, meter.stream, file);
  } catch (error) {
    await rm(path, { force: true });
    throw error;
  }
  return meter.digest();
}

/**
 * Cuts a stream into streams of about `bytesMax`, one after the other; each has to be read to its end before the next. None
 * where the stream is empty.
 */
export async function* cut<Item>(
  items: AsyncIterable<Item>,
  bytesOf: (item: Item) => number,
  bytesMax: number,
): AsyncGenerator<AsyncGenerator<Item>> {
  const source = items[Symbol.asyncIterator]();
  try {
    let next = await source.next();
    async function* part(): AsyncGenerator<Item> {
      let bytes = 0;
      while (!next.done && bytes < bytesMax) {
        bytes += bytesOf(next.value);
        yield next.value;
        next = await source.next();
      }
    }
    while (!next.done) yield part();
  } finally {
    await source.return?.();
  }
}
