import { createReadStream } from 'node:fs';
import { readFile, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

/** A recorded request body and its origin. */
export interface RecordedRequest {
  body: string | Buffer;
  /** The file, and the line in files with several requests. */
  source: string;
}

const JSON_FILE_BYTES_MAX = 50 * 1024 * 1024;

/**
 * Yields the recorded requests at a path: a folder's files in the order of their names, recursively; the lines of an
 * .ndjson or .jsonl file, streamed; a .json file as one request, or each element of its list. Other files in a folder are
 * skipped. Bodies are not validated, so that malformed ones can be replayed too.
 */
export async function* recordedRequests(path: string): AsyncGenerator<RecordedRequest> {
  if ((await stat(path)).isDirectory()) {
    const entries = await readdir(path, { withFileTypes: true });
    entries.sort((a, b) => (a.name < b.name ? -1 : 1));
    for (const entry of entries) {
      if (entry.isDirectory() || /\.(json|ndjson|jsonl)$/i.test(entry.name)) {
        yield* recordedRequests(join(path, entry.name));
      }
    }
  } else if (/\.json$/i.test(path)) {
    yield* wholeFile(path);
  } else {
    yield* lines(path);
  }
}

async function* lines(path: string): AsyncGenerator<RecordedRequest> {
  const input = createReadStream(path);
  try {
    let number = 0;
    for await (const line of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })) {
      number++;
      if (line.trim() !== '') yield { body: line, source: `${path}:${number}` };
    }
  } finally {
    input.destroy();
  }
}

async function* wholeFile(path: string): AsyncGenerator<RecordedRequest> {
  if ((await stat(path)).size > JSON_FILE_BYTES_MAX) {
    throw new RangeError(`${path} is larger than 50 MB: write it as .ndjson, a request a line`);
  }
  const body = await readFile(path, 'utf8');
  const parsed = parseJson(body);
  if (!Array.isArray(parsed)) yield { body, source: path };
  else
    for (const [index, element] of parsed.entries())
      yield { body: JSON.stringify(element), source: `${path}:${index + 1}` };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
