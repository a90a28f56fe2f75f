import { mutation } from '../mutation.ts';
import type { Random } from '../random.ts';
import type { RecordedRequest } from './input.ts';

/** Limit of requests held in memory for mutation, in bytes. */
const STORED_BYTES_MAX = 200 * 1024 * 1024;

/**
 * Yields `count` requests with one mutated byte each: replaced, removed, doubled or the last. Takes the requests in turn and
 * spreads the positions evenly, so that a large enough `count` reaches every byte. Throws RangeError if there are no
 * requests.
 */
export async function* mutated(
  requests: AsyncIterable<RecordedRequest>,
  count: number,
  random: Random,
): AsyncGenerator<RecordedRequest> {
  const recorded: { bytes: Buffer; source: string }[] = [];
  let storedBytes = 0;
  for await (const { body, source } of requests) {
    const bytes = Buffer.from(body);
    storedBytes += bytes.length;
    if (bytes.length > 0 && storedBytes <= STORED_BYTES_MAX) recorded.push({ bytes, source });
  }
  if (recorded.length === 0) throw new RangeError('There is no request to mutate');
  const rounds = Math.ceil(count / recorded.length);
  for (let index = 0; index < count; index++) {
    const { bytes, source } = recorded[index % recorded.length]!;
    const round = Math.floor(index / recorded.length);
    const at = Math.min(bytes.length - 1, Math.floor(((round + random()) * bytes.length) / rounds));
    const [how, body] = mutation(bytes, at, random);
    yield { body, source: `${source} with byte ${at} ${how}` };
  }
}
