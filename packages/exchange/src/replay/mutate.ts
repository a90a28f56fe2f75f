import { mutation } from '../mutation.ts';
import type { Random } from '../random.ts';
import type { RecordedRequest } from './input.ts';

/** Bytes of requests that are kept to be mutated. */
const KEPT_BYTES_MAX = 200 * 1024 * 1024;

/**
 * So many requests of which one byte each is replaced, left out, doubled or the last that is sent. Goes through the
 * requests in turn and through the places of each evenly, so that with enough of them every byte is reached.
 * Throws RangeError when nothing is recorded.
 */
export async function* mutated(
  requests: AsyncIterable<RecordedRequest>,
  count: number,
  random: Random,
): AsyncGenerator<RecordedRequest> {
  const kept: { bytes: Buffer; source: string }[] = [];
  let keptBytes = 0;
  for await (const { body, source } of requests) {
    const bytes = Buffer.from(body);
    keptBytes += bytes.length;
    if (bytes.length > 0 && keptBytes <= KEPT_BYTES_MAX) kept.push({ bytes, source });
  }
  if (kept.length === 0) throw new RangeError('There is no request to mutate');
  const rounds = Math.ceil(count / kept.length);
  for (let index = 0; index < count; index++) {
    const { bytes, source } = kept[index % kept.length]!;
    const round = Math.floor(index / kept.length);
    const at = Math.min(bytes.length - 1, Math.floor(((round + random()) * bytes.length) / rounds));
    const [how, body] = mutation(bytes, at, random);
    yield { body, source: `${source} with byte ${at} ${how}` };
  }
}
