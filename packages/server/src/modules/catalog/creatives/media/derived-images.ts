import { apiMessages } from '@bidwell/contract/text/messages';
import { buffer } from 'node:stream/consumers';
import { Readable } from 'node:stream';
import type { Context } from '../../../../context.ts';
import { derivedKey } from '../../../../platform/files/file-store.ts';
import { type ImageLibrary, workOnImage } from '../../../../platform/files/images.ts';
import { type FairQueueLimits, fairQueue } from '../../../../platform/concurrency/fair-queue.ts';
import type { FileRow } from '../store.ts';

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
/** One per process. */
const originals = fairQueue(ORIGINALS, 'images', apiMessages.queueFullForCaller('images'));

/** An image that is made of another: its kind in the file store, and how it is made. */
export interface Derivation {
  kind: string;
  make: (open: ImageLibrary, original: Buffer) => Promise<Buffer>;
}

/** Images derived from uploaded ones, made on first use and stored beside the originals. */
export interface DerivedImages {
  /**
   * The derived image; null if the company's file is not an image or does not exist. Requests for the same image share
   * the work, which begins unless all their signals abort before its turn. Throws RateLimited and Unavailable as
   * {@link workOnImage}, and where too many originals wait to be read.
   */
  of(companyId: string, row: FileRow, derivation: Derivation, signal: AbortSignal): Promise<Buffer | null>;
}

/** A derived image that is being made, and how many wait for it. */
interface Making {
  result: Promise<Buffer | null>;
  callers: number;
  allGone: AbortController;
}

export function createDerivedImages({ files }: Pick<Context, 'files'>): DerivedImages {
  const inTheMaking = new Map<string, Making>();

  async function readOrMake(
    companyId: string,
    row: FileRow,
    derivation: Derivation,
    signal: AbortSignal,
  ): Promise<Buffer | null> {
    const { uuid, size_bytes: bytes } = row;
    if ((await files.size(uuid)) !== bytes) return null;
    try {
      return await readOrMakeOf(companyId, uuid, derivation, signal);
    } catch (error) {
      // The original may have been deleted before its turn came.
      if (!signal.aborted && (await files.size(uuid)) === null) return null;
      throw error;
    }
  }

  async function readOrMakeOf(
    companyId: string,
    uuid: string,
    { kind, make }: Derivation,
    signal: AbortSignal,
  ): Promise<Buffer> {
    const key = derivedKey(uuid, kind);
    if ((await files.size(key)) !== null) return buffer(files.read(key));
    const work = async () => {
      const original = await buffer(files.read(uuid));
      return workOnImage(companyId, async (open) => make(open, original), signal);
    };
    const derived = await originals.run(companyId, work, { signal });
    await files.write(key, Readable.from([derived]));
    // The original may have been deleted meanwhile; without this its derived image would remain for ever.
    if ((await files.size(uuid)) === null) await files.remove(uuid);
    return derived;
  }

  function begin(key: string, companyId: string, row: FileRow, derivation: Derivation): Making {
    const allGone = new AbortController();
    const result = readOrMake(companyId, row, derivation, allGone.signal).finally(() => evict(key, making));
    const making: Making = { result, callers: 0, allGone };
    inTheMaking.set(key, making);
    return making;
  }

  function evict(key: string, making: Making): void {
    if (inTheMaking.get(key) === making) inTheMaking.delete(key);
  }

  return {
    async of(companyId, row, derivation, signal) {
      if (!row.content_type.startsWith('image/')) return null;
      signal.throwIfAborted();
      const key = derivedKey(row.uuid, derivation.kind);
      const making = inTheMaking.get(key) ?? begin(key, companyId, row, derivation);
      making.callers += 1;
      signal.addEventListener('abort', () => {
        making.callers -= 1;
        if (making.callers > 0) return;
        evict(key, making);
        making.allGone.abort(signal.reason);
      });
      return making.result;
    },
  };
}
