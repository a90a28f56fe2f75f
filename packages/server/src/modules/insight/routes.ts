import * as endpoints from '@bidwell/contract/reports/endpoints';
import {
  listCreativeFindings,
  listMainFindings,
  listRankedFindings,
  readFindings,
  readLostRequest,
} from '@bidwell/contract/insight/endpoints';
import { forecastAdset as forecastCall } from '@bidwell/contract/insight/forecast-endpoints';
import type { Context } from '../../context.ts';
import { actorOf } from '../../platform/http/auth/auth.ts';
import { route } from '../../platform/http/route.ts';
import type { Http } from '../../platform/http/server.ts';
import type { ReportQueue } from '../reports/report-queue.ts';
import { companyDelivery } from './delivery-report/company-delivery.ts';
import { deliveryReport } from './delivery-report/delivery-report.ts';
import {
  type DiagnosisDeps,
  creativeFindings,
  findingsOf,
  lostRequest,
  mainFindings,
  rankedFindings,
} from './diagnosis/findings.ts';
import { type ForecastDeps, forecastAdset } from './forecast/forecast-adset.ts';

/** Registers the calls on what campaigns deliver, why not more, and what they would; they wait in the queue of reports. */
export function registerInsight(
  http: Http,
  ctx: Context,
  { market, forecaster }: Pick<DiagnosisDeps, 'market'> & Pick<ForecastDeps, 'forecaster'>,
  queue: ReportQueue,
): void {
  registerDelivery(http, ctx, queue);
  registerFindings(http, { ctx, market }, queue);
  route(
    http,
    forecastCall,
    async (request, reply) => {
      const ask = () => forecastAdset({ ctx, forecaster }, actorOf(request), request.body);
      return { data: await queue.run(request, reply, request.body, ask) };
    },
    queue.options,
  );
}

function registerDelivery(http: Http, ctx: Context, { run, options }: ReportQueue): void {
  route(
    http,
    endpoints.readDelivery,
    async (request, reply) => {
      const { uuid } = request.params;
      const ask = () => deliveryReport(ctx, actorOf(request), uuid, request.query);
      return { data: await run(request, reply, { uuid, ...request.query }, ask) };
    },
    options,
  );
  route(
    http,
    endpoints.readCompanyDelivery,
    async (request, reply) => {
      const ask = () => companyDelivery(ctx, actorOf(request), request.query);
      return { data: await run(request, reply, request.query, ask) };
    },
    options,
  );
}

/** Registers the calls on why campaigns, ad sets and creatives deliver less than they could. */
function registerFindings(http: Http, deps: DiagnosisDeps, { run, options }: ReportQueue): void {
  const { ctx } = deps;
  route(
    http,
    readFindings,
    async (request, reply) => {
      const { uuid } = request.params;
      const ask = () => findingsOf(deps, actorOf(request), uuid, request.query);
      return { data: { findings: await run(request, reply, { uuid, ...request.query }, ask) } };
    },
    options,
  );
  route(
    http,
    readLostRequest,
    async (request, reply) => {
      const { uuid } = request.params;
      const ask = () => lostRequest(deps, actorOf(request), uuid, request.query);
      return { data: { lost: await run(request, reply, { uuid, ...request.query }, ask) } };
    },
    options,
  );
  route(
    http,
    listMainFindings,
    async (request, reply) => {
      const ask = () => mainFindings(ctx, actorOf(request), request.query);
      return { data: { campaigns: await run(request, reply, request.query, ask) } };
    },
    options,
  );
  route(
    http,
    listRankedFindings,
    async (request, reply) => {
      const ask = () => rankedFindings(ctx, actorOf(request), request.query);
      return { data: await run(request, reply, request.query, ask) };
    },
    options,
  );
  route(
    http,
    listCreativeFindings,
    async (request, reply) => {
      const ask = () => creativeFindings(deps, actorOf(request), request.query);
      return { data: { creatives: await run(request, reply, request.query, ask) } };
    },
    options,
  );
}
