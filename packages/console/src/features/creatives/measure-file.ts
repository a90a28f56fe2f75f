import type { Resolution } from '@bidwell/contract/creative';

/** A picture's size in pixels; null for what this browser cannot decode. */
export async function measureImage(file: Blob): Promise<Resolution | null> {
  try {
    const bitmap = await createImageBitmap(file);
    const { width, height } = bitmap;
    bitmap.close();
    return { width, height };
  } catch {
    return null;
  }
}

const VIDEO_WAIT_MS = 5000;

/** A video's size in pixels; null for what this browser cannot open, or not in time. */
export function measureVideo(url: string): Promise<Resolution | null> {
  return new Promise((resolve) => {
    const video = document.createElement('video');
    const finish = (size: Resolution | null) => {
      clearTimeout(timer);
      video.removeAttribute('src');
      resolve(size);
    };
    const timer = setTimeout(() => finish(null), VIDEO_WAIT_MS);
    video.preload = 'metadata';
    video.muted = true;
    video.addEventListener('loadedmetadata', () => {
      const { videoWidth: width, videoHeight: height } = video;
      finish(width > 0 && height > 0 ? { width, height } : null);
    });
    video.addEventListener('error', () => finish(null));
    video.src = url;
  });
}
