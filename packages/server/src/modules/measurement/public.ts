/** What other parts of the server use of measurement. */
export { registerMeasurement } from './routes.ts';
export { registerConversionValues, registerPostbackReports } from './skadnetwork/routes.ts';
export { measurementJobs } from './jobs.ts';
