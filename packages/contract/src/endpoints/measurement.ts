import { endpoint, limited, missing } from '../endpoint.ts';
import { Measurement, MeasurementQuery } from '../measurement.ts';
import { envelope } from '../wire.ts';

export const readMeasurement = endpoint({
  method: 'GET',
  path: '/measurement',
  summary: 'Read what became of clicks and postbacks, by measurement partner and tracking link',
  query: MeasurementQuery,
  response: { 200: envelope(Measurement), ...missing, ...limited },
});
