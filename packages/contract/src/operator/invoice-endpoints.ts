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
import { UuidParams, envelope } from '../lib/wire.ts';
import { Month } from './schema.ts';

// Paths are relative to the operator's API.

export const readInvoiceSettings = endpoint({
  method: 'GET',
  path: '/invoice_settings',
  summary: 'Read who issues invoices, and how',
  permission: 'money.read',
  version: invoiceSettingsVersion,
  response: { 200: envelope(SavedInvoiceSettings) },
});

export const changeInvoiceSettings = endpoint({
  method: 'PUT',
  path: '/invoice_settings',
  summary: 'Change who issues invoices, and how',
  permission: 'money.write',
  body: InvoiceSettings,
  version: invoiceSettingsVersion,
  response: { 200: envelope(SavedInvoiceSettings) },
});

export const listInvoiceRates = endpoint({
  method: 'GET',
  path: '/invoice_rates',
  summary: 'List the last rate of each currency for totals of invoices',
  permission: 'money.read',
  response: { 200: envelope(z.object({ rates: z.array(InvoiceRate) })) },
});

export const putInvoiceRate = endpoint({
  method: 'PUT',
  path: '/invoice_rates/:currency',
  summary: 'Set the rate of a currency on a day, for totals of invoices',
  permission: 'money.write',
  params: InvoiceCurrency,
  body: InvoiceRateInput,
  response: { 200: envelope(InvoiceRate) },
});

export const readCompanyBilling = endpoint({
  method: 'GET',
  path: '/companies/:uuid/billing_details',
  summary: 'Read what invoices say of a company',
  permission: 'company.read',
  params: UuidParams,
  response: { 200: envelope(SavedBillingDetails) },
});

export const listCompanyInvoices = endpoint({
  method: 'GET',
  path: '/companies/:uuid/invoices',
  summary: "List a company's invoices and credit notes, newest first",
  permission: 'company.read',
  params: UuidParams,
  query: InvoiceQuery,
  response: { 200: envelope(InvoiceList) },
});

export const issueInvoice = endpoint({
  method: 'POST',
  path: '/companies/:uuid/invoices',
  summary: 'Issue the invoice of a company for a month',
  permission: 'money.write',
  params: UuidParams,
  body: z.object({ month: Month }),
  response: { 201: envelope(Invoice), ...conflict },
});

export const issueCreditNote = endpoint({
  method: 'POST',
  path: '/invoices/:uuid/credit_notes',
  summary: 'Issue a credit note for an invoice',
  permission: 'money.write',
  params: UuidParams,
  body: CreditNoteInput,
  response: { 201: envelope(Invoice), ...conflict },
});

export const downloadCompanyInvoice = endpoint({
  method: 'GET',
  path: '/invoices/:uuid/pdf',
  summary: 'Download an invoice or a credit note as PDF',
  permission: 'company.read',
  params: UuidParams,
  response: { 200: { content: { [PDF]: { schema: z.file() } } } },
});
