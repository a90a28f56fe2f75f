import { Balance, TopUpInput, Transaction, TransactionList } from './schema.ts';
import { exampleTimes, exampleUuid, exampleOf } from '../lib/example.ts';
import type { z } from 'zod';

const transaction: z.input<typeof Transaction> = {
  uuid: exampleUuid(10),
  kind: 'spend',
  status: 'success',
  amount: -12.345678,
  description: 'Launch, 2026-03-02 09:00',
  ...exampleTimes,
};

/** The examples of the API's documents. */
export const financeExamples = [
  exampleOf(Balance, { balance: 240.5, currency: 'USD', spent_today: 18.2, credit_limit: 0 }, 'Balance'),
  exampleOf(TopUpInput, { amount: 500 }),
  exampleOf(Transaction, transaction, 'Transaction'),
  exampleOf(TransactionList, { transactions: [transaction], total: 1 }, 'TransactionList'),
];
