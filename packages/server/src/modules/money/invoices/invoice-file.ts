import type { Context } from '../../../context.ts';
import { findLogo } from '../../../platform/brand/brand-reader.ts';
import { NotFound } from '../../../platform/errors.ts';
import { findInvoice } from './invoice-store.ts';
import { drawInvoice } from './pdf/invoice-worker-pool.ts';

/** An invoice or a credit note as a PDF. */
export interface InvoiceFile {
  /** Its number and the ending. */
  name: string;
  content: Buffer;
}

/**
 * Draws an invoice of a company, unless `signal` aborts before its turn. Throws NotFound; RateLimited and Unavailable as
 * {@link drawInvoice} does.
 */
export async function invoiceFile(
  { db }: Pick<Context, 'db'>,
  companyId: string,
  { uuid, signal }: { uuid: string; signal: AbortSignal },
): Promise<InvoiceFile> {
  const invoice = await findInvoice(db, companyId, uuid);
  if (!invoice) throw new NotFound('Invoice');
  const { snapshot, logo_sha256: sha256 } = invoice;
  const logo = sha256 === null ? undefined : await findLogo(db, sha256);
  const content = await drawInvoice({ companyId, signal }, { snapshot, logo: logo?.print ?? null });
  return { name: `${invoice.number}.pdf`, content };
}
