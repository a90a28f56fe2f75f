import { forecastAdset } from '@bidwell/contract/insight/forecast-endpoints';
import type { ForecastInput } from '@bidwell/contract/insight/forecast';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api } from '../../lib/api/api-client.ts';

/** The market changes slowly against the time in which a form is filled in. */
const STALE_MS = 60_000;

/** The forecast of an ad set for a day; null while the form is incomplete. */
export const forecastQuery = (input: ForecastInput | null) =>
  queryOptions({
    queryKey: ['forecast', input],
    queryFn: () => api.call(forecastAdset, { body: input! }),
    enabled: input !== null,
    placeholderData: keepPreviousData,
    staleTime: STALE_MS,
  });
