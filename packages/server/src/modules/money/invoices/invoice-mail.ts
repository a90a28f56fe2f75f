import { PDF } from '@bidwell/contract/invoices/endpoints';
import { monthText } from '@bidwell/contract/lib/calendar';
import type { InvoiceSnapshot } from '@bidwell/contract/invoices/snapshot';
import type { Context } from '../../../context.ts';
import { consoleUrlOf } from '../../../platform/brand/page-brand.ts';
import { escapedHtml } from '../../../platform/mail/mail-page.ts';
import type { Mail } from '../../../platform/mail/mailer.ts';
import { countMail, mailKind } from '../../messaging/public.ts';
import type { Tx } from '../../../platform/postgres/transaction.ts';
import { unlinked } from '../../../platform/mail/unlinked.ts';
import { type InvoiceRow, isBillingAddressConfirmed, centsText } from './invoice-store.ts';
import { findLogo } from '../../../platform/brand/brand-reader.ts';
import { NotFound } from '../../../platform/errors.ts';
import { drawInvoice } from './pdf/invoice-worker-pool.ts';
import { findOwned } from '../../../platform/postgres/stores/owned-store.ts';

const DRAWN_WITHIN_MS = 60_000;

/**
 * Queues the mail of an invoice or a credit note in the transaction that issues it, where the server sends mail and the address of the
 * billing details is confirmed and did not get its invoices of a day yet.
 */
export async function queueInvoiceMail(
  ctx: Context,
  tx: Tx,
  {
    row: { uuid, company_uuid: companyId, number },
    email: to,
  }: { row: Pick<InvoiceRow, 'uuid' | 'company_uuid' | 'number'>; email: string | null },
): Promise<void> {
  if (to === null || !ctx.mailer) return;
  const may =
    (await isBillingAddressConfirmed(tx.db, companyId, to)) &&
    (await countMail(tx.db, { to, kind: 'invoice', at: ctx.now() }));
  if (may) return invoiceMails.queue(ctx, tx, { about: number, companyId, to, content: { companyId, uuid } });
  ctx.log.info({ invoice: number }, 'an invoice was not mailed: its address is not confirmed, or is full');
}

/**
 * Mails of invoices and credit notes with their PDF, which is drawn when the mail is sent. One that cannot be drawn, as where many wait, is
 * mailed without: it is in the finances.
 */
export const invoiceMails = mailKind<{ companyId: string; uuid: string }>({
  name: 'invoice',
  lane: 'today_mail',
  async compose(ctx, { companyId, uuid }) {
    const invoice = await findOwned(ctx.db, 'invoices', companyId, uuid);
    if (!invoice) return null;
    const { number, snapshot } = invoice;
    const signal = AbortSignal.timeout(DRAWN_WITHIN_MS);
    const file = await invoiceFile(ctx, companyId, { uuid, signal }).catch((error: unknown) => {
      ctx.log.warn({ err: error, invoice: number }, 'an invoice was mailed without its file');
    });
    const link = `${consoleUrlOf(await ctx.brand.current(), ctx.config)}/finances?view=invoices`;
    return invoiceMail(snapshot, { link, file: file ?? null });
  },
});

/** States the document, the buyer, and the month or the corrected invoice. The company chooses its name and the address of the mail, so the name is no link. */
function invoiceMail(
  { kind, number, seller, buyer, period, correction, totalCents }: InvoiceSnapshot,
  { link, file }: { link: string; file: InvoiceFile | null },
): Omit<Mail, 'to'> {
  const name = kind === 'invoice' ? 'Invoice' : 'Credit note';
  const where = file ? 'It is attached, and in your finances:' : 'Download it in your finances:';
  // The month for an invoice, the corrected invoice for a credit note.
  const of = [
    ...(period ? [`, ${monthText(period.month)}`] : []),
    ...(correction ? [`, which corrects invoice ${correction.number}`] : []),
  ].join('');
  const parties = `of ${seller.legal_name} for ${unlinked(buyer.legal_name)}`;
  const first = `${name} ${number} ${parties}${of}, over ${centsText(totalCents)} was issued. ${where}`;
  return {
    subject: `${name} ${number}${of}`,
    text: `${first}\n\n${link}\n`,
    html: `<p>${escapedHtml(first)}</p>\n<p><a href="${link}">${link}</a></p>\n`,
    ...(file && { attachments: [{ filename: file.name, content: file.content, contentType: PDF }] }),
  };
}

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
  const invoice = await findOwned(db, 'invoices', companyId, uuid);
  if (!invoice) throw new NotFound('Invoice');
  const { snapshot, logo_sha256: sha256 } = invoice;
  const logo = sha256 === null ? undefined : await findLogo(db, sha256);
  const content = await drawInvoice({ companyId, signal }, { snapshot, logo: logo?.print ?? null });
  return { name: `${invoice.number}.pdf`, content };
}
