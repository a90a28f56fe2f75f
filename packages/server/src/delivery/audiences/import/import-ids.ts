import { Worker } from 'node:worker_threads';
import { workerProgram } from '../../../platform/worker-program.ts';
import type { ImportFault, ImportMessage, ImportResult, ImportTask } from './import-worker.ts';
import type { ImportReport } from '../../../platform/postgres/audience-tables.ts';

/** Memory of the thread, besides the digests. */
const WORKER_MEGABYTES_MAX = 256;
/** A file of two gigabytes takes about two minutes. */
export const IMPORT_MS_MAX = 20 * 60_000;

/** An import that the file or the list is to blame for. The audience stays as it is. */
export class ImportFailed extends Error {
  readonly fault: ImportFault;
  readonly report: ImportReport;

  constructor(fault: ImportFault, report: ImportReport) {
    super(fault.code);
    this.fault = fault;
    this.report = report;
  }
}

let program: Promise<URL> | undefined;

/** An import that took longer than an import may take. */
export class ImportTooSlow extends Error {}

/**
 * Imports a file of ids into a new file of an audience, in a thread of its own. Throws ImportFailed; ImportTooSlow after `msMax`; another error
 * where the thread fails, or the import is stopped.
 */
export async function importIds(
  task: ImportTask,
  {
    onProgress,
    signal,
    msMax = IMPORT_MS_MAX,
  }: { onProgress: (percent: number) => void; signal?: AbortSignal; msMax?: number },
): Promise<ImportResult> {
  program ??= workerProgram('./import-worker.ts', import.meta.url);
  const worker = new Worker(await program, {
    workerData: task,
    resourceLimits: { maxOldGenerationSizeMb: WORKER_MEGABYTES_MAX },
  });
  const stop = () => void worker.terminate();
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    stop();
  }, msMax);
  signal?.addEventListener('abort', stop);
  try {
    return await new Promise((resolve, reject) => {
      worker.on('message', (message: ImportMessage) => {
        if (message.type === 'progress') onProgress(message.percent);
        else if (message.type === 'done') resolve(message.result);
        else reject(new ImportFailed(message.fault, message.report));
      });
      worker.once('error', reject);
      worker.once('exit', () =>
        reject(isLate ? new ImportTooSlow() : new Error('The import of an audience was stopped.')),
      );
      if (signal?.aborted) stop();
    });
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', stop);
    await worker.terminate();
  }
}
