import { endpoint, limited, missing } from '../lib/endpoint.ts';
import { Forecast, ForecastInput } from './forecast.ts';
import { envelope } from '../lib/wire.ts';

export const forecastAdset = endpoint('POST /adset/forecast', {
  companyPermission: 'report.read',
  summary: 'Forecast what an ad set would get a day, without saving it',
  body: ForecastInput,
  response: { 200: envelope(Forecast), ...limited, ...missing },
});
