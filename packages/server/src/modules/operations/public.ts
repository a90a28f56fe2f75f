/** Interface of operations for other parts of the server. */
export { registerCompanyProfile, registerOperator } from './routes.ts';
export { lastErasureAt } from './device-erasures.ts';
export { warnOfExchangeSettings } from './exchanges/exchanges.ts';
export { operatorAlertMails } from './operator-alerts.ts';
export type { Safety, Waiting } from './health.ts';
export { readSafety, readWaiting } from './health.ts';
export { operationJobs } from './jobs.ts';
