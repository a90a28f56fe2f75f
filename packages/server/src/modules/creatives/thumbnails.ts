import { limits } from '@bidwell/contract/limits';
import { buffer } from 'node:stream/consumers';
import { Readable } from 'node:stream';
import type { Engines } from '../../engines.ts';
import { workOnImage } from '../../platform/files/images.ts';
import { PIXELS_MAX } from './inspect-image.ts';
import type { FileRow } from './store.ts';

/** Thumbnails of images, generated on first use and stored beside the originals. */
export interface Thumbnails {
  /**
   * WebP of at most `limits.thumbnailSidePx` on its longer side; null if the company's file is not an image or does not
   * exist. Throws RateLimited and Unavailable as {@link workOnImage}.
   */
  of(companyId: string, row: FileRow): Promise<Buffer | null>;
}

export function createThumbnails({ files }: Pick<Engines, 'files'>): Thumbnails {
  const inTheMaking = new Map<string, Promise<Buffer | null>>();

  async function readOrMake(companyId: string, { uuid, size_bytes: bytes }: FileRow): Promise<Buffer | null> {
    const key = `${uuid}.thumb`;
    if ((await files.size(uuid)) !== bytes) return null;
    if ((await files.size(key)) !== null) return buffer(files.read(key));
    const sidePx = limits.thumbnailSidePx;
    // The file is read in its turn, so that those that wait take no memory.
    const small = await workOnImage(companyId, async (open) =>
      open(await buffer(files.read(uuid)), { limitInputPixels: PIXELS_MAX })
        .autoOrient()
        .resize({ width: sidePx, height: sidePx, fit: 'inside', withoutEnlargement: true })
        .webp({ quality: 80 })
        .toBuffer(),
    );
    await files.write(key, Readable.from([small]));
    // The original may have been deleted meanwhile; without this its thumbnail would remain for ever.
    if ((await files.size(uuid)) === null) await files.remove(uuid);
    return small;
  }

  return {
    async of(companyId, row) {
      if (!row.content_type.startsWith('image/')) return null;
      const begun = inTheMaking.get(row.uuid);
      if (begun) return begun;
      const making = readOrMake(companyId, row).finally(() => inTheMaking.delete(row.uuid));
      inTheMaking.set(row.uuid, making);
      return making;
    },
  };
}
