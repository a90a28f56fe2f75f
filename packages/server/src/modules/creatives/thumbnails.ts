import { limits } from '@bidwell/contract/limits';
import { buffer } from 'node:stream/consumers';
import { Readable } from 'node:stream';
import sharp from 'sharp';
import type { Engines } from '../../engines.ts';
import { PIXELS_MAX } from './inspect-image.ts';
import type { FileRow } from './store.ts';

/** Thumbnails of images, generated on first use and stored beside the originals. */
export interface Thumbnails {
  /** WebP of at most `limits.thumbnailSidePx` on its longer side; null if the file is not an image or does not exist. */
  of(row: FileRow): Promise<Buffer | null>;
}

export function createThumbnails({ files }: Pick<Engines, 'files'>): Thumbnails {
  const inTheMaking = new Map<string, Promise<Buffer | null>>();

  async function readOrMake({ uuid, size_bytes: bytes }: FileRow): Promise<Buffer | null> {
    const key = `${uuid}.thumb`;
    if ((await files.size(uuid)) !== bytes) return null;
    if ((await files.size(key)) !== null) return buffer(files.read(key));
    const image = await buffer(files.read(uuid));
    const sidePx = limits.thumbnailSidePx;
    const small = await sharp(image, { limitInputPixels: PIXELS_MAX })
      .autoOrient()
      .resize({ width: sidePx, height: sidePx, fit: 'inside', withoutEnlargement: true })
      .webp({ quality: 80 })
      .toBuffer();
    await files.write(key, Readable.from([small]));
    // The original may have been deleted meanwhile; without this its thumbnail would remain for ever.
    if ((await files.size(uuid)) === null) await files.remove(uuid);
    return small;
  }

  return {
    async of(row) {
      if (!row.content_type.startsWith('image/')) return null;
      const begun = inTheMaking.get(row.uuid);
      if (begun) return begun;
      const making = readOrMake(row).finally(() => inTheMaking.delete(row.uuid));
      inTheMaking.set(row.uuid, making);
      return making;
    },
  };
}
