import { Worker } from 'node:worker_threads';
import { atMost } from '../../platform/jobs/at-most.ts';
import type { ReaderMessage, ReaderTask, Readings } from './file-reader.ts';

/** A whole video is read in a tenth of a second, a page in less. */
const READ_MS_MAX = 5000;
const START_MS_MAX = 30_000;
const READ_MEGABYTES_MAX = 128;
const READERS_MAX = 2;
const inTurn = atMost(READERS_MAX);

/** The program of the reader's thread: beside the bundle where this is bundled, else the source, which Node cannot load. */
const reader = import.meta.url.endsWith('.ts')
  ? { program: loading(new URL('./file-reader.ts', import.meta.url)), isScript: true }
  : { program: new URL('./file-reader.js', import.meta.url), isScript: false };

function loading({ href }: URL): string {
  const loader = import.meta.resolve('tsx/esm/api');
  return `import('${loader}').then(({ tsImport }) => tsImport('${href}', '${href}'))`;
}

/** Reads a file in a thread of its own; null for what is no such file, or takes too long or too much memory to read. */
export async function readInThread<Kind extends keyof Readings>(
  kind: Kind,
  path: string,
): Promise<Readings[Kind] | null> {
  return inTurn(async () => (await read({ kind, path })) as Readings[Kind] | null);
}

async function read(task: ReaderTask): Promise<Readings[keyof Readings] | null> {
  const { program, isScript } = reader;
  const worker = new Worker(program, {
    eval: isScript,
    workerData: task,
    resourceLimits: { maxOldGenerationSizeMb: READ_MEGABYTES_MAX },
    // The library says on the console what it does not know.
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
      // A reader that does not begin is our fault; one that began ends early for what it reads.
      worker.once('error', (error) => (isReady && isOutOfMemory(error) ? resolve(null) : reject(error)));
      worker.once('exit', () => (isReady ? resolve(null) : reject(new Error('The reader did not begin'))));
    });
  } finally {
    clearTimeout(timer);
    await worker.terminate();
  }
}

function isOutOfMemory(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY';
}
