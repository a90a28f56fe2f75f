import type { InvoiceSnapshot } from '@bidwell/contract/invoices/snapshot';
import { parentPort, workerData } from 'node:worker_threads';
import { drawInvoice } from './draw-invoice.ts';

/** The input of the worker. */
export interface InvoiceTask {
  snapshot: InvoiceSnapshot;
  /** A PNG without transparency; null for none. */
  logo: Uint8Array | null;
  /** Folder of the fonts. */
  fontFolder: string;
}

const { snapshot, logo, fontFolder } = workerData as InvoiceTask;
const content = await drawInvoice(snapshot, fontFolder, logo && Buffer.from(logo));
parentPort!.postMessage(Uint8Array.from(content));
