import { z } from 'zod';
import { Email } from '../accounts/schema.ts';
import { limits } from '../lib/limits.ts';
import { CalendarDate, Page, Timestamp, Uuid, requiredName, requiredText } from '../lib/wire.ts';
import { financeMessages } from '../finance/messages.ts';
import { invoiceMessages } from './messages.ts';
import { messages } from '../text/messages.ts';
import { entityVersion } from '../lib/version.ts';

/** Two capital letters of ISO 3166-1. */
const Country = z
  .string()
  .min(1, { error: messages.required, abort: true })
  .regex(/^[A-Z]{2}$/, invoiceMessages.countryCode);

/** A currency of ISO 4217 other than the dollar, which is the ledger's. */
const OtherCurrency = z
  .string()
  .regex(/^[A-Z]{3}$/, invoiceMessages.currencyCode)
  .refine((code) => code !== 'USD', invoiceMessages.currencyNotDollar);

const NAME_MAX = 200;
const ADDRESS_MAX = 500;
const TAX_ID_MAX = 50;
const NOTE_MAX = 300;

/** Who an invoice is from or for. */
const Party = z.object({
  legal_name: requiredName(NAME_MAX),
  /** Lines of the address without the country. */
  address: requiredText(ADDRESS_MAX),
  country: Country,
  /** From the tax authority, such as a VAT number; '' for none. */
  tax_id: z.string().trim().max(TAX_ID_MAX, `At most ${TAX_ID_MAX} characters`),
});

/** PUT /finance/billing_details: the company's details on invoices. */
export const BillingDetails = Party.extend({
  /** New invoices are sent there, with their PDF; null for nowhere. */
  email: Email.nullable(),
  /** The total is shown in this currency too, where the operator has a rate; null for dollars only. */
  currency: OtherCurrency.nullable(),
});
export type BillingDetails = z.infer<typeof BillingDetails>;

/** The details, null until the company has entered them. */
export const SavedBillingDetails = z.object({
  billing_details: BillingDetails.nullable(),
  /** Whether a confirmation link was mailed to the address; no invoice is sent there before it is confirmed. */
  needs_email_confirmation: z.boolean(),
});
export type SavedBillingDetails = z.infer<typeof SavedBillingDetails>;

export const billingDetailsVersion = entityVersion(SavedBillingDetails, ['needs_email_confirmation']);

/** Which buyers a tax rule is for. */
export const TAX_RULE_BUYERS = ['all', 'with_tax_id', 'without_tax_id'] as const;

/** The tax on invoices to the buyers of a country. The first rule that fits is taken. */
export const TaxRule = z.object({
  /** Null for all countries. */
  country: Country.nullable(),
  buyers: z.enum(TAX_RULE_BUYERS),
  /** Such as `VAT`. */
  label: requiredName(30),
  /** Percent of the net amount, with at most two decimals; 0 where the buyer owes the tax. */
  rate_percent: z
    .number('Enter a number')
    .min(0, 'Enter 0 or more')
    .max(100, 'At most 100')
    .refine((rate) => Math.abs(rate * 100 - Math.round(rate * 100)) < 1e-9, invoiceMessages.twoDecimals),
  /** A sentence below the total, such as that the buyer owes the tax; '' for none. */
  note: z.string().trim().max(NOTE_MAX, `At most ${NOTE_MAX} characters`),
});
export type TaxRule = z.infer<typeof TaxRule>;

/** The prefix of invoice numbers: capital letters, digits and hyphens. Hyphens at its end are removed, since one follows it. */
const Prefix = z.string().regex(/^[A-Z][A-Z0-9-]{0,9}$/, invoiceMessages.invoicePrefix);

/** A prefix as numbers have it: without the hyphens at its end, which are entered as often as not. Pure. */
export function prefixOf(entered: string): string {
  let end = entered.length;
  while (end > 0 && entered[end - 1] === '-') end -= 1;
  return entered.slice(0, end);
}

/** A number: `INV-2026-00001` is the first one of a prefix in a year. Pure. */
export function invoiceNumber(prefix: string, year: number, sequence: number): string {
  return `${prefixOf(prefix)}-${year}-${String(sequence).padStart(5, '0')}`;
}

