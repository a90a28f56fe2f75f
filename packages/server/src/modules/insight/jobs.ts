import type { Context } from '../../context.ts';
import type { LedJob } from '../../platform/jobs/leadership.ts';
import { createHostChecker } from '../../platform/outbound/check-host.ts';
import { checkAlertRules } from './alert-rules/check-rules.ts';
import { checkLastHour } from './anomalies/service.ts';
import { checkPostbacks } from './anomalies/silent-postbacks.ts';
import { checkSpendPlans } from './anomalies/spend-plan.ts';
import { checkTrackingHosts } from './anomalies/tracking-hosts.ts';
import { compareForecasts, deleteOldForecasts } from './forecast/forecast-history.ts';

/** The jobs of anomalies, alert rules and forecasts. */
export function insightJobs(ctx: Context): LedJob[] {
  const checkHost = createHostChecker();
  return [
    { name: 'detect anomalies', everyMs: 60_000, work: () => checkLastHour(ctx), readsEvents: true },
    { name: 'check rules of alerts', everyMs: 60_000, work: () => checkAlertRules(ctx), readsEvents: true },
    {
      name: 'look for silent postbacks',
      everyMs: 600_000,
      work: () => checkPostbacks(ctx),
      readsEvents: true,
    },
    {
      name: 'check hosts of tracking links',
      everyMs: 600_000,
      work: (stopping) => checkTrackingHosts(ctx, checkHost, stopping),
    },
    {
      name: 'compare spend with budgets',
      everyMs: 600_000,
      work: () => checkSpendPlans(ctx),
      readsEvents: true,
    },
    {
      name: 'compare forecasts with what came',
      everyMs: 600_000,
      work: () => compareForecasts(ctx),
      readsEvents: true,
    },
    { name: 'delete old forecasts', everyMs: 3_600_000, work: () => deleteOldForecasts(ctx) },
  ];
}
