import { BufferTarget, EncodedPacket, EncodedVideoPacketSource, Mp4OutputFormat, Output } from 'mediabunny';
import sharp from 'sharp';
import type { Brand, Palette } from './artwork.ts';
import { bannerSvg } from './artwork.ts';
import type { Frame } from './h264.ts';
import { PcmEncoder } from './h264.ts';

const SECONDS = 6;
const FRAMES_PER_SECOND = 4;
const FRAMES = SECONDS * FRAMES_PER_SECOND;

/** Renders an animated ad of this size, both multiples of 16, as an mp4 of six seconds without sound. */
export async function drawVideo(
  brand: Brand,
  palette: Palette,
  width: number,
  height: number,
): Promise<Buffer> {
  const target = new BufferTarget();
  const output = new Output({ format: new Mp4OutputFormat({ fastStart: 'in-memory' }), target });
  const source = new EncodedVideoPacketSource('avc');
  output.addVideoTrack(source, { frameRate: FRAMES_PER_SECOND });
  await output.start();
  const encoder = new PcmEncoder(width, height);
  const decoderConfig = { ...encoder.parameters(), codedWidth: width, codedHeight: height };
  for (let number = 0; number < FRAMES; number += 1) {
    const svg = bannerSvg(brand, palette, { width, height, turn: (number / FRAMES) * 360 });
    const { data, isKey } = encoder.encode(await frameOf(svg, width, height));
    const packet = new EncodedPacket(
      data,
      isKey ? 'key' : 'delta',
      number / FRAMES_PER_SECOND,
      1 / FRAMES_PER_SECOND,
    );
    await source.add(packet, { decoderConfig });
  }
  await output.finalize();
  return Buffer.from(target.buffer!);
}

async function frameOf(svg: string, width: number, height: number): Promise<Frame> {
  const rgb = await sharp(Buffer.from(svg)).removeAlpha().raw().toBuffer();
  const luma = new Uint8Array(width * height);
  const blue = new Uint8Array(luma.length / 4);
  const red = new Uint8Array(luma.length / 4);
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const at = (y * width + x) * 3;
      const [r, g, b] = [rgb[at]!, rgb[at + 1]!, rgb[at + 2]!];
      // BT.601 with the limited range of video.
      luma[y * width + x] = 16 + (65.481 * r + 128.553 * g + 24.966 * b) / 255;
      if (y % 2 === 1 || x % 2 === 1) continue;
      const half = (y / 2) * (width / 2) + x / 2;
      blue[half] = 128 + (-37.797 * r - 74.203 * g + 112 * b) / 255;
      red[half] = 128 + (112 * r - 93.786 * g - 18.214 * b) / 255;
    }
  }
  return { width, height, luma, blue, red };
}
