/** What other parts of the server use of operations. */
export { registerCompanyProfile } from './companies/company-profile-routes.ts';
export { lastErasureAt } from './device-erasure-store.ts';
export { warnOfExchangeSettings } from './exchanges/exchanges.ts';
export { operatorAlertMails } from './operator-alerts.ts';
export { registerOperator } from './routes.ts';
export type { Safety } from './safety.ts';
export { readSafety } from './safety.ts';
export type { Waiting } from './waiting.ts';
export { readWaiting } from './waiting.ts';
export { operationJobs } from './jobs.ts';
