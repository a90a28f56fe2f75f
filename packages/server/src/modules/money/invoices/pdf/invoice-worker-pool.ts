import { invoiceApiMessages } from '@bidwell/contract/invoices/api-messages';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { fairQueue } from '../../../../platform/concurrency/fair-queue.ts';
import { workerProgram } from '../../../../platform/worker-program.ts';
import type { InvoiceTask } from './invoice-worker.ts';

/** With the start of the worker; an invoice of 500 lines takes a quarter of a second. */
const DRAW_MS_MAX = 30_000;
const WORKER_MEGABYTES_MAX = 128;
/** An invoice, and the logo on it as PNG. */
type Drawn = Pick<InvoiceTask, 'snapshot' | 'logo'>;

/** One at a time: a download is rare, and takes a core. */
export const INVOICE_LIMITS = { running: 1, runningEach: 1, waiting: 100, waitingEach: 5, waitMs: 30_000 };

/** Drawing of invoices, by company. One per process. */
export const invoiceQueue = fairQueue(INVOICE_LIMITS, invoiceApiMessages.invoices);

let program: Promise<URL> | undefined;

/**
 * Draws an invoice in a worker thread, unless the caller leaves before the company's turn. Throws RateLimited and Unavailable as
 * {@link invoiceQueue} does.
 */
export async function drawInvoice(
  { companyId, signal }: { companyId: string; signal: AbortSignal },
  drawn: Drawn,
): Promise<Buffer> {
  return invoiceQueue.run(companyId, async () => draw(drawn), { signal });
}

async function draw({ snapshot, logo }: Drawn): Promise<Buffer> {
  program ??= workerProgram('./invoice-worker.ts', import.meta.url);
  const workerData: InvoiceTask = {
    snapshot,
    logo,
    fontFolder: fileURLToPath(new URL('./fonts', import.meta.url)),
  };
  const worker = new Worker(await program, {
    workerData,
    resourceLimits: { maxOldGenerationSizeMb: WORKER_MEGABYTES_MAX },
  });
  const timer = setTimeout(() => void worker.terminate(), DRAW_MS_MAX);
  try {
    return await new Promise((resolve, reject) => {
      worker.once('message', (content: Uint8Array) => resolve(Buffer.from(content)));
      worker.once('error', reject);
      worker.once('exit', () => reject(new Error('The worker drew no invoice')));
    });
  } finally {
    clearTimeout(timer);
    await worker.terminate();
  }
}
