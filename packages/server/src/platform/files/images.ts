import sharp, { type SharpInput, type SharpOptions } from 'sharp';
import { imageQueue } from '../concurrency/cpu-queues.ts';

// Each image takes one core: the library's own threads would take the cores of bids as well.
sharp.concurrency(1);

/**
 * Opens an image. Accepts faults that browsers draw over, such as the wrong scan parameters that some cameras write; work on a
 * truncated image fails.
 */
const open = (input: SharpInput, options: SharpOptions) => sharp(input, { failOn: 'error', ...options });

/** Opens images. */
export type ImageLibrary = typeof open;

/**
 * Works on an image with the image library when it is the company's turn, unless `signal` aborts before that. All use of the
 * library goes through here. Throws RateLimited and Unavailable as {@link imageQueue} does.
 */
export async function workOnImage<T>(
  companyId: string,
  work: (open: ImageLibrary) => Promise<T>,
  signal?: AbortSignal,
): Promise<T> {
  return imageQueue.run(companyId, () => work(open), { signal });
}
