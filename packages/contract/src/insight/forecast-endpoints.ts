import { z } from 'zod';
import { Adset, AdsetInput } from '../adsets/schema.ts';
import { endpoint, limited, missing } from '../lib/endpoint.ts';
import { Forecast, ForecastInput } from './forecast.ts';
import { envelope } from '../lib/wire.ts';
import { CountryCodes } from '../reference/country-codes.ts';

export const forecastAdset = endpoint('POST /adset/forecast', {
  companyPermission: 'report.read',
  summary: 'Forecast what an ad set would get a day, without saving it',
  body: ForecastInput,
  // An ad set as it would be saved, or as it was read.
  ignored: z.object({ ...Adset.shape, ...AdsetInput.shape }),
  response: { 200: envelope(Forecast), ...limited, ...missing },
});

export const listSeenCities = endpoint('GET /seen_cities', {
  companyPermission: 'target.read',
  summary: 'List the cities that most bid requests of the last week name',
  query: z.object({ countries: CountryCodes }),
  response: {
    200: envelope(
      z.object({
        /** As targets name them, such as DE:Berlin, the most frequent first; empty where the server does not forecast. */
        cities: z.array(z.string()),
        /** Whether the sample of bid requests is still read after a start: further cities may follow. */
        is_loading: z.boolean(),
      }),
    ),
  },
});
