import { endpoint } from '../endpoint.ts';
import { Balance, TopUpInput, Transaction, TransactionList, TransactionQuery } from '../finance.ts';
import { envelope } from '../wire.ts';

export const readBalance = endpoint({
  method: 'GET',
  path: '/finance/balance',
  summary: 'Read the balance',
  response: { 200: envelope(Balance) },
});

export const listTransactions = endpoint({
  method: 'GET',
  path: '/finance/transactions',
  summary: 'List transactions',
  query: TransactionQuery,
  response: { 200: envelope(TransactionList) },
});

export const requestTopUp = endpoint({
  method: 'POST',
  path: '/finance/top_up',
  summary: 'Ask for funds',
  body: TopUpInput,
  response: { 201: envelope(Transaction) },
});
