import {
  BufferTarget,
  EncodedPacket,
  EncodedVideoPacketSource,
  MovOutputFormat,
  Mp4OutputFormat,
  Output,
  type Rotation,
} from 'mediabunny';

interface VideoOptions {
  seconds?: number;
  /** Clockwise rotation in the metadata, as in videos of a phone held upright. */
  rotation?: Rotation;
  container?: 'mp4' | 'mov';
  /** Position of the index: before the frames (`in-memory`), after them (false), or in fragments between them. */
  fastStart?: 'in-memory' | 'fragmented' | false;
}

/** A video file with valid boxes around frames of a few bytes, one per second. */
export async function video(
  width: number,
  height: number,
  { seconds = 15, rotation = 0, container = 'mp4', fastStart = 'in-memory' }: VideoOptions = {},
): Promise<Buffer> {
  const target = new BufferTarget();
  const format =
    container === 'mp4' ? new Mp4OutputFormat({ fastStart }) : new MovOutputFormat({ fastStart });
  const output = new Output({ format, target });
  const source = new EncodedVideoPacketSource('avc');
  output.addVideoTrack(source, { rotation });
  await output.start();
  const decoderConfig = { codec: 'avc1.42c01e', codedWidth: width, codedHeight: height, description };
  for (let second = 0; second < seconds; second += 1) {
    const length = Math.min(1, seconds - second);
    await source.add(new EncodedPacket(picture, 'key', second, length), { decoderConfig });
  }
  await output.finalize();
  return Buffer.from(target.buffer!);
}

/** An H.264 decoder configuration (ISO 14496-15, 5.3.3), and a minimal key frame. */
const description = Uint8Array.from([
  1, 0x42, 0xc0, 0x1e, 0xff, 0xe1, 0, 4, 0x67, 0x42, 0xc0, 0x1e, 1, 0, 2, 0x68, 0xce,
]);
const picture = Uint8Array.from([0, 0, 0, 2, 0x65, 0x88]);
