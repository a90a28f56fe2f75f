import type { PlayableExit } from '@bidwell/contract/creatives/playable-exits';
import { FilePathSource, Input, MP4, QTFF } from 'mediabunny';
import { readFile } from 'node:fs/promises';
import { parentPort, workerData } from 'node:worker_threads';
import { readTags } from '../../../../platform/html.ts';
import { externalLoadsOf, exitsOf } from './playable-html.ts';

/** The result of inspection for each kind of file. */
export interface Readings {
  /** Width and height as displayed, after rotation. */
  video: { isQuickTime: boolean; codec: string | null; width: number; height: number; durationMs: number };
  playable: { externalLoads: string[]; exits: PlayableExit[] };
}

export interface ReaderTask {
  kind: keyof Readings;
  path: string;
}

/** Messages of the worker: first that it is ready; then the reading, or null if the file is not of its kind. */
export type ReaderMessage = 'ready' | Readings[keyof Readings] | null;

/** Reads the metadata of an mp4 or mov, without loading the whole file. */
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
    // On a damaged file the library fails with any kind of error, such as a failed assertion.
    return null;
  } finally {
    input.dispose();
  }
}

/** Reads one HTML page in UTF-8. */
async function readPlayable(file: string): Promise<Readings['playable'] | null> {
  const page = decode(await readFile(file));
  if (page === null || page.includes('\0') || !beginsAsHtml(page)) return null;
  return { externalLoads: externalLoadsOf(page), exits: exitsOf(page) };
}

const FIRST_TAGS = new Set(['!doctype html', 'html', 'head', 'body', 'script', 'div', 'canvas']);
const BEGINNING_CHARS = 4096;

/** Whether a page has a document type or one of the common first elements near its beginning. */
function beginsAsHtml(page: string): boolean {
  let found = false;
  readTags(page.slice(0, BEGINNING_CHARS), ({ name }) => {
    found ||= FIRST_TAGS.has(name);
  });
  return found;
}

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

// Runs in a worker thread. A file can be crafted so that parsing takes very long or exhausts memory: the thread's limits
// bound both, and bidding is not blocked.
parentPort?.postMessage('ready' satisfies ReaderMessage);
const { kind, path } = workerData as ReaderTask;
parentPort?.postMessage((await readers[kind](path)) satisfies ReaderMessage);
