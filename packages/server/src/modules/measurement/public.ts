/** Interface of measurement for other parts of the server. */
export { costDayMessages, costRoundMessages } from './partner-costs/cost-messages.ts';
export { postbackCopyKind } from './postback-copies/copy-messages.ts';
export {
  registerConversionValues,
  registerCostReports,
  registerMeasurement,
  registerPartnerDeliveries,
  registerPostbackReports,
} from './routes.ts';
export { measurementJobs } from './jobs.ts';
