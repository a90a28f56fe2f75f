/** Interface of measurement for other parts of the server. */
export { registerMeasurement, registerConversionValues, registerPostbackReports } from './routes.ts';
export { measurementJobs } from './jobs.ts';
