import { createWriteStream } from 'node:fs';
import type { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';

/**
 * Writes a stream, through the transforms after it, to a file that only this user may read. Rejects where one of them fails, and only once the file is
 * closed, so that the caller can remove it: a file that was still to be opened is created after its stream failed.
 */
export async function writeFileFrom(
  path: string,
  [source, ...transforms]: readonly [Readable, ...Transform[]],
  { signal }: { signal?: AbortSignal } = {},
): Promise<void> {
  const file = createWriteStream(path, { mode: 0o600 });
  try {
    await pipeline([source, ...transforms, file], { signal });
  } catch (error) {
    if (!file.closed) await new Promise<void>((resolve) => file.once('close', resolve));
    throw error;
  }
}
