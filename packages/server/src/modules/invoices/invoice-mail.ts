import { PDF } from '@bidwell/contract/invoices/endpoints';
import { monthText } from '@bidwell/contract/lib/calendar';
import type { InvoiceSnapshot } from '@bidwell/contract/invoices/snapshot';
import type { Context } from '../../context.ts';
import { consoleUrlOf } from '../../platform/brand/page-brand.ts';
import { escapedHtml } from '../../platform/mail/escaped-html.ts';
import type { Mail } from '../../platform/mail/mailer.ts';
import { countMail } from '../../platform/postgres/stores/mail-count-store.ts';
import { unlinked } from '../../platform/mail/unlinked.ts';
import { type InvoiceFile, invoiceFile } from './invoice-file.ts';
import { type InvoiceRow, isBillingAddressConfirmed } from './invoice-store.ts';
import { centsText } from './present.ts';

const DRAWN_WITHIN_MS = 60_000;

/** An invoice that was issued, and the address of the billing details. */
export interface IssuedInvoice {
  row: Pick<InvoiceRow, 'uuid' | 'company_uuid' | 'number' | 'snapshot'>;
  email: string | null;
}

/**
 * Mails an invoice or a credit note with its PDF, where there is a confirmed address and the server sends mail. One that cannot be drawn, as where
 * many wait, is mailed without: it is in the finances. Resolves when the mail is queued; does not reject.
 */
export async function mailInvoice(ctx: Context, { row, email }: IssuedInvoice): Promise<void> {
  if (email === null || !ctx.mailer || !(await mayMail(ctx, row, email))) return;
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

/** Whether the address is confirmed and did not get its invoices of a day yet. */
async function mayMail(
  { db, log, now }: Context,
  { company_uuid: companyId, number }: IssuedInvoice['row'],
  email: string,
): Promise<boolean> {
  try {
    const may =
      (await isBillingAddressConfirmed(db, companyId, email)) &&
      (await countMail(db, { to: email, kind: 'invoice', at: now() }));
    if (!may)
      log.info({ invoice: number }, 'an invoice was not mailed: its address is not confirmed, or is full');
    return may;
  } catch (error) {
    log.error({ err: error, invoice: number }, 'an invoice was not mailed');
    return false;
  }
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
