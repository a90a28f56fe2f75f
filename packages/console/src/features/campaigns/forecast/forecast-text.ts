import type { DayForecast, Forecast, ForecastRange } from '@bidwell/contract/insight/forecast';
import { peopleOfGoal } from '@bidwell/contract/text/learning-text';
import type { AdsetValues } from '../adset-form/adset-values.ts';
import { formatMoney, formatNumber, formatPercent } from '../../../lib/format/format.ts';

/** An estimate with its range, such as `4 400 (3 900–5 000)`. */
export function rangeText({ about, low, high }: ForecastRange, format: (value: number) => string): string {
  const [from, to] = [format(low), format(high)];
  return from === to ? format(about) : `${format(about)} (${from}–${to})`;
}

/** A number of events: small ones with a decimal place. */
export function countText(value: number): string {
  return formatNumber(value, value > 0 && value < 10 && !Number.isInteger(value) ? 1 : 0);
}

/** A share as whole percents. */
export function percentText(share: number): string {
  return share > 0 && share < 0.01 ? 'less than 1%' : formatPercent(share * 100, 0);
}

const LIMITS: Readonly<Record<NonNullable<DayForecast['limited_by']>, string>> = {
  daily_budget: 'The daily budget runs out during the day: a larger one would get more.',
  total_budget: 'The rest of the total budget runs out during the day.',
  balance: 'The balance runs out during the day: add funds to get more.',
  country_budget: 'The daily budget of a country runs out during the day: a larger one would get more.',
};

const NOTHING: Readonly<Record<NonNullable<DayForecast['nothing_because']>, string>> = {
  daily_budget: 'Nothing is expected, since the daily budget is too small to be spent.',
  total_budget: 'Nothing is expected, since nothing is left of the total budget.',
  balance: 'Nothing is expected, since there is no balance: add funds.',
  unmatched:
    'Nothing is expected: none of the sampled requests of the last 7 days matches the target and the lists of publishers, with a placement that a creative fits. Widen the target, or add creatives of other sizes and formats.',
  audiences:
    'Nothing is expected: the audiences leave out the people of all matching requests of the sample.',
  audience_empty:
    'Nothing is expected: an audience that the ad set includes has no people yet. It makes no bids until the audience has some.',
  audience_contradiction:
    'Nothing is expected: all audiences of a group that is included are left out too, by the ad set, its target, or the choice to leave out people who have the app. No bid can match.',
  no_ids:
    'Nothing is expected: no matching request of the sample says who the person is, and the ad set skips people without an id.',
  floor:
    'Nothing is expected: the floors of all matching requests are above what an impression is worth at this price. The curve shows where that changes.',
  own_adsets:
    'Nothing is expected: other ad sets of your company bid more on all matching requests. They compete for the same impressions.',
  outbid: 'Nothing is expected: bids at this price win next to none of the matching requests.',
};

/** Why nothing is expected, or what limits a day, in a sentence; null if nothing does. Pure. */
export function limitText({ limited_by: limit, nothing_because: nothing }: DayForecast): string | null {
  if (nothing) return NOTHING[nothing];
  return limit && LIMITS[limit];
}

/** The part of a range of requests. Pure. */
export const shareOfRange = ({ about, low, high }: ForecastRange, share: number): ForecastRange => ({
  about: about * share,
  low: low * share,
  high: high * share,
});

/** On what a forecast is based, in a sentence. Pure. */
export function basisText({
  sampled_requests: requests,
  bids,
}: Pick<Forecast, 'sampled_requests' | 'bids'>): string {
  return `Based on ${countText(requests)} bid requests that were sampled in the last 7 days, and on how many of ${countText(bids)} bids won that this platform sent in them, for all its ad sets.`;
}

/** How many requests frequency caps take away, in a sentence. Pure. */
export function cappedText(share: number): string {
  if (share === 0) return 'Frequency caps take away none of the requests.';
  return `Frequency caps take away ${percentText(share)} of the requests: their people have seen the ads as often as the caps allow.`;
}

/** What the bid wins, in a sentence. */
export function bidText({ curve, day }: Forecast): string {
  if (!curve || !day) return '';
  const { bid } = curve.points[curve.present]!;
  if (day.nothing_because === 'unmatched') return '';
  const what = curve.price === 'bet_cpi' ? ' per install' : '';
  return `At ${formatMoney(bid)}${what} you win ${percentText(day.win_share)} of the matching requests.`;
}

/** The forecast of yesterday with the changes, in a sentence. */
export function whatIfText({ actual, changed }: NonNullable<Forecast['what_if']>): string {
  const was = `Yesterday: ${countText(actual.impressions)} impressions for ${formatMoney(actual.spend)}`;
  return `${was}; with this change it would have been about ${rangeText(changed.impressions, countText)} for ${rangeText(changed.spend, formatMoney)}.`;
}

/** How well the last forecasts held, in a sentence. */
export function recordText({
  compared,
  inside,
  median_error_percent: error,
  widened_by: widenedBy,
}: NonNullable<Forecast['record']>): string {
  const percent = formatPercent(error, 0);
  if (compared === 1)
    return `Your last forecast was ${inside === 1 ? 'within' : 'outside'} its range; the error was ${percent}.`;
  const held =
    inside === 0
      ? 'none was within its range'
      : inside === 1
        ? '1 was within its range'
        : `${inside} were within their range`;
  const record = `Of your last ${compared} forecasts, ${held}; the median error was ${percent}.`;
  return widenedBy > 1
    ? `${record} The ranges are ${formatNumber(widenedBy, 1)} times as wide because of that.`
    : record;
}

/** The value of an install to an ad set with a value goal, and its basis, in sentences. Pure. */
export function valueText(
  value: NonNullable<Forecast['value']>,
  { algo, goal_event: event, bet_cpi: cpi }: Pick<AdsetValues, 'algo' | 'goal_event' | 'bet_cpi'>,
): string {
  const { source, conversions, needed, revenue_sources: sources } = value;
  const price = formatMoney(value.install_price);
  const isEvent = algo === 'Target CPA';
  const rate = isEvent
    ? `${formatNumber(value.per_install * 100, 1)} people with “${event}” per 100 installs`
    : `a revenue of ${formatMoney(value.per_install)} per install`;
  const people = peopleOfGoal(isEvent ? (event ?? '') : null, sources, conversions === 1);
  if (source === 'assumed') {
    const from = cpi
      ? 'from the cost per install entered'
      : isEvent
        ? ''
        : 'from the CPM bid and usual rates';
    const basis = [rate, from].filter(Boolean).join(', ');
    return `Made from an assumed value of ${price} per install: ${basis}. No ${people} are known for the app in the last 30 days. It is a rough guess until there are about ${needed} in 7 days.`;
  }
  const learned = `Made from a value of ${price} per install: ${rate}, learned from ${formatNumber(conversions)} ${people} in the last 30 days, by all ad sets of the app.`;
  return conversions < needed
    ? `${learned} Below about ${needed} in 7 days it is uncertain, which the ranges include.`
    : `${learned} The ranges include how uncertain it is.`;
}
