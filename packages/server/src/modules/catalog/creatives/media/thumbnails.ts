import { limits } from '@bidwell/contract/lib/limits';
import type { Context } from '../../../../context.ts';
import { THUMBNAIL } from '../../../../platform/files/file-store.ts';
import type { ImageLibrary } from '../../../../platform/files/images.ts';
import { createDerivedImages } from './derived-images.ts';
import type { FileRow } from '../store.ts';

/** Thumbnails of images, made on first use and stored beside the originals. */
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
