import { apiMessages } from '@bidwell/contract/text/messages';
import { API_TOKEN_LIMITS } from '@bidwell/contract/accounts/api-token';
import { NEXT_CURSOR } from '@bidwell/contract/bid-log/schema';
import * as endpoints from '@bidwell/contract/reports/endpoints';
import { exportBids as exportBidsCall } from '@bidwell/contract/campaign-reports/endpoints';
import { forecastAdset } from '@bidwell/contract/insight/forecast-endpoints';
import { reconcileSpend } from '@bidwell/contract/finance/endpoints';
import type { StatementQuery } from '@bidwell/contract/finance/schema';
import type { Reconciliation } from '@bidwell/contract/finance/reconciliation';
import type { Forecast, ForecastInput } from '@bidwell/contract/insight/forecast';
import rateLimit from '@fastify/rate-limit';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Readable } from 'node:stream';
import type { Engines } from '../../context.ts';
import type { Actor } from '../../platform/actor.ts';
import { actorOf } from '../../platform/http/auth.ts';
import { goneSignal } from '../../platform/http/gone-signal.ts';
import { limitTo } from '../../platform/http/rate-limit.ts';
import { route } from '../../platform/http/route.ts';
import { sendJson } from '../../platform/http/send-json.ts';
import type { Http } from '../../platform/http/server.ts';
import type { FairQueue } from '../../platform/concurrency/fair-queue.ts';
import { fairQueue } from '../../platform/concurrency/fair-queue.ts';
import { runYielding } from '../../platform/concurrency/yielding.ts';
import { exportBids } from '../bid-log/service.ts';
import type { Queued } from '../campaign-reports/routes.ts';
import { registerCampaignReports } from '../campaign-reports/routes.ts';
import type { FindingCalls } from '../insight/routes.ts';
import { registerFindings } from '../insight/routes.ts';
import { companyDelivery } from '../insight/delivery-report/company-delivery.ts';
import { deliveryReport } from '../insight/delivery-report/delivery-report.ts';
import type { Export } from './export.ts';
import { exportEvents, exportReport } from './export.ts';
import { levelReport } from './level-report.ts';
import { exportQueueLimits, reportQueueLimits } from './report-limits.ts';
import { reportJson } from './tree.ts';
import { bundleReport, highlights } from './service.ts';

/** Calls of other modules that wait in the queue of reports. */
interface QueuedCalls extends FindingCalls {
  /** Compares the spend of a user's company in reports, ledger and event log. */
  reconcileSpend: (actor: Actor, query: StatementQuery) => Promise<Reconciliation>;
  forecastOf: (actor: Actor, input: ForecastInput) => Promise<Forecast>;
}

/** Registers the calls on reports. Reports and exports wait in fair queues, one each. */
export async function registerAnalytics(http: Http, engines: Engines, calls: QueuedCalls): Promise<void> {
  await http.register(rateLimit, { global: false });
  registerReports(http, engines, calls);
  registerExports(http, engines);
}

function registerReports(http: Http, engines: Engines, calls: QueuedCalls): void {
  const options = tokenRoute(http, 'reports', API_TOKEN_LIMITS.reportsPerMinute);
  const queue = fairQueue(reportQueueLimits(engines.config), 'reports');
  const queued: Queued = (request, reply, asked, ask) =>
    queue.run(actorOf(request).companyId, ask, {
      // Pages of one company that are open at once send the same query.
      key: `${request.routeOptions.url} ${JSON.stringify(asked)}`,
      signal: goneSignal(reply),
    });

  route(
    http,
    endpoints.readHighlights,
    async (request, reply) => {
      const ask = () => highlights(engines, actorOf(request), request.query);
      return { data: await queued(request, reply, request.query, ask) };
    },
    options,
  );
  route(
    http,
    endpoints.reportByBundle,
    async (request, reply) => {
      const ask = () => bundleReport(engines, actorOf(request), request.body);
      return { data: await queued(request, reply, request.body, ask) };
    },
    options,
  );
  route(
    http,
    endpoints.reportByLevels,
    async (request, reply) => {
      const text = await queued(request, reply, request.body, async () =>
        runYielding(reportJson(await levelReport(engines, actorOf(request), request.body))),
      );
      return sendJson(reply, text);
    },
    options,
  );
  route(
    http,
    endpoints.readDelivery,
    async (request, reply) => {
      const { uuid } = request.params;
      const ask = () => deliveryReport(engines, actorOf(request), uuid, request.query);
      return { data: await queued(request, reply, { uuid, ...request.query }, ask) };
    },
    options,
  );
  route(
    http,
    endpoints.readCompanyDelivery,
    async (request, reply) => {
      const ask = () => companyDelivery(engines, actorOf(request), request.query);
      return { data: await queued(request, reply, request.query, ask) };
    },
    options,
  );
  route(
    http,
    forecastAdset,
    async (request, reply) => {
      const ask = () => calls.forecastOf(actorOf(request), request.body);
      return { data: await queued(request, reply, request.body, ask) };
    },
    options,
  );
  route(
    http,
    reconcileSpend,
    async (request, reply) => {
      const ask = () => calls.reconcileSpend(actorOf(request), request.query);
      return { data: await queued(request, reply, request.query, ask) };
    },
    options,
  );
  registerFindings(http, calls, queued, options);
  registerCampaignReports(http, engines, queued, options);
}

