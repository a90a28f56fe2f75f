import { z } from 'zod';
import { endpoint, limited } from '../lib/endpoint.ts';
import { envelope } from '../lib/wire.ts';
import {
  BillingDetails,
  InvoiceList,
  InvoiceQuery,
  SavedBillingDetails,
  billingDetailsVersion,
} from './schema.ts';

/** Content type of an invoice. */
export const PDF = 'application/pdf';

export const readBillingDetails = endpoint('GET /finance/billing_details', {
  companyPermission: 'money.read',
  summary: 'Read what invoices say of the company',
  version: billingDetailsVersion,
  response: { 200: envelope(SavedBillingDetails) },
});

export const changeBillingDetails = endpoint('PUT /finance/billing_details', {
  companyPermission: 'money.write',
  summary: 'Change what invoices say of the company',
  body: BillingDetails,
  version: billingDetailsVersion,
  response: { 200: envelope(SavedBillingDetails) },
});

export const listInvoices = endpoint('GET /finance/invoices', {
  companyPermission: 'money.read',
  summary: 'List invoices and credit notes, newest first',
  query: InvoiceQuery,
  response: { 200: envelope(InvoiceList) },
});

export const downloadInvoice = endpoint('GET /finance/invoices/:uuid/pdf', {
  companyPermission: 'money.read',
  summary: 'Download an invoice or a credit note as PDF',
  response: { 200: { content: { [PDF]: { schema: z.file() } } }, ...limited },
});
