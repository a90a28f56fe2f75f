import sharp from 'sharp';
import { imageQueue } from '../jobs/cpu-queues.ts';

// Each image takes one core: the library's own threads would take those of bids as well.
sharp.concurrency(1);

/** Opens images. */
export type ImageLibrary = typeof sharp;

/**
 * Works on an image with the image library when it is the company's turn, unless `signal` aborts before that. All use of the
 * library goes through here. Throws RateLimited and Unavailable as {@link imageQueue} does.
 */
export async function workOnImage<T>(
  companyId: string,
  work: (open: ImageLibrary) => Promise<T>,
  signal?: AbortSignal,
): Promise<T> {
  return imageQueue.run(companyId, () => work(sharp), { signal });
}
