import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import type * as Esbuild from 'esbuild';
import pLimit from 'p-limit';
import type { ReaderMessage, ReaderTask, Readings } from './media-worker.ts';

/** A whole video takes a tenth of a second to read, a page less. */
const READ_MS_MAX = 5000;
const START_MS_MAX = 30_000;
const WORKER_MEGABYTES_MAX = 128;
const WORKERS_MAX = 2;
const inTurn = pLimit(WORKERS_MAX);

let program: Promise<URL> | undefined;

/** Program of the worker: a file beside the server's bundle, or, when running from source, bundled once. */
function workerProgram(): Promise<URL> {
  program ??= import.meta.url.endsWith('.ts')
    ? bundled(new URL('./media-worker.ts', import.meta.url))
    : Promise.resolve(new URL('./media-worker.js', import.meta.url));
  return program;
}

/** Bundles the worker's program. Loading TypeScript in the worker would take a second of a core for each file. */
async function bundled(source: URL): Promise<URL> {
  const { build } = (await import(import.meta.resolve('esbuild'))) as typeof Esbuild;
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(source)],
    bundle: true,
    platform: 'node',
    format: 'esm',
    write: false,
  });
  return new URL(`data:text/javascript;base64,${Buffer.from(outputFiles[0]!.contents).toString('base64')}`);
}

/** Reads a file in a worker thread. Null if the file is not of its kind, or takes too long or too much memory. */
export async function inspectInWorker<Kind extends keyof Readings>(
  kind: Kind,
  path: string,
): Promise<Readings[Kind] | null> {
  return inTurn(async () => (await read({ kind, path })) as Readings[Kind] | null);
}

async function read(task: ReaderTask): Promise<Readings[keyof Readings] | null> {
  const worker = new Worker(await workerProgram(), {
    workerData: task,
    resourceLimits: { maxOldGenerationSizeMb: WORKER_MEGABYTES_MAX },
    // Captured, because the library logs what it does not support to the console.
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
