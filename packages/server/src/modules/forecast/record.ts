import type { Forecast } from '@bidwell/contract/forecast';
import { median } from '@bidwell/contract/statistics';
import { FORECAST_METHOD } from '../../delivery/forecast/forecast.ts';
import type { Engines } from '../../engines.ts';
import type { Actor } from '../../platform/actor.ts';
import type { ComparedForecast } from './history-store.ts';
import { lastCompared } from './history-store.ts';

/** Forecasts of a company that its record counts. */
const RECORD_MAX = 30;

/** How well the company's last forecasts held; null while none is compared. */
export async function forecastRecord(
  { db }: Pick<Engines, 'db'>,
  { companyId }: Pick<Actor, 'companyId'>,
): Promise<Forecast['record']> {
  const compared = await lastCompared(db, companyId, { method: FORECAST_METHOD, limit: RECORD_MAX });
  const error = median(compared.map(errorPercent));
  if (error === null) return null;
  return {
    compared: compared.length,
    // Impressions are whole, the limits of a range are not.
    inside: compared.filter(({ actual, low, high }) => actual >= Math.floor(low) && actual <= Math.ceil(high))
      .length,
    median_error_percent: Math.round(error),
  };
}

/** How far the truth was from the estimate, in percent of the estimate. */
function errorPercent({ about, actual }: ComparedForecast): number {
  return (100 * Math.abs(actual - about)) / Math.max(about, 1);
}
