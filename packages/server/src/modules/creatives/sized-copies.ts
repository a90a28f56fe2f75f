import { limits } from '@bidwell/contract/limits';
import type { NativeCopy } from '@bidwell/contract/native-copies';
import { nativeCopiesOf } from '@bidwell/contract/native-copies';
import { Readable } from 'node:stream';
import pLimit from 'p-limit';
import type { SharpInput } from 'sharp';
import type { Engines } from '../../engines.ts';
import { derivedKey } from '../../platform/files/file-store.ts';
import type { ImageLibrary } from '../../platform/files/images.ts';
import { workOnImage } from '../../platform/files/images.ts';
import { createDerivedImages } from './derived-images.ts';
import type { Inspected, Uploader } from './inspected.ts';
import type { FileRow } from './store.ts';
import type { StoredFile } from './stored-file.ts';

const WRITTEN_AT_ONCE = 4;
/** Of 100. An advertiser's image was compressed before. */
const JPEG_QUALITY = 88;

/**
 * Makes and stores all sized copies of an uploaded native image, beside its original, with which they are removed. Throws
 * RateLimited and Unavailable as {@link workOnImage}, and FilesUnavailable.
 */
export async function storeCopies(
  { files }: Pick<Engines, 'files'>,
  { companyId, signal }: Uploader,
  { uuid, received, inspected }: StoredFile,
): Promise<void> {
  const copies = nativeCopiesOf(sizeOf(inspected));
  if (copies.length === 0) return;
  const made = await workOnImage(
    companyId,
    async (open) => resized(open, received.path, inspected.contentType, copies),
    signal,
  );
  await pLimit(WRITTEN_AT_ONCE).map(copies, async ({ name }, index) =>
    files.write(derivedKey(uuid, name), Readable.from([made[index]!])),
  );
}

function sizeOf({ contentType, width, height }: Inspected) {
  return { contentType, width: width ?? 0, height: height ?? 0 };
}

/** Sized copies of stored images. */
export interface SizedCopies {
  /**
   * The key of an image's copy in the file store, and its size in bytes. Makes a copy that does not exist: of an image that was
   * uploaded before there were copies, or restored from a backup. Null if the image has no copy of this name, or does not exist.
   * Throws as {@link createDerivedImages} says.
   */
  of(row: FileRow, name: string, signal: AbortSignal): Promise<{ key: string; bytes: number } | null>;
}

export function createSizedCopies({ files }: Pick<Engines, 'files'>): SizedCopies {
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
        (await resized(open, original, contentType, [copy]))[0]!;
      const made = await images.of(companyId, row, { kind: name, make }, signal);
      return made && { key, bytes: made.length };
    },
  };
}

/** Scales an image to cover each size, and cuts off what is over on both sides. In the type of the image. */
async function resized(
  open: ImageLibrary,
  image: SharpInput,
  contentType: string,
  copies: readonly NativeCopy[],
): Promise<Buffer[]> {
  const decoded = open(image, { limitInputPixels: limits.imagePixelsMax }).autoOrient().raw();
  const { data, info } = await decoded.toBuffer({ resolveWithObject: true });
  const { width, height, channels } = info;
  const made: Buffer[] = [];
  for (const copy of copies) {
    const sized = open(data, { raw: { width, height, channels } }).resize(copy.width, copy.height);
    made.push(
      await (contentType === 'image/jpeg' ? sized.jpeg({ quality: JPEG_QUALITY }) : sized.png()).toBuffer(),
    );
  }
  return made;
}
