import sharp from 'sharp';

/** Files by their format and size: most tests upload the same ones. */
const made = new Map<string, Promise<Buffer>>();

/** An image file of a single colour. */
export async function picture(
  width: number,
  height: number,
  format: 'png' | 'jpeg' | 'gif' | 'webp' = 'png',
): Promise<Buffer> {
  const key = `${format} ${width}x${height}`;
  const create = { width, height, channels: 3, background: '#357' } as const;
  const file = made.get(key) ?? sharp({ create }).toFormat(format).toBuffer();
  made.set(key, file);
  return Buffer.from(await file);
}
