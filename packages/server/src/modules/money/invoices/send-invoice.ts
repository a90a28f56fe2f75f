import { PDF } from '@bidwell/contract/invoices/endpoints';
import type { FastifyReply } from 'fastify';
import type { InvoiceFile } from './invoice-file.ts';

/** Sends an invoice as a file to be saved. */
export function sendInvoice(reply: FastifyReply, { name, content }: InvoiceFile): FastifyReply {
  return reply
    .headers({
      'content-type': PDF,
      'content-disposition': `attachment; filename="${name}"`,
      'cache-control': 'no-store',
    })
    .send(content);
}
