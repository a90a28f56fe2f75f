import { addDays, dateAt, startOfDayMs } from '@bidwell/contract/lib/calendar';
import { FORECAST_METHOD, type Forecaster } from '../../../delivery/public.ts';
import type { EntityChange, Context } from '../../../context.ts';
import { DomainError } from '../../../platform/errors.ts';
import { type RepeatingJob, repeat } from '../../../platform/jobs/repeat.ts';
import { campaignOf } from '../../campaigns/public.ts';
import { saveForecast } from './forecast-history.ts';
import { forecastOfSaved } from './forecast-adset.ts';

/** Stores a forecast of each ad set that is saved in this process, and of those whose campaign starts. */
export interface ForecastRecorder extends RepeatingJob {
  /** Called after each committed change of an entity; returns at once. */
  changed(change: EntityChange): void;
}

/** Interval between two forecasts, so that those after a bulk edit leave room for everything else. */
const EVERY_MS = 500;
/** Ad sets and campaigns that wait, of one company and of all; further ones are not forecast. */
const WAITING_MAX_EACH = 200;
const WAITING_MAX = 5000;

/** Starts to forecast saved ad sets in the background, the companies in turn. */
export function startForecastRecorder(deps: { ctx: Context; forecaster: Forecaster }): ForecastRecorder {
  const { ctx, forecaster } = deps;
  const waiting = new Waiting();
  const job = repeat(EVERY_MS, 'forecast saved ad sets', ctx.log, async () => {
    if (waiting.size === 0 || !forecaster.isReady()) return;
    const { companyId, entity, uuid } = waiting.next()!;
    try {
      if (entity === 'adset') return await recordForecast(deps, companyId, uuid);
      const { adsets } = await campaignOf(ctx, { companyId }, uuid);
      for (const adset of adsets) waiting.add(companyId, 'adset', adset.uuid);
    } catch (err) {
      // Ad sets that were deleted since, or that lack a price, are not forecast.
      if (!(err instanceof DomainError))
        ctx.log.warn({ err, entity, uuid }, 'an ad set could not be forecast');
    }
  });
  return {
    changed({ companyId, entity, uuid, action }) {
      if (entity === 'adset' && action !== 'delete') waiting.add(companyId, entity, uuid);
      // Its ad sets may have been saved without money, so that a day without spend was forecast.
      if (entity === 'campaign' && action === 'start') waiting.add(companyId, entity, uuid);
    },
    stop: () => job.stop(),
  };
}

type Forecastable = 'adset' | 'campaign';

/** Ad sets that wait to be forecast, and campaigns whose ad sets do, each once. */
class Waiting {
  readonly #byCompany = new Map<string, Map<string, Forecastable>>();
  size = 0;

  add(companyId: string, entity: Forecastable, uuid: string): void {
    const own = this.#byCompany.get(companyId) ?? new Map<string, Forecastable>();
    if (own.has(uuid) || own.size >= WAITING_MAX_EACH || this.size >= WAITING_MAX) return;
    own.set(uuid, entity);
    this.#byCompany.set(companyId, own);
    this.size += 1;
  }

  /** Takes the next one, of the company whose turn it is; null if none waits. */
  next(): { companyId: string; entity: Forecastable; uuid: string } | null {
    for (const [companyId, own] of this.#byCompany) {
      const [first] = own;
      this.#byCompany.delete(companyId);
      if (!first) continue;
      const [uuid, entity] = first;
      own.delete(uuid);
      this.size -= 1;
      // Last in the map: the other companies come first.
      if (own.size > 0) this.#byCompany.set(companyId, own);
      return { companyId, entity, uuid };
    }
    return null;
  }
}

/** Stores the forecast of an ad set for the company's next day, the first whole one since it was saved. */
async function recordForecast(
  deps: { ctx: Context; forecaster: Forecaster },
  companyId: string,
  uuid: string,
): Promise<void> {
  const { db, now } = deps.ctx;
  const madeAt = now();
  const made = await forecastOfSaved(deps, { companyId }, uuid);
  if (!made) return;
  const { result, timeZone } = made;
  const { impressions, spendMicros, installs } = result;
  const day = addDays(dateAt(madeAt.getTime(), timeZone), 1);
  await saveForecast(db, {
    company_uuid: companyId,
    adset_uuid: uuid,
    starts_at: new Date(startOfDayMs(day, timeZone)),
    ends_at: new Date(startOfDayMs(addDays(day, 1), timeZone)),
    method: FORECAST_METHOD,
    made_at: madeAt,
    impressions: impressions.about,
    impressions_low: impressions.low,
    impressions_high: impressions.high,
    spend_micros: Math.round(spendMicros.about),
    spend_low_micros: Math.round(spendMicros.low),
    spend_high_micros: Math.round(spendMicros.high),
    installs: installs.about,
    installs_low: installs.low,
    installs_high: installs.high,
  });
}
