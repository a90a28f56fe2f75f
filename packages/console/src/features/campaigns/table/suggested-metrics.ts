import type { ReportMetric } from '@bidwell/contract/reports/metrics';
import { useMemo } from 'react';
import { campaignsQuery } from '../../../entities/campaigns/queries.ts';
import { useKnown } from '../../../lib/loadable.ts';
import { useRevenueMetrics } from '../../../entities/reports/revenue-metrics.ts';

const RETURN_METRICS: readonly ReportMetric[] = ['reattributions'];

/**
 * The metrics that tables suggest: of revenue where apps of the company have revenue, and of returns where the company has re-engagement
 * campaigns; none while that is not known.
 */
export function useSuggestedMetrics(): readonly ReportMetric[] {
  const ofRevenue = useRevenueMetrics();
  const campaigns = useKnown(campaignsQuery);
  const hasReturns = campaigns?.some(({ kind }) => kind === 're_engagement') === true;
  return useMemo(() => (hasReturns ? [...ofRevenue, ...RETURN_METRICS] : ofRevenue), [ofRevenue, hasReturns]);
}
