import sharp from 'sharp';

/** An image file of a single colour. */
export async function picture(
  width: number,
  height: number,
  format: 'png' | 'jpeg' | 'gif' | 'webp' = 'png',
): Promise<Buffer> {
  return sharp({ create: { width, height, channels: 3, background: '#357' } })
    .toFormat(format)
    .toBuffer();
}
