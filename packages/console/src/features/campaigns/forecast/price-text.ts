import type { Forecast } from '@bidwell/contract/insight/forecast';
import { formatMoney, formatPercent } from '../../../lib/format/format.ts';
import { PRICE_DAYS, type PresentPrices } from '../../../entities/reports/present-price-queries.ts';
import { bidText, countText, limitText } from './forecast-text.ts';

/** The present prices and win rate, in a sentence. Pure. */
export function presentPricesText({ cpm, cpi, winRate }: PresentPrices, isOfCompany: boolean): string {
  const who = isOfCompany ? 'All ad sets, last' : 'Last';
  if (cpm === null) return `${who} ${PRICE_DAYS} days: no impressions yet.`;
  const parts = [
    `average CPM ${formatMoney(cpm)}`,
    ...(cpi === null ? [] : [`CPI ${formatMoney(cpi)}`]),
    winRate === null
      ? 'win rate not known'
      : `win rate ${formatPercent(winRate)} of the bids with a reported outcome`,
  ];
  return `${who} ${PRICE_DAYS} days: ${parts.join(', ')}.`;
}

/** The forecast of a typed price for a day, in a sentence, or why there is none. Pure. */
export function priceForecastText(forecast: Forecast): string {
  const { message, day } = forecast;
  if (message !== null || !day) return message ?? '';
  if (day.nothing_because) return limitText(day) ?? '';
  return `${bidText(forecast)} A day: about ${countText(day.impressions.about)} impressions for ${formatMoney(day.spend.about)}.`;
}
