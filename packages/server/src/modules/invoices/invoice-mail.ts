import { PDF } from '@bidwell/contract/invoices/endpoints';
import { monthText } from '@bidwell/contract/lib/calendar';
import type { InvoiceSnapshot } from '@bidwell/contract/invoices/snapshot';
import type { Context } from '../../context.ts';
import { consoleUrlOf } from '../../platform/brand/page-brand.ts';
import { escapedHtml } from '../../platform/mail/escaped-html.ts';
import type { Mail } from '../../platform/mail/mailer.ts';
import { unlinked } from '../../platform/mail/unlinked.ts';
import { type InvoiceFile, invoiceFile } from './invoice-file.ts';
import type { InvoiceRow } from './invoice-store.ts';
import { centsText } from './present.ts';

const DRAWN_WITHIN_MS = 60_000;

/** An invoice that was issued, and the address of the billing details. */
export interface IssuedInvoice {
  row: Pick<InvoiceRow, 'uuid' | 'company_uuid' | 'number' | 'snapshot'>;
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
  ctx.mailer.send(
    { to: email, ...invoiceMail(row.snapshot, { link, file: file ?? null }) },
    { kind: 'invoice', id: row.number },
    'bulk',
  );
}

/** What is for whom, of which month or of which invoice. The company chooses its name and the address of the mail, so the name is no link. */
function invoiceMail(
  { kind, number, seller, buyer, period, correction, totalCents }: InvoiceSnapshot,
  { link, file }: { link: string; file: InvoiceFile | null },
): Omit<Mail, 'to'> {
  const name = kind === 'invoice' ? 'Invoice' : 'Credit note';
  const where = file ? 'It is attached, and in your finances:' : 'Download it in your finances:';
  // Of an invoice its month, of a credit note the invoice.
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
