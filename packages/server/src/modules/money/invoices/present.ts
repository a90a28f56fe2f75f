import type { Invoice } from '@bidwell/contract/invoices/schema';
import { dollarsText } from '@bidwell/contract/lib/number-text';
import type { ListedInvoice } from './invoice-store.ts';

/** An invoice as the API returns it. Pure. */
export function presentInvoice(row: ListedInvoice): Invoice {
  return {
    uuid: row.uuid,
    kind: row.kind,
    number: row.number,
    month: row.month,
    issued_at: row.issued_at.toISOString(),
    net: row.net_cents / 100,
    tax: row.tax_cents / 100,
    total: (row.net_cents + row.tax_cents) / 100,
    corrects: row.corrects,
    credited: row.credited_cents / 100,
  };
}

/** Cents as dollars in a sentence. Pure. */
export function centsText(cents: number): string {
  return dollarsText(cents / 100);
}
