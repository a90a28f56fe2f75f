import type { ForecastValue as PresentedValue } from '@bidwell/contract/insight/forecast';
import type { RevenueSource } from '@bidwell/contract/apps/event-settings';
import { LEARNED_CONVERSIONS } from '@bidwell/contract/insight/delivery-report';
import { toDollars } from '@bidwell/contract/lib/money';
import type { ForecastValue } from '../../../delivery/public.ts';

/** What an install is worth to an ad set as the API says it; `sources` are what counts as revenue for Target ROAS, null for an event. */
export function presentValue(
  { installMicros, perInstall, people, error }: ForecastValue,
  sources: readonly RevenueSource[] | null,
): PresentedValue {
  const isRevenue = sources !== null;
  return {
    install_price: significant(toDollars(installMicros)),
    per_install: significant(isRevenue ? toDollars(perInstall) : perInstall),
    source: people > 0 ? 'learned' : 'assumed',
    conversions: people,
    revenue_sources: [...(sources ?? [])],
    needed: LEARNED_CONVERSIONS,
    expected_error_percent: error === null ? null : Math.round(error * 1000) / 10,
  };
}

/** Three significant digits: no forecast is more exact. */
const significant = (value: number): number => Number(value.toPrecision(3));
