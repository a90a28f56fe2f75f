import { limits } from '@bidwell/contract/limits';
import { buffer } from 'node:stream/consumers';
import { Readable } from 'node:stream';
import sharp from 'sharp';
import type { Engines } from '../../engines.ts';
import { PIXELS_MAX } from './inspect-image.ts';
import type { FileRow } from './store.ts';

/** Small pictures of images, made when first asked for and kept beside them. */
export interface Thumbnails {
  /** WebP of at most `limits.thumbnailSidePx` on its longer side; null for what is no image, or is not there. */
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
    // The file may have been replaced meanwhile; nothing else would remove what was made of it.
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
