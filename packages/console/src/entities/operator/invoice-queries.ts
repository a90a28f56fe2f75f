import type {
  CreditNoteInput,
  Invoice,
  InvoiceRate,
  InvoiceSettings,
} from '@bidwell/contract/invoices/schema';
import { OPERATOR_API, addressOf } from '@bidwell/contract/lib/endpoint';
import * as endpoints from '@bidwell/contract/operator/invoice-endpoints';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { callOperator, changeAsOperator } from '../../lib/api/operator-client.ts';
import { queryClient, staleTimes } from '../../lib/api/query-client.ts';

export const COMPANY_INVOICES_PER_PAGE = 10;

/** Who issues invoices, and how; null until an operator has entered it. */
export const invoiceSettingsQuery = queryOptions({
  queryKey: ['operator', 'invoice-settings'],
  queryFn: async () => (await callOperator(endpoints.readInvoiceSettings)).settings,
});

/** Changes who issues invoices, and how. */
export async function saveInvoiceSettings(settings: InvoiceSettings, version?: string): Promise<void> {
  const saved = await changeAsOperator(endpoints.changeInvoiceSettings, version, { body: settings });
  queryClient.setQueryData(invoiceSettingsQuery.queryKey, saved.settings);
}

/** The last rate of each currency for totals of invoices. */
export const invoiceRatesQuery = queryOptions({
  queryKey: ['operator', 'invoice-rates'],
  queryFn: async () => (await callOperator(endpoints.listInvoiceRates)).rates,
});

/** Sets the rate of a currency on a day. */
export async function saveInvoiceRate({ currency, ...body }: InvoiceRate): Promise<void> {
  await callOperator(endpoints.putInvoiceRate, { params: { currency }, body });
  await queryClient.invalidateQueries({ queryKey: invoiceRatesQuery.queryKey });
}

const invoicesKey = (uuid: string) => ['operator', 'company', uuid, 'invoices'];

/** A page of a company's invoices and credit notes, newest first. */
export const companyInvoicesQuery = (uuid: string, page: number) =>
  queryOptions({
    queryKey: [...invoicesKey(uuid), page],
    queryFn: () =>
      callOperator(endpoints.listCompanyInvoices, {
        params: { uuid },
        query: { page, limit: COMPANY_INVOICES_PER_PAGE },
      }),
    placeholderData: keepPreviousData,
    staleTime: staleTimes.never,
  });

/** Issues the invoice of a company for a month, YYYY-MM. */
export async function issueInvoice(uuid: string, month: string): Promise<Invoice> {
  const invoice = await callOperator(endpoints.issueInvoice, { params: { uuid }, body: { month } });
  await refetchIssued(uuid);
  return invoice;
}

/** Issues a credit note for an invoice of a company. */
export async function issueCreditNote(
  companyUuid: string,
  uuid: string,
  body: CreditNoteInput,
): Promise<Invoice> {
  const note = await callOperator(endpoints.issueCreditNote, { params: { uuid }, body });
  await refetchIssued(companyUuid);
  return note;
}

/** Refetches what shows an invoice or a credit note that was issued: the company, and the log of operators. */
const refetchIssued = async (companyUuid: string) =>
  Promise.all([
    queryClient.invalidateQueries({ queryKey: ['operator', 'company', companyUuid] }),
    queryClient.invalidateQueries({ queryKey: ['operator', 'audit'] }),
  ]);

/** The address of the PDF of an invoice, which the session's cookie opens. */
export const invoiceAddress = (uuid: string): string =>
  OPERATOR_API + addressOf(endpoints.downloadCompanyInvoice, { params: { uuid } });
