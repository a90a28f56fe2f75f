import { Worker } from 'node:worker_threads';
import { apiMessages } from '@bidwell/contract/text/api-messages';
import { fairQueue } from '../../../../platform/concurrency/fair-queue.ts';
import { workerProgram } from '../../../../platform/worker-program.ts';
import type { Uploader } from './inspected-file.ts';
import type { ReaderMessage, ReaderTask, Readings } from './media-worker.ts';

/** A whole video takes a tenth of a second to read, a page less. */
const READ_MS_MAX = 5000;
const START_MS_MAX = 30_000;
const WORKER_MEGABYTES_MAX = 128;
/**
 * One company gets one of the two workers, so that files that are slow to read leave the other worker to all other
 * companies.
 */
export const MEDIA_LIMITS = { running: 2, runningEach: 1, waiting: 200, waitingEach: 20, waitMs: 30_000 };

const WHAT = 'videos and playables';
/** Reading of videos and playables, by company. One per process. */
export const mediaQueue = fairQueue(MEDIA_LIMITS, WHAT, apiMessages.queueFullForCaller(WHAT));

let program: Promise<URL> | undefined;

/**
 * Reads an uploaded file in a worker thread, unless its uploader leaves before its turn. Null if the file is not of its kind, or takes too long or too much memory. Throws
 * RateLimited and Unavailable as {@link mediaQueue} does.
 */
export async function inspectInWorker<Kind extends keyof Readings>(
  { companyId, signal }: Uploader,
  kind: Kind,
  path: string,
): Promise<Readings[Kind] | null> {
  const turn = async () => (await read({ kind, path })) as Readings[Kind] | null;
  return mediaQueue.run(companyId, turn, { signal });
}

async function read(task: ReaderTask): Promise<Readings[keyof Readings] | null> {
  program ??= workerProgram('./media-worker.ts', import.meta.url);
  const worker = new Worker(await program, {
    workerData: task,
    resourceLimits: { maxOldGenerationSizeMb: WORKER_MEGABYTES_MAX },
    // Captured, because the library logs unsupported input to the console.
    stdout: true,
    stderr: true,
  });
  const stop = () => void worker.terminate();
  let timer = setTimeout(stop, START_MS_MAX);
  let isReady = false;
  try {
    return await new Promise((resolve, reject) => {
      worker.on('message', (message: ReaderMessage) => {
        if (message !== 'ready') return resolve(message);
        isReady = true;
        clearTimeout(timer);
        timer = setTimeout(stop, READ_MS_MAX);
      });
      // A failure before the worker is ready is an error of the server; after that it is due to the file.
      worker.once('error', (error) => (isReady && isOutOfMemory(error) ? resolve(null) : reject(error)));
      worker.once('exit', () =>
        isReady ? resolve(null) : reject(new Error('The media worker did not start')),
      );
    });
  } finally {
    clearTimeout(timer);
    await worker.terminate();
  }
}

function isOutOfMemory(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY';
}
