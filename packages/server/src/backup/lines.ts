import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream';
import { createGunzip } from 'node:zlib';

/** The lines of a file of a backup. Only a line feed ends a line, unlike in `node:readline`. */
export async function* linesOfFile(
  path: string,
  { isCompressed }: { isCompressed: boolean },
): AsyncGenerator<string> {
  const file = createReadStream(path);
  // The reader of the last stream gets the error of either.
  const content = isCompressed ? pipeline(file, createGunzip(), () => {}) : file;
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of content as AsyncIterable<Buffer>) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n');
    rest = lines.pop()!;
    yield* lines;
  }
  if (rest !== '') yield rest;
}
