import { z } from 'zod';
import { PDF } from '../invoices/endpoints.ts';
import {
  CreditNoteInput,
  Invoice,
  InvoiceCurrency,
  InvoiceList,
  InvoiceQuery,
  InvoiceRate,
  InvoiceRateInput,
  InvoiceSettings,
  SavedBillingDetails,
  SavedInvoiceSettings,
  invoiceSettingsVersion,
} from '../invoices/schema.ts';
import { conflict, endpoint } from '../lib/endpoint.ts';
import { envelope } from '../lib/wire.ts';
import { Month } from './schema.ts';

// Paths are relative to the operator's API.

export const readInvoiceSettings = endpoint('GET /invoice_settings', {
  summary: 'Read who issues invoices, and how',
  permission: 'money.read',
  version: invoiceSettingsVersion,
  response: { 200: envelope(SavedInvoiceSettings) },
});

export const changeInvoiceSettings = endpoint('PUT /invoice_settings', {
  summary: 'Change who issues invoices, and how',
  permission: 'money.write',
  body: InvoiceSettings,
  version: invoiceSettingsVersion,
  response: { 200: envelope(SavedInvoiceSettings) },
});

export const listInvoiceRates = endpoint('GET /invoice_rates', {
  summary: 'List the last rate of each currency for totals of invoices',
  permission: 'money.read',
  response: { 200: envelope(z.object({ rates: z.array(InvoiceRate) })) },
});

export const putInvoiceRate = endpoint('PUT /invoice_rates/:currency', {
  summary: 'Set the rate of a currency on a day, for totals of invoices',
  permission: 'money.write',
  params: InvoiceCurrency,
  body: InvoiceRateInput,
  response: { 200: envelope(InvoiceRate) },
});

export const readCompanyBilling = endpoint('GET /companies/:uuid/billing_details', {
  summary: 'Read what invoices say of a company',
  permission: 'company.read',
  response: { 200: envelope(SavedBillingDetails) },
});

export const listCompanyInvoices = endpoint('GET /companies/:uuid/invoices', {
  summary: "List a company's invoices and credit notes, newest first",
  permission: 'company.read',
  query: InvoiceQuery,
  response: { 200: envelope(InvoiceList) },
});

export const issueInvoice = endpoint('POST /companies/:uuid/invoices', {
  summary: 'Issue the invoice of a company for a month',
  permission: 'money.write',
  body: z.object({ month: Month }),
  response: { 201: envelope(Invoice), ...conflict },
});

export const issueCreditNote = endpoint('POST /invoices/:uuid/credit_notes', {
  summary: 'Issue a credit note for an invoice',
  permission: 'money.write',
  body: CreditNoteInput,
  response: { 201: envelope(Invoice), ...conflict },
});

export const downloadCompanyInvoice = endpoint('GET /invoices/:uuid/pdf', {
  summary: 'Download an invoice or a credit note as PDF',
  permission: 'company.read',
  response: { 200: { content: { [PDF]: { schema: z.file() } } } },
});
