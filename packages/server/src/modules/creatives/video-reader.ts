import { FilePathSource, Input, MP4, QTFF } from 'mediabunny';
import { parentPort, workerData } from 'node:worker_threads';

/** What the reader found in a video; width and height are those it is shown in, after its rotation. */
export interface VideoFacts {
  isQuickTime: boolean;
  codec: string | null;
  width: number;
  height: number;
  durationMs: number;
}

/** What this program answers: that it begins; then what the video is, or null when it cannot be read. */
export type VideoMessage = 'ready' | VideoFacts | null;

// Runs in a thread of its own, given the path of a file, which it reads in parts. A file may be made so that this takes
// for ever, or all the memory: whoever starts it sets limits.
parentPort?.postMessage('ready' satisfies VideoMessage);
parentPort?.postMessage(await read((workerData as { path: string }).path));

async function read(path: string): Promise<VideoFacts | null> {
  const input = new Input({ source: new FilePathSource(path), formats: [MP4, QTFF] });
  try {
    const track = await input.getPrimaryVideoTrack();
    if (!track) return null;
    return {
      isQuickTime: (await input.getFormat()) === QTFF,
      codec: await track.getCodec(),
      width: await track.getDisplayWidth(),
      height: await track.getDisplayHeight(),
      durationMs: Math.round((await track.computeDuration()) * 1000),
    };
  } catch {
    // The library asserts what it expects of a file: a broken one may end in any kind of error.
    return null;
  } finally {
    input.dispose();
  }
}
