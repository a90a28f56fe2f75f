import type { InvoiceKind } from '@bidwell/contract/invoices/schema';
import type { Mail } from '../../platform/mail/mailer.ts';

/** The mail that announces an invoice or a credit note. Numbers, amounts and the link hold nothing that HTML would read. */
export function invoiceMail({
  kind,
  number,
  total,
  link,
}: {
  kind: InvoiceKind;
  number: string;
  total: string;
  link: string;
}): Omit<Mail, 'to'> {
  const name = kind === 'invoice' ? 'Invoice' : 'Credit note';
  const first = `${name} ${number} over ${total} was issued. Download it in your finances:`;
  return {
    subject: `${name} ${number}`,
    text: `${first}\n\n${link}\n`,
    html: `<p>${first}</p>\n<p><a href="${link}">${link}</a></p>\n`,
  };
}
