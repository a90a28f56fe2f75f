import type { BillingDetails, InvoiceKind, InvoiceSettings, TaxRule } from './schema.ts';

/** One line of an invoice. */
export interface InvoiceLine {
  description: string;
  /** The amount in the ledger, in micros; null for a credit note, which is agreed in cents. */
  micros: number | null;
  /** As printed; the lines sum to the net amount. */
  cents: number;
}

/** All that an invoice or a credit note says, as it was when it was issued. */
export interface InvoiceSnapshot {
  kind: InvoiceKind;
  number: string;
  /** YYYY-MM-DD in UTC. */
  issuedOn: string;
  /** The days of the charges, in the company's time zone; null of a credit note. */
  period: { month: string; firstDay: string; lastDay: string; timeZone: string } | null;
  seller: Pick<InvoiceSettings, 'legal_name' | 'address' | 'country' | 'tax_id'>;
  buyer: Pick<BillingDetails, 'legal_name' | 'address' | 'country' | 'tax_id'>;
  lines: InvoiceLine[];
  netCents: number;
  /** Null where no rule fits the buyer. */
  tax: (Pick<TaxRule, 'label' | 'rate_percent' | 'note'> & { cents: number }) | null;
  totalCents: number;
  /** The total in another currency, in its smallest unit; null where there is no rate. */
  shown: {
    currency: string;
    perDollarMillionths: number;
    date: string;
    source: string;
    minorUnits: number;
  } | null;
  /** For a credit note: the invoice, and the reason. */
  correction: { number: string; issuedOn: string; reason: string } | null;
  paymentText: string;
  /** The product's name; absent from invoices issued before it could be changed. */
  product?: string;
}
