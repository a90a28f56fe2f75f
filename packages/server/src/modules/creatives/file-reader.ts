import { FilePathSource, Input, MP4, QTFF } from 'mediabunny';
import { readFile } from 'node:fs/promises';
import { parentPort, workerData } from 'node:worker_threads';
import { externalLoadsOf } from './external-loads.ts';

/** What the reader finds in a file, by what the file is said to be. */
export interface Readings {
  /** Width and height are those it is shown in, after its rotation. */
  video: { isQuickTime: boolean; codec: string | null; width: number; height: number; durationMs: number };
  playable: { externalLoads: string[] };
}

export interface ReaderTask {
  kind: keyof Readings;
  path: string;
}

/** What this program answers: that it begins; then what the file is, or null when it is no such thing. */
export type ReaderMessage = 'ready' | Readings[keyof Readings] | null;

/** An mp4 or mov, read in parts. */
async function readVideo(file: string): Promise<Readings['video'] | null> {
  const input = new Input({ source: new FilePathSource(file), formats: [MP4, QTFF] });
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

/** One page of HTML in UTF-8. */
async function readPlayable(file: string): Promise<Readings['playable'] | null> {
  const page = decode(await readFile(file));
  if (page === null || page.includes('\0') || !begins.test(page.slice(0, 4096))) return null;
  return { externalLoads: externalLoadsOf(page) };
}

const begins = /<(!doctype html|html|head|body|script|div|canvas)\b/i;

function decode(bytes: Buffer): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}

const readers: { [Kind in keyof Readings]: (path: string) => Promise<Readings[Kind] | null> } = {
  video: readVideo,
  playable: readPlayable,
};

// Runs in a thread of its own. A file may be made so that reading it takes for ever, or all the memory: whoever starts
// this sets limits, and bids are not kept waiting.
parentPort?.postMessage('ready' satisfies ReaderMessage);
const { kind, path } = workerData as ReaderTask;
parentPort?.postMessage((await readers[kind](path)) satisfies ReaderMessage);
