import { limits } from '@bidwell/contract/limits';
import { apiMessages } from '@bidwell/contract/messages';
import { buffer } from 'node:stream/consumers';
import { Readable } from 'node:stream';
import type { Engines } from '../../engines.ts';
import type { ImageLibrary } from '../../platform/files/images.ts';
import { workOnImage } from '../../platform/files/images.ts';
import type { FairQueueLimits } from '../../platform/jobs/fair-queue.ts';
import { fairQueue } from '../../platform/jobs/fair-queue.ts';
import type { FileRow } from './store.ts';

/**
 * Originals that are in memory at once, each of at most `limits.bannerBytesMax`. They are read before their turn in the queue of
 * images, so that a slow S3 holds up no pictures and uploads.
 */
const ORIGINALS: FairQueueLimits = {
  running: 8,
  runningEach: 4,
  waiting: 400,
  waitingEach: 120,
  waitMs: 30_000,
};

/** Thumbnails of images, generated on first use and stored beside the originals. */
export interface Thumbnails {
  /**
   * WebP of at most `limits.thumbnailSidePx` on its longer side; null if the company's file is not an image or does not
   * exist. Those that ask for the same file share the work, which begins unless the signals of all of them abort before its
   * turn. Throws RateLimited and Unavailable as {@link workOnImage}, and where too many originals wait to be read.
   */
  of(companyId: string, row: FileRow, signal: AbortSignal): Promise<Buffer | null>;
}

/** A thumbnail that is being made, and how many wait for it. */
interface Making {
  result: Promise<Buffer | null>;
  callers: number;
  allGone: AbortController;
}

export function createThumbnails({ files }: Pick<Engines, 'files'>): Thumbnails {
  const originals = fairQueue(ORIGINALS, 'images', apiMessages.queueFullForCaller('images'));
  const inTheMaking = new Map<string, Making>();

  async function readOrMake(
    companyId: string,
    { uuid, size_bytes: bytes }: FileRow,
    signal: AbortSignal,
  ): Promise<Buffer | null> {
    const key = `${uuid}.thumb`;
    if ((await files.size(uuid)) !== bytes) return null;
    if ((await files.size(key)) !== null) return buffer(files.read(key));
    const make = async () => {
      const original = await buffer(files.read(uuid));
      return workOnImage(companyId, (open) => shrink(open, original), signal);
    };
    const small = await originals.run(companyId, make, { signal });
    await files.write(key, Readable.from([small]));
    // The original may have been deleted meanwhile; without this its thumbnail would remain for ever.
    if ((await files.size(uuid)) === null) await files.remove(uuid);
    return small;
  }

  function begin(companyId: string, row: FileRow): Making {
    const allGone = new AbortController();
    const result = readOrMake(companyId, row, allGone.signal).finally(() => evict(row, making));
    const making: Making = { result, callers: 0, allGone };
    inTheMaking.set(row.uuid, making);
    return making;
  }

  function evict({ uuid }: FileRow, making: Making): void {
    if (inTheMaking.get(uuid) === making) inTheMaking.delete(uuid);
  }

  return {
    async of(companyId, row, signal) {
      if (!row.content_type.startsWith('image/')) return null;
      signal.throwIfAborted();
      const making = inTheMaking.get(row.uuid) ?? begin(companyId, row);
      making.callers += 1;
      signal.addEventListener('abort', () => {
        making.callers -= 1;
        if (making.callers > 0) return;
        evict(row, making);
        making.allGone.abort(signal.reason);
      });
      return making.result;
    },
  };
}

async function shrink(open: ImageLibrary, original: Buffer): Promise<Buffer> {
  const sidePx = limits.thumbnailSidePx;
  return open(original, { limitInputPixels: limits.imagePixelsMax })
    .autoOrient()
    .resize({ width: sidePx, height: sidePx, fit: 'inside', withoutEnlargement: true })
    .webp({ quality: 80 })
    .toBuffer();
}
