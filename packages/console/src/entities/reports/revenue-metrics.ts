import { addDays } from '@bidwell/contract/lib/calendar';
import { REPORT_METRICS, type ReportMetric } from '@bidwell/contract/reports/metrics';
import { queryOptions } from '@tanstack/react-query';
import { accountQuery } from '../../lib/api/account.ts';
import { staleTimes } from '../../lib/api/query-client.ts';
import { useKnown } from '../../lib/loadable.ts';
import { useToday } from '../../lib/today.ts';
import { levelReport } from './queries.ts';

const DAYS = 30;
const REVENUE_METRICS: readonly ReportMetric[] = ['revenue', 'roas'];
const none: readonly ReportMetric[] = [];

/** Under this key the browser stores the company that had revenue, so that its columns are there from the first moment. */
const KEY = 'bidwell.revenue-of';

/** Whether the company's apps had revenue in the last 30 days. */
const hasRevenueQuery = (companyUuid: string, today: string) =>
  queryOptions({
    queryKey: ['analytics', 'has-revenue', companyUuid, today],
    queryFn: async () => {
      const { total } = await levelReport({
        start_date: addDays(today, 1 - DAYS),
        end_date: today,
        levels: { app: '' },
        metrics: [...REPORT_METRICS, 'revenue'],
      });
      const hasRevenue = total.revenue !== undefined && total.revenue !== null && total.revenue > 0;
      remember(companyUuid, hasRevenue);
      return hasRevenue;
    },
    initialData: () => (isRemembered(companyUuid) ? true : undefined),
    initialDataUpdatedAt: 0,
    staleTime: staleTimes.hour,
  });

/** The metrics of revenue that tables suggest where apps of the company have revenue; none while that is not known. */
export function useRevenueMetrics(): readonly ReportMetric[] {
  const user = useKnown(accountQuery);
  const companyUuid = user?.company.uuid;
  const today = useToday();
  const hasRevenue = useKnown({
    ...hasRevenueQuery(companyUuid ?? '', today),
    enabled: companyUuid !== undefined,
  });
  return hasRevenue === true ? REVENUE_METRICS : none;
}

function remember(companyUuid: string, hasRevenue: boolean): void {
  try {
    if (hasRevenue) localStorage.setItem(KEY, companyUuid);
    else localStorage.removeItem(KEY);
  } catch {
    // Without a storage the columns come once the figure is there.
  }
}

function isRemembered(companyUuid: string): boolean {
  try {
    return localStorage.getItem(KEY) === companyUuid;
  } catch {
    return false;
  }
}
