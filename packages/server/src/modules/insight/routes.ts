import {
  listCreativeFindings,
  listRankedFindings,
  readCompanyDelivery,
  readDelivery,
  readLostRequest,
} from '@bidwell/contract/insight/endpoints';
import { listMainFindings, readFindings } from '@bidwell/contract/insight/finding-endpoints';
import { forecastAdset as forecastCall, listSeenCities } from '@bidwell/contract/insight/forecast-endpoints';
import type { Context } from '../../context.ts';
import type { Http } from '../../platform/http/server.ts';
import { type ReportQueue, reportRoute } from '../reporting/public.ts';
import { companyDelivery, deliveryReport } from './delivery-report/delivery-report.ts';
import {
  type DiagnosisDeps,
  creativeFindings,
  findingsOf,
  lostRequest,
  mainFindings,
  rankedFindings,
} from './diagnosis/findings.ts';
import { type ForecastDeps, forecastAdset } from './forecast/forecast-adset.ts';
import { seenCities } from './forecast/seen-cities.ts';

/**
 * Registers the endpoints for delivery, diagnosis and forecasts of campaigns. Their calls wait in the queue of reports.
 */
export function registerInsight(
  http: Http,
  ctx: Context,
  { market, forecaster }: Pick<DiagnosisDeps, 'market'> & Pick<ForecastDeps, 'forecaster'>,
  queue: ReportQueue,
): void {
  const deps = { ctx, market };
  reportRoute(http, queue, readDelivery, async (actor, { uuid, ...query }) =>
    deliveryReport(ctx, actor, uuid, query),
  );
  reportRoute(http, queue, readCompanyDelivery, async (actor, query) => companyDelivery(ctx, actor, query));
  reportRoute(http, queue, readFindings, async (actor, { uuid, ...query }) => ({
    findings: await findingsOf(deps, actor, uuid, query),
  }));
  reportRoute(http, queue, readLostRequest, async (actor, { uuid, ...query }) => ({
    lost: await lostRequest(deps, actor, uuid, query),
  }));
  reportRoute(http, queue, listMainFindings, async (actor, query) => mainFindings(ctx, actor, query));
  reportRoute(http, queue, listRankedFindings, async (actor, query) => rankedFindings(ctx, actor, query));
  reportRoute(http, queue, listCreativeFindings, async (actor, query) => ({
    creatives: await creativeFindings(deps, actor, query),
  }));
  reportRoute(http, queue, forecastCall, async (actor, adset) =>
    forecastAdset({ ctx, forecaster }, actor, adset),
  );
  reportRoute(http, queue, listSeenCities, async (actor, query) =>
    seenCities(ctx, actor, { ...query, forecaster }),
  );
}
