import type { Forecast } from '@bidwell/contract/insight/forecast';
import { median } from '@bidwell/contract/lib/statistics';
import { FORECAST_METHOD } from '../../../delivery/public.ts';
import type { Context } from '../../../context.ts';
import type { Owner } from '../../../platform/actor.ts';
import { type ComparedForecast, type ComparedRange, lastCompared } from './history-store.ts';
import { isInside, wideningOf } from './widening.ts';

/** Forecasts of a company that its record counts. */
const RECORD_MAX = 30;

/** How well the company's last forecasts held, and by how much the ranges of the next are widened for it. */
export interface RecordedForecasts {
  /** Null while none is compared. */
  record: Forecast['record'];
  widening: Readonly<Record<keyof ComparedForecast, number>>;
}

/** Reads how well the company's last forecasts held. */
export async function forecastRecord(
  { db }: Pick<Context, 'db'>,
  { companyId }: Owner,
): Promise<RecordedForecasts> {
  const compared = await lastCompared(db, companyId, { method: FORECAST_METHOD, limit: RECORD_MAX });
  const impressions = compared.map((one) => one.impressions);
  const widening = {
    impressions: wideningOf(impressions),
    spend: wideningOf(compared.map(({ spend }) => spend)),
    installs: wideningOf(compared.map(({ installs }) => installs)),
  };
  const error = median(impressions.map(errorPercent));
  if (error === null) return { record: null, widening };
  const record = {
    compared: compared.length,
    inside: impressions.filter(isInside).length,
    median_error_percent: Math.round(error),
    widened_by: Math.round(10 * widening.impressions) / 10,
  };
  return { record, widening };
}

/** The difference between the actual figure and the estimate, in percent of the estimate. */
function errorPercent({ about, actual }: ComparedRange): number {
  return (100 * Math.abs(actual - about)) / Math.max(about, 1);
}
