import type { PaymentInstructions } from '@bidwell/contract/finance/schema';
import * as endpoints from '@bidwell/contract/operator/endpoints';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { callOperator, changeAsOperator } from '../../lib/api/operator-client.ts';
import { queryClient, staleTimes } from '../../lib/api/query-client.ts';

/** Top-ups that wait for a decision, oldest first. */
export const topUpsQuery = queryOptions({
  queryKey: ['operator', 'top-ups'],
  queryFn: async () => (await callOperator(endpoints.listTopUps)).top_ups,
  staleTime: staleTimes.never,
  refetchInterval: 30_000,
});

/** Spend and added funds of all companies on each of the last days. */
export const revenueQuery = (days: number) =>
  queryOptions({
    queryKey: ['operator', 'revenue', days],
    queryFn: async () => (await callOperator(endpoints.readRevenue, { query: { days } })).days,
    placeholderData: keepPreviousData,
  });

/** The result of the last check of the ledger; null before the first. */
export const ledgerCheckQuery = queryOptions({
  queryKey: ['operator', 'ledger-check'],
  queryFn: () => callOperator(endpoints.readLedgerCheck),
});

/** Checks the ledger, which takes seconds to minutes. */
export async function checkLedger(): Promise<void> {
  queryClient.setQueryData(ledgerCheckQuery.queryKey, await callOperator(endpoints.checkLedger));
}

/** The payment instructions for companies. */
export const paymentInstructionsQuery = queryOptions({
  queryKey: ['operator', 'payment-instructions'],
  queryFn: () => callOperator(endpoints.readPaymentInstructions),
});

/** Changes what companies are shown on how to pay, only of the version, where one is given. */
export async function changePaymentInstructions(body: PaymentInstructions, version?: string): Promise<void> {
  const changed = await changeAsOperator(endpoints.changePaymentInstructions, version, { body });
  queryClient.setQueryData(paymentInstructionsQuery.queryKey, changed);
}