/** PUT /invoice_settings of operators: who issues invoices, and how. */
export const InvoiceSettings = Party.extend({
  /** How to pay, or that the invoice is paid; '' for nothing. */
  payment_text: z.string().trim().max(1000, 'At most 1\u00a0000 characters'),
  invoice_prefix: Prefix,
  credit_note_prefix: Prefix,
  tax_rules: z.array(TaxRule).max(100, 'At most 100 rules'),
  /** Whether the server issues the invoices of a month by itself. */
  is_automatic: z.boolean(),
}).refine((settings) => prefixOf(settings.invoice_prefix) !== prefixOf(settings.credit_note_prefix), {
  path: ['credit_note_prefix'],
  message: invoiceMessages.invoicePrefixes,
});
export type InvoiceSettings = z.infer<typeof InvoiceSettings>;

/** The settings, null until an operator has entered them. */
export const SavedInvoiceSettings = z.object({ settings: InvoiceSettings.nullable() });
export type SavedInvoiceSettings = z.infer<typeof SavedInvoiceSettings>;

export const invoiceSettingsVersion = entityVersion(SavedInvoiceSettings);

/** PUT /invoice_rates/:currency: the rate of the dollar on a day. */
export const InvoiceRateInput = z.object({
  date: CalendarDate,
  /** Units of the currency for one dollar, with at most six decimals. */
  per_dollar: z
    .number('Enter a number')
    .min(0.000001, invoiceMessages.ratePositive)
    .max(1_000_000, 'At most 1\u00a0000\u00a0000')
    .refine((rate) => Math.abs(rate * 1e6 - Math.round(rate * 1e6)) < 1e-3, invoiceMessages.sixDecimals),
  /** Where it is from, as invoices say it. */
  source: requiredName(100),
});
export type InvoiceRateInput = z.infer<typeof InvoiceRateInput>;

export const InvoiceCurrency = z.object({ currency: OtherCurrency });

export const InvoiceRate = InvoiceRateInput.extend(InvoiceCurrency.shape);
export type InvoiceRate = z.infer<typeof InvoiceRate>;

export const INVOICE_KINDS = ['invoice', 'credit_note'] as const;
export type InvoiceKind = (typeof INVOICE_KINDS)[number];

/** An invoice, or the credit note that corrects one. Amounts are in dollars and whole cents, of a credit note not negative. */
export const Invoice = z.object({
  uuid: Uuid,
  kind: z.enum(INVOICE_KINDS),
  number: z.string(),
  /** YYYY-MM, of an invoice; null of a credit note. */
  month: z.string().nullable(),
  issued_at: Timestamp,
  net: z.number(),
  tax: z.number(),
  total: z.number(),
  /** For a credit note: the number of its invoice. */
  corrects: z.string().nullable(),
  /** For an invoice: the total of its credit notes. */
  credited: z.number(),
});
export type Invoice = z.infer<typeof Invoice>;

export const InvoiceList = z.object({
  invoices: z.array(Invoice),
  total: z.number().int(),
  /** YYYY-MM of the last month with an invoice, after which the next one has to be; null before the first. */
  last_month: z.string().nullable(),
});
export type InvoiceList = z.infer<typeof InvoiceList>;

export const InvoiceQuery = Page;

/** POST /invoices/:uuid/credit_notes: takes a part of an invoice's net amount back, with its tax. */
export const CreditNoteInput = z.object({
  /** Dollars without tax. */
  net: z
    .number('Enter an amount')
    .positive('Enter an amount above 0')
    .max(limits.moneyMoveMaxDollars, financeMessages.moneyMoveMax)
    .refine(
      (amount) => Math.abs(amount * 100 - Math.round(amount * 100)) < 1e-6,
      invoiceMessages.twoDecimals,
    ),
  reason: z.string().trim().min(1, 'Say why').max(200, 'At most 200 characters'),
});
export type CreditNoteInput = z.infer<typeof CreditNoteInput>;