function registerExports(http: Http, engines: Engines): void {
  const options = tokenRoute(http, 'exports', API_TOKEN_LIMITS.exportsPerMinute);
  const queue = exportQueue(fairQueue(exportQueueLimits(engines.config), 'exports'));
  route(
    http,
    endpoints.exportReport,
    async (request, reply) => {
      const { start_date, end_date } = request.body;
      const { companyId } = actorOf(request);
      const lines = await queue.open(companyId, reply, () =>
        exportReport(engines, actorOf(request), request.body),
      );
      return sendFile(reply, 'text/csv; charset=utf-8', `report-${start_date}-${end_date}.csv`, lines);
    },
    options,
  );
  route(
    http,
    endpoints.exportEvents,
    async (request, reply) => {
      const { date, format } = request.query;
      const { companyId } = actorOf(request);
      const bytes = await queue.open(companyId, reply, () =>
        exportEvents(engines, actorOf(request), request.query),
      );
      const type = format === 'csv' ? 'text/csv; charset=utf-8' : endpoints.PARQUET;
      return sendFile(reply, type, `events-${date}.${format}`, bytes);
    },
    options,
  );
  route(
    http,
    exportBidsCall,
    async (request, reply) => {
      const { start_date, end_date, format } = request.query;
      const { companyId } = actorOf(request);
      const bytes = await queue.open(companyId, reply, async () => {
        const { parts, next } = await exportBids(engines, actorOf(request), request.query);
        if (next !== null) reply.header(NEXT_CURSOR, next);
        return parts;
      });
      const type = format === 'csv' ? 'text/csv; charset=utf-8' : endpoints.PARQUET;
      return sendFile(reply, type, `bids-${start_date}-${end_date}.${format}`, bytes);
    },
    options,
  );
}

/** Route options that admit API tokens, each limited to `max` calls a minute. Signed-in users are not limited. */
function tokenRoute(http: Http, what: string, max: number) {
  const limit = limitTo(
    http,
    { max, timeWindow: 60_000, keyGenerator: (request) => `${what}:${actorOf(request).sessionId}` },
    apiMessages.apiTokenRate(max, what),
  );
  return {
    config: { admits: 'api-token' as const, isRead: true },
    onRequest: async (request: FastifyRequest) => {
      if (actorOf(request).apiToken) await limit(request);
    },
  };
}

/** Opens exports in the order of the queue. An export occupies its slot until the connection closes. */
function exportQueue(queue: FairQueue) {
  return {
    async open<Part extends string | Uint8Array>(
      companyId: string,
      reply: FastifyReply,
      make: () => Promise<Export<Part>>,
    ): Promise<AsyncIterable<Part>> {
      const done = await queue.enter(companyId, goneSignal(reply));
      // Also released when the connection closes before the first part is read.
      reply.raw.once('finish', done).once('close', done);
      const parts = await make();
      // Ends the query even if nothing was read.
      const end = () => void parts.return().catch(() => {});
      if (reply.raw.destroyed) end();
      else reply.raw.once('close', end);
      return parts;
    },
  };
}

/** An export is aborted when the client reads nothing for this long, because it occupies a slot of the queue. */
const STALL_MS = 60_000;

async function* readInTime<Part>(content: AsyncIterable<Part>, giveUp: () => void): AsyncGenerator<Part> {
  for await (const part of content) {
    const stalled = setTimeout(giveUp, STALL_MS);
    try {
      yield part;
    } finally {
      clearTimeout(stalled);
    }
  }
}

/** Streams a file that is generated while it is sent. On failure the response is cut off without an end. */
function sendFile(
  reply: FastifyReply,
  type: string,
  name: string,
  content: AsyncIterable<string | Uint8Array>,
): FastifyReply {
  const giveUp = () => stream.destroy(new Error('An export was not read in time'));
  const stream = Readable.from(readInTime(content, giveUp), { objectMode: false });
  return reply
    .headers({
      'content-type': type,
      'content-disposition': `attachment; filename="${name}"`,
      'cache-control': 'no-store',
    })
    .send(stream);
}
