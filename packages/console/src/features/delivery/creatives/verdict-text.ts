import {
  type ComparedMetric,
  type CreativeComparison,
  DAYS_LEFT_MAX,
  type Verdict,
} from '@bidwell/contract/campaign-reports/creatives';
import { formatPercent } from '../../../lib/format/format.ts';

/** What the comparison of the creatives of a format says, as sentences. Pure. */
export function verdictText(
  verdict: Verdict,
  { leader, count, metric }: { leader: string; count: number; metric: ComparedMetric },
): string {
  if (verdict.outcome === 'none') {
    if (count < 2) return 'There is no other creative of this format to compare it with.';
    return metric === 'ctr' ? 'There are no clicks to compare yet.' : 'There are no installs to compare yet.';
  }
  const probability = probabilityText(verdict.probability);
  if (verdict.outcome === 'best') return `${leader} is the best with a probability of ${probability}.`;
  return `Not enough data yet: ${remainingText(verdict)}. ${leader} leads with a probability of ${probability}.`;
}

function remainingText({ days_left: days, has_traffic: hasTraffic }: Verdict & { outcome: 'not_enough' }) {
  if (!hasTraffic) return 'there were no impressions in the last 24 hours';
  if (days === null) return `more than ${DAYS_LEFT_MAX} more days, the rates are too close`;
  return `about ${days} more ${days === 1 ? 'day' : 'days'}`;
}

/** A probability in whole percent, never 0 or 100. Pure. */
export function probabilityText(probability: number): string {
  if (probability < 0.005) return '< 1%';
  if (probability > 0.995) return '> 99%';
  return formatPercent(probability * 100, 0);
}

const typeNames = { Banner: 'Banners', Native: 'Native', Playable: 'Playables', Video: 'Videos' } as const;

/** `Banners 320×50`, or the creative type. Pure. */
export function formatName({ type, format }: Pick<CreativeComparison, 'type' | 'format'>): string {
  return format === null ? typeNames[type] : `${typeNames[type]} ${format.replace('x', '×')}`;
}
