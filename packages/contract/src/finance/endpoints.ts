import { endpoint, limited } from '../lib/endpoint.ts';
import {
  AccountStatement,
  Balance,
  PaymentInstructions,
  StatementQuery,
  TopUpInput,
  Transaction,
  TransactionList,
  TransactionQuery,
} from './schema.ts';
import { Reconciliation } from './reconciliation.ts';
import { envelope } from '../lib/wire.ts';

export const readBalance = endpoint('GET /finance/balance', {
  companyPermission: 'money.read',
  summary: 'Read the balance',
  response: { 200: envelope(Balance) },
});

export const listTransactions = endpoint('GET /finance/transactions', {
  companyPermission: 'money.read',
  summary: 'List transactions',
  query: TransactionQuery,
  response: { 200: envelope(TransactionList) },
});

export const readStatement = endpoint('GET /finance/statement', {
  companyPermission: 'money.read',
  summary: 'Read the statement of the balance for a range of days',
  query: StatementQuery,
  response: { 200: envelope(AccountStatement) },
});

export const readPaymentInstructions = endpoint('GET /finance/payment_instructions', {
  companyPermission: 'money.read',
  summary: 'Read how to pay',
  response: { 200: envelope(PaymentInstructions) },
});

export const requestTopUp = endpoint('POST /finance/top_up', {
  companyPermission: 'money.write',
  summary: 'Ask for funds',
  body: TopUpInput,
  response: { 201: envelope(Transaction) },
});

export const reconcileSpend = endpoint('GET /finance/reconciliation', {
  companyPermission: 'report.read',
  summary: 'Compare the spend of reports, ledger and event log',
  query: StatementQuery,
  response: { 200: envelope(Reconciliation), ...limited },
});
