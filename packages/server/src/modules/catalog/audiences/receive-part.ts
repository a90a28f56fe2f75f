import { audienceApiMessages } from '@bidwell/contract/audiences/api-messages';
import { limits } from '@bidwell/contract/lib/limits';
import type { FastifyRequest } from 'fastify';
import { randomUUID } from 'node:crypto';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Transform } from 'node:stream';
import type { Context } from '../../../context.ts';
import { fairQueue } from '../../../platform/concurrency/fair-queue.ts';
import { Malformed, TooLarge, UnsupportedType } from '../../../platform/errors.ts';
import { writeFileFrom } from '../../../platform/files/file-store.ts';
import type { ReceivedPart } from './uploads.ts';

/** Parts of uploads that are received at once. One company's leave room for others'. */
export const PART_LIMITS = { running: 8, runningEach: 2, waiting: 100, waitingEach: 10, waitMs: 60_000 };
/** Receiving of parts, by company. One per process. */
export const partQueue = fairQueue(PART_LIMITS, 'parts of uploads');

/** Receives the file of a form to disk, and deletes it after `work`. Throws Malformed, TooLarge, UnsupportedType. */
export async function withPart<T>(
  { config }: Context,
  request: FastifyRequest,
  work: (part: ReceivedPart) => Promise<T>,
): Promise<T> {
  if (!request.isMultipart()) throw new UnsupportedType(audienceApiMessages.partMissing);
  const folder = join(config.dataDir, 'uploads', randomUUID());
  await mkdir(folder, { recursive: true });
  try {
    const file = await request.file().catch(() => undefined);
    if (!file) throw new Malformed(audienceApiMessages.partMissing);
    const path = join(folder, 'part');
    let bytes = 0;
    const meter = new Transform({
      transform(chunk: Buffer, _encoding, done) {
        bytes += chunk.length;
        done(null, chunk);
      },
    });
    await writeFileFrom(path, [file.file, meter]).catch(() => {
      throw new Malformed(audienceApiMessages.partMissing);
    });
    if (file.file.truncated || bytes > limits.audiencePartBytesMax)
      throw new TooLarge(audienceApiMessages.partTooLong(limits.audiencePartBytesMax));
    if (bytes === 0) throw new Malformed(audienceApiMessages.empty);
    return await work({ path, bytes });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
