import { apiMessages } from '@bidwell/contract/text/api-messages';
import { buffer } from 'node:stream/consumers';
import { Readable } from 'node:stream';
import type { Context } from '../../../../context.ts';
import { derivedKey, THUMBNAIL } from '../../../../platform/files/file-store.ts';
import { type ImageLibrary, workOnImage } from '../../../../platform/files/images.ts';
import { type FairQueueLimits, fairQueue } from '../../../../platform/concurrency/fair-queue.ts';
import type { FileRow } from '../store.ts';
import { limits } from '@bidwell/contract/lib/limits';
import { type NativeCopy, nativeCopiesOf } from '@bidwell/contract/creatives/native-copies';
import pLimit from 'p-limit';
import type { SharpInput } from 'sharp';
import type { Inspected, Uploader } from './inspected-file.ts';
import type { StoredFile } from '../stored-file.ts';

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

/** Images derived from uploaded ones, made on first use and stored next to the originals. */
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

function createDerivedImages({ files }: Pick<Context, 'files'>): DerivedImages {
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

/** Thumbnails of images, made on first use and stored next to the originals. */
export interface Thumbnails {
  /**
   * WebP of at most `limits.thumbnailSidePx` on its longer side; null if the company's file is not an image or does not
   * exist. Throws as {@link createDerivedImages} says.
   */
  of(companyId: string, row: FileRow, signal: AbortSignal): Promise<Buffer | null>;
}

export function createThumbnails(ctx: Pick<Context, 'files'>): Thumbnails {
  const images = createDerivedImages(ctx);
  return {
    of: async (companyId, row, signal) =>
      images.of(companyId, row, { kind: THUMBNAIL, make: shrink }, signal),
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

const WRITTEN_AT_ONCE = 4;
/** Out of 100. An advertiser's image was compressed before. */
const JPEG_QUALITY = 88;
/** The least of ten: the default takes ten times as long to find the colours of a palette. */
const PALETTE_EFFORT = 1;
/** The most that the copies made at an upload take together, in sizes of the original. Copies do not count as storage. */
const UPLOADED_BYTES_RATIO_MAX = 4;

/**
 * Makes sized copies of an uploaded native image and stores them next to the original, with which they are removed. Makes them
 * in the order of {@link nativeCopiesOf}, while they take at most {@link UPLOADED_BYTES_RATIO_MAX} times its bytes. Throws
 * RateLimited and Unavailable as {@link workOnImage}, and FilesUnavailable.
 */
export async function storeCopies(
  { files }: Pick<Context, 'files'>,
  { companyId, signal }: Uploader,
  { uuid, received, inspected }: StoredFile,
): Promise<void> {
  const copies = nativeCopiesOf(sizeOf(inspected));
  if (copies.length === 0) return;
  const made = await workOnImage(
    companyId,
    async (open) => {
      const resize = await resizerOf(open, received.path, inspected.contentType);
      return copiesWithin(received.bytes * UPLOADED_BYTES_RATIO_MAX, copies, resize);
    },
    signal,
  );
  await pLimit(WRITTEN_AT_ONCE).map(made, async ({ name, content }) =>
    files.write(derivedKey(uuid, name), Readable.from([content])),
  );
}

/** Makes copies in their order until the next one would exceed `bytesMax` in total. */
async function copiesWithin(
  bytesMax: number,
  copies: readonly NativeCopy[],
  resize: Resize,
): Promise<{ name: string; content: Buffer }[]> {
  const made: { name: string; content: Buffer }[] = [];
  let bytes = 0;
  for (const copy of copies) {
    const content = await resize(copy);
    bytes += content.length;
    if (bytes > bytesMax) break;
    made.push({ name: copy.name, content });
  }
  return made;
}

function sizeOf({ contentType, width, height }: Inspected) {
  return { contentType, width: width ?? 0, height: height ?? 0 };
}

/** Sized copies of stored images. */
export interface SizedCopies {
  /**
   * The key of an image's copy in the file store, and its size in bytes. Makes a copy that does not exist: one that was too large
   * to be made at the upload, or of an image from before there were copies, or from a backup. Null if the image has no copy of this name, or does not exist.
   * Throws as {@link createDerivedImages} says.
   */
  of(row: FileRow, name: string, signal: AbortSignal): Promise<{ key: string; bytes: number } | null>;
}

export function createSizedCopies({ files }: Pick<Context, 'files'>): SizedCopies {
  const images = createDerivedImages({ files });
  return {
    async of(row, name, signal) {
      const { uuid, company_uuid: companyId, content_type: contentType, width, height } = row;
      const copy = nativeCopiesOf({ contentType, width: width ?? 0, height: height ?? 0 }).find(
        (known) => known.name === name,
      );
      if (!copy) return null;
      const key = derivedKey(uuid, name);
      const stored = await files.size(key);
      if (stored !== null) return { key, bytes: stored };
      const make = async (open: ImageLibrary, original: Buffer) =>
        (await resizerOf(open, original, contentType))(copy);
      const made = await images.of(companyId, row, { kind: name, make }, signal);
      return made && { key, bytes: made.length };
    },
  };
}

/** Makes a copy of an image. */
type Resize = (copy: NativeCopy) => Promise<Buffer>;

/**
 * Decodes an image, to scale it to cover each size, and to cut off the excess on both sides. The result has the type of the
 * image; a PNG with a palette stays one, with no more bits per pixel.
 */
async function resizerOf(open: ImageLibrary, image: SharpInput, contentType: string): Promise<Resize> {
  const original = open(image, { limitInputPixels: limits.imagePixelsMax });
  const { isPalette, bitsPerSample = 8 } = await original.metadata();
  const { data, info } = await original.autoOrient().raw().toBuffer({ resolveWithObject: true });
  const { width, height, channels } = info;
  const palette =
    isPalette || bitsPerSample < 8
      ? { palette: true, colours: 2 ** Math.min(bitsPerSample, 8), effort: PALETTE_EFFORT }
      : {};
  return async (copy) => {
    const sized = open(data, { raw: { width, height, channels } }).resize(copy.width, copy.height);
    return (
      contentType === 'image/jpeg' ? sized.jpeg({ quality: JPEG_QUALITY }) : sized.png(palette)
    ).toBuffer();
  };
}
