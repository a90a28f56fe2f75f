import { readFile } from 'node:fs/promises';

/**
 * The video ad of an app in this size, an mp4 of six seconds without sound. The files were drawn as the app's banners are, which turn
 * in them, and encoded with H.264. The build copies them next to the program.
 */
export async function readVideo(app: string, width: number, height: number): Promise<Buffer> {
  const name = app.toLowerCase().replaceAll(' ', '-');
  return readFile(new URL(`./videos/${name}-${width}x${height}.mp4`, import.meta.url));
}
