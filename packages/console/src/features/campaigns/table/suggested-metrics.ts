import type { ReportMetric } from '@bidwell/contract/reports/metrics';
import { useMemo } from 'react';
import type { Depth } from './open-rows.ts';
import { campaignsQuery } from '../../../entities/campaigns/queries.ts';
import { useKnown } from '../../../lib/loadable.ts';
import { useRevenueMetrics } from '../../../entities/reports/revenue-metrics.ts';

const RETURN_METRICS: readonly ReportMetric[] = ['reattributions'];

/**
 * The metrics that the table of a list suggests: of revenue where apps of the company have revenue, and among campaigns of returns where
 * the company has re-engagement campaigns; none while that is not known. The other lists have no room for more.
 */
export function useSuggestedMetrics(list: Depth): readonly ReportMetric[] {
  const ofRevenue = useRevenueMetrics();
  const campaigns = useKnown(campaignsQuery);
  const hasReturns = list === 'campaign' && campaigns?.some(({ kind }) => kind === 're_engagement') === true;
  return useMemo(() => (hasReturns ? [...ofRevenue, ...RETURN_METRICS] : ofRevenue), [ofRevenue, hasReturns]);
}
