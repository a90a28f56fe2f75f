import type { InvoiceSnapshot } from '@bidwell/contract/invoices/snapshot';
import { parentPort, workerData } from 'node:worker_threads';
import { drawInvoice } from './draw-invoice.ts';

/** What the worker draws. */
export interface InvoiceTask {
  snapshot: InvoiceSnapshot;
  /** Folder of the fonts. */
  fontFolder: string;
}

const { snapshot, fontFolder } = workerData as InvoiceTask;
const content = await drawInvoice(snapshot, fontFolder);
parentPort!.postMessage(Uint8Array.from(content));
