/** What other parts of the server use of measurement. */
export { registerMeasurement, registerConversionValues, registerPostbackReports } from './routes.ts';
export { measurementJobs } from './jobs.ts';
