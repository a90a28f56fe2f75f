import { PDF } from '@bidwell/contract/invoices/endpoints';
import type { Context } from '../../context.ts';
import { consoleUrlOf } from '../../platform/brand/page-brand.ts';
import type { Mail } from '../../platform/mail/mailer.ts';
import { type InvoiceFile, invoiceFile } from './invoice-file.ts';
import type { InvoiceRow } from './invoice-store.ts';
import { centsText } from './present.ts';

const DRAWN_WITHIN_MS = 60_000;

/** An invoice that was issued, and the address of the billing details. */
export interface IssuedInvoice {
  row: Pick<InvoiceRow, 'uuid' | 'company_uuid' | 'kind' | 'number' | 'net_cents' | 'tax_cents'>;
  email: string | null;
}

/**
 * Mails an invoice or a credit note with its PDF, where there is an address and the server sends mail. One that cannot be drawn, as where
 * many wait, is mailed without: it is in the finances. Resolves when the mail is queued; does not reject.
 */
export async function mailInvoice(ctx: Context, { row, email }: IssuedInvoice): Promise<void> {
  if (email === null || !ctx.mailer) return;
  const file = await invoiceFile(ctx, row.company_uuid, {
    uuid: row.uuid,
    signal: AbortSignal.timeout(DRAWN_WITHIN_MS),
  }).catch((error: unknown) => {
    ctx.log.warn({ err: error, invoice: row.number }, 'an invoice was mailed without its file');
  });
  const link = `${consoleUrlOf(await ctx.brand.current(), ctx.config)}/finances?view=invoices`;
  ctx.mailer.send({ to: email, ...invoiceMail(row, { link, file: file ?? null }) }, 'bulk');
}

/** Numbers, amounts and the link hold nothing that HTML would read. */
function invoiceMail(
  { kind, number, net_cents: net, tax_cents: tax }: IssuedInvoice['row'],
  { link, file }: { link: string; file: InvoiceFile | null },
): Omit<Mail, 'to'> {
  const name = kind === 'invoice' ? 'Invoice' : 'Credit note';
  const where = file ? 'It is attached, and in your finances:' : 'Download it in your finances:';
  const first = `${name} ${number} over ${centsText(net + tax)} was issued. ${where}`;
  return {
    subject: `${name} ${number}`,
    text: `${first}\n\n${link}\n`,
    html: `<p>${first}</p>\n<p><a href="${link}">${link}</a></p>\n`,
    ...(file && { attachments: [{ filename: file.name, content: file.content, contentType: PDF }] }),
  };
}
