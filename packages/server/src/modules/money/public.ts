/** Interface of money for other parts of the server. */
export { lastLedgerCheck, reconcileLedger } from './ledger-check.ts';
export { invoiceMails } from './invoices/invoice-mail.ts';
export { issueCreditNote, issueInvoice } from './invoices/issue.ts';
export { registerInvoices } from './invoices/routes.ts';
export { sendInvoice, downloadCompanyInvoice, listCompanyInvoices } from './invoices/service.ts';
export {
  changeInvoiceSettings,
  listInvoiceRates,
  putInvoiceRate,
  readCompanyBilling,
  readInvoiceSettings,
} from './invoices/settings.ts';
export { changePaymentInstructions, readPaymentInstructionsAsOperator } from './payment-instructions.ts';
export { spendPosting } from './posting.ts';
export { readRevenue, readStatement } from './statement.ts';
export { registerFinance, registerReconciliation } from './routes.ts';
export {
  availableMicros,
  balanceMicrosOf,
  balanceMicrosOfAll,
  changeCreditLimit,
  companiesBelowZero,
  creditCompany,
  debitCompany,
  decideTopUp,
  fundsOfAll,
  listTransactions,
  pendingTopUps,
  readFunds,
  topUpsWaiting,
} from './service.ts';
export { recordCorrections } from './spend-corrections.ts';
export { moneyJobs } from './jobs.ts';
