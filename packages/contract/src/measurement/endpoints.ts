import { endpoint, limited, missing } from '../lib/endpoint.ts';
import { Measurement, MeasurementQuery } from './schema.ts';
import { envelope } from '../lib/wire.ts';

export const readMeasurement = endpoint('GET /measurement', {
  companyPermission: 'report.read',
  summary: 'Read what became of clicks and postbacks, by measurement partner and tracking link',
  query: MeasurementQuery,
  response: { 200: envelope(Measurement), ...missing, ...limited },
});
