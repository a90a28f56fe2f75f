import type { CohortReport, PredictionRecord } from '@bidwell/contract/reports/cohorts';
import { formatNumber, formatPercent } from '../../../lib/format/format.ts';

type Forecast = NonNullable<CohortReport['forecast']>;

/** Why nothing is predicted, or what the prediction is and how often it held for past weeks, in sentences. Pure. */
export function forecastText({ message, record }: Forecast): string {
  if (message !== null) return message;
  const compared = record.filter(({ cohorts }) => cohorts > 0);
  return [
    'Dashed: what young cohorts are expected to have by day 30, from the weekly cohorts of the last 180 days, with the range of 80 of 100 cases.',
    ...(compared.length > 0
      ? [...compared.map(recordText), 'A prediction held if the revenue came within its range.']
      : ['No past week can be compared with its prediction yet.']),
  ].join(' ');
}

/** How the predictions for at least one past week held. */
function recordText({ day, cohorts, inside, mean_error_percent: error }: PredictionRecord): string {
  const off = error === null ? '' : `${formatPercent(error, 0)} off`;
  if (cohorts === 1) {
    const held = inside === 1 ? 'held' : 'did not hold';
    return `The prediction made for one past week at day ${day} ${held}${off && `; it was ${off}`}.`;
  }
  const weeks = `made for ${formatNumber(cohorts)} past weeks at day ${day}`;
  return `${heldText(weeks, cohorts, inside)}${off && `; on average they were ${off}`}.`;
}

function heldText(weeks: string, cohorts: number, inside: number): string {
  if (inside === 0) return `None of the predictions ${weeks} held`;
  if (inside === cohorts) return `All predictions ${weeks} held`;
  return `Of the predictions ${weeks}, ${inside === 1 ? 'one' : formatNumber(inside)} held`;
}
