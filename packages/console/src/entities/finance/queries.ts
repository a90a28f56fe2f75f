import * as endpoints from '@bidwell/contract/finance/endpoints';
import type { TransactionStatus } from '@bidwell/contract/finance/schema';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api } from '../../lib/api/api-client.ts';
import { pollingInterval } from '../../lib/live/connection-state.ts';
import type { DateRange } from '../../lib/format/date-presets.ts';
import { queryClient } from '../../lib/api/query-client.ts';

export const TRANSACTIONS_PER_PAGE = 25;

export const balanceQuery = queryOptions({
  queryKey: ['company', 'balance'],
  queryFn: () => api.call(endpoints.readBalance),
  refetchInterval: pollingInterval(10_000),
  staleTime: 0,
});

/** A page of the transactions of a status, in which the media spend of a day is one. */
export const transactionsQuery = (page: number, status: TransactionStatus | undefined) =>
  queryOptions({
    queryKey: ['company', 'transactions', page, status],
    queryFn: () =>
      api.call(endpoints.listTransactions, {
        query: { page, limit: TRANSACTIONS_PER_PAGE, status, fold: 'day' },
      }),
    placeholderData: keepPreviousData,
    refetchInterval: pollingInterval(10_000),
    staleTime: 0,
  });

/** The spend of a range of days as the reports, the ledger and the log have it. */
export const reconciliationQuery = ({ start, end }: DateRange) =>
  queryOptions({
    queryKey: ['company', 'reconciliation', start, end],
    queryFn: () => api.call(endpoints.reconcileSpend, { query: { start_date: start, end_date: end } }),
  });

/** The statement of the balance for a range of days. */
export const accountStatementQuery = ({ start, end }: DateRange) =>
  queryOptions({
    queryKey: ['company', 'statement', start, end],
    queryFn: () => api.call(endpoints.readStatement, { query: { start_date: start, end_date: end } }),
    placeholderData: keepPreviousData,
    staleTime: 0,
  });

/** How to pay, in the operator's words. */
export const paymentInstructionsQuery = queryOptions({
  queryKey: ['payment-instructions'],
  queryFn: async () => (await api.call(endpoints.readPaymentInstructions)).instructions,
});

/** Requests a top-up, in dollars. */
export async function requestTopUp(amount: number): Promise<void> {
  await api.create(endpoints.requestTopUp, { body: { amount } });
  await queryClient.invalidateQueries({ queryKey: ['company'] });
}
