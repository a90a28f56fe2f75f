import { ForecastInput } from '@bidwell/contract/insight/forecast';
import type { AdsetValues } from './adset-values.ts';

/** The input of a forecast for an ad set, of which `uuid` is null if it is new; null while it lacks something. Pure. */
export function forecastInput(values: AdsetValues, uuid: string | null): ForecastInput | null {
  if (values.algo === 'Target CPI' && !values.bet_cpi) return null;
  const { data } = ForecastInput.safeParse({ ...values, uuid });
  return data ?? null;
}
