import { limits } from '@bidwell/contract/limits';
import { messages } from '@bidwell/contract/messages';
import { Worker } from 'node:worker_threads';
import { Invalid } from '../../platform/errors.ts';
import type { Inspected } from './inspected.ts';
import { wrongType } from './inspected.ts';
import { isWholeMp4 } from './mp4-boxes.ts';
import type { VideoFacts, VideoMessage } from './video-reader.ts';

/** A whole video is read in a tenth of a second. */
const READ_MS_MAX = 5000;
const START_MS_MAX = 30_000;
const READ_MEGABYTES_MAX = 128;
const READERS_MAX = 2;

/**
 * A creative's video: mp4 or mov, whole, not square, of bounded size and length; width and height are those it is shown
 * in, after its rotation. Throws Invalid on `video`.
 */
export async function inspectVideo(path: string): Promise<Inspected> {
  const refused = (message: string) => new Invalid([{ field: 'video', message }]);
  const facts = (await isWholeMp4(path)) ? await inTurn(async () => readVideo(path)) : null;
  if (!facts || !isMeasured(facts)) throw wrongType('video');
  const { isQuickTime, codec, width, height, durationMs } = facts;
  if (codec !== 'avc' && codec !== 'hevc')
    throw refused('The video’s codec is not one that devices play. Use H.264');
  if (width === height || !isSide(width) || !isSide(height))
    throw refused(messages.wrongVideoSize(width, height));
  if (durationMs < limits.videoDurationMsMin || durationMs > limits.videoDurationMsMax)
    throw refused(
      `A video lasts ${limits.videoDurationMsMin / 1000} to ${limits.videoDurationMsMax / 1000} seconds`,
    );
  const kind = isQuickTime
    ? { contentType: 'video/quicktime', extension: 'mov' }
    : { contentType: 'video/mp4', extension: 'mp4' };
  return { ...kind, width, height, durationMs, externalLoads: null };
}

function isMeasured({ width, height, durationMs }: VideoFacts): boolean {
  return [width, height, durationMs].every((value) => Number.isSafeInteger(value) && value > 0);
}

function isSide(px: number): boolean {
  return px >= limits.videoSidePxMin && px <= limits.videoSidePxMax;
}

/** The program of the reader's thread: beside the bundle where this is bundled, else the source, which Node cannot load. */
const reader = import.meta.url.endsWith('.ts')
  ? { program: loading(new URL('./video-reader.ts', import.meta.url)), isScript: true }
  : { program: new URL('./video-reader.js', import.meta.url), isScript: false };

function loading({ href }: URL): string {
  const loader = import.meta.resolve('tsx/esm/api');
  return `import('${loader}').then(({ tsImport }) => tsImport('${href}', '${href}'))`;
}

async function readVideo(path: string): Promise<VideoFacts | null> {
  const { program, isScript } = reader;
  const worker = new Worker(program, {
    eval: isScript,
    workerData: { path },
    resourceLimits: { maxOldGenerationSizeMb: READ_MEGABYTES_MAX },
    // The library says on the console what it does not know.
    stdout: true,
    stderr: true,
  });
  const stop = () => void worker.terminate();
  let timer = setTimeout(stop, START_MS_MAX);
  try {
    return await new Promise((resolve) => {
      worker.on('message', (message: VideoMessage) => {
        if (message !== 'ready') return resolve(message);
        clearTimeout(timer);
        timer = setTimeout(stop, READ_MS_MAX);
      });
      worker.once('error', () => resolve(null));
      worker.once('exit', () => resolve(null));
    });
  } finally {
    clearTimeout(timer);
    await worker.terminate();
  }
}

let readers = 0;
const waiting: (() => void)[] = [];

/** Runs `work` with no more than `READERS_MAX` at a time, in the order of the calls. */
async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  if (readers >= READERS_MAX) await new Promise<void>((resolve) => waiting.push(resolve));
  else readers += 1;
  try {
    return await work();
  } finally {
    const next = waiting.shift();
    if (next) next();
    else readers -= 1;
  }
}
