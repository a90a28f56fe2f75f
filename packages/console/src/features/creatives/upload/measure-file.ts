import type { Resolution } from '@bidwell/contract/creatives/schema';

/** Width and height of a picture in pixels; null when this browser cannot decode it. */
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

/** Width and height of a video in pixels; null when this browser cannot open it within {@link VIDEO_WAIT_MS}. */
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
