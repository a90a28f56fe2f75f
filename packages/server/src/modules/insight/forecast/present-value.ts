import type { ForecastValue as PresentedValue } from '@bidwell/contract/insight/forecast';
import { LEARNED_CONVERSIONS } from '@bidwell/contract/insight/delivery-report';
import { toDollars } from '@bidwell/contract/lib/money';
import type { ForecastValue } from '../../../delivery/public.ts';

/** By which an average of amounts is less certain than one of events, since people pay different ones: docs/delivery.md. */
const REVENUE_ERROR = 2;

/** What an install is worth to an ad set as the API says it; `isRevenue`: of Target ROAS. */
export function presentValue(
  { installMicros, perInstall, people }: ForecastValue,
  isRevenue: boolean,
): PresentedValue {
  const error = (100 / Math.sqrt(people)) * (isRevenue ? REVENUE_ERROR : 1);
  return {
    install_price: significant(toDollars(installMicros)),
    per_install: significant(isRevenue ? toDollars(perInstall) : perInstall),
    source: people > 0 ? 'learned' : 'assumed',
    conversions: people,
    needed: LEARNED_CONVERSIONS,
    expected_error_percent: people > 0 ? Math.round(error * 10) / 10 : null,
  };
}

/** Three significant digits: no forecast is more exact. */
const significant = (value: number): number => Number(value.toPrecision(3));
