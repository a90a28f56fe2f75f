import * as endpoints from '@bidwell/contract/invoices/endpoints';
import type { BillingDetails, Invoice } from '@bidwell/contract/invoices/schema';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api } from '../../lib/api/api-client.ts';
import { queryClient } from '../../lib/api/query-client.ts';
import { saveFile } from '../../lib/format/csv-file.ts';

export const INVOICES_PER_PAGE = 25;

/** A page of the company's invoices and credit notes, newest first. */
export const invoicesQuery = (page: number) =>
  queryOptions({
    queryKey: ['company', 'invoices', page],
    queryFn: () => api.call(endpoints.listInvoices, { query: { page, limit: INVOICES_PER_PAGE } }),
    placeholderData: keepPreviousData,
    staleTime: 0,
  });

/** The billing details of the company, null until it has entered them, and whether their address must be confirmed. */
export const billingDetailsQuery = queryOptions({
  queryKey: ['company', 'billing-details'],
  queryFn: () => api.call(endpoints.readBillingDetails),
});

/** Changes what invoices say of the company. */
export async function saveBillingDetails(details: BillingDetails, version?: string): Promise<void> {
  const saved = await api.change(endpoints.changeBillingDetails, version, { body: details });
  queryClient.setQueryData(billingDetailsQuery.queryKey, saved);
}

/** Saves the PDF of an invoice. */
export async function downloadInvoice({ uuid, number }: Invoice): Promise<void> {
  const response = await api.download(endpoints.downloadInvoice, { params: { uuid } });
  saveFile(`${number}.pdf`, await response.blob());
}
