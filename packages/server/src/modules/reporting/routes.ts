import * as endpoints from '@bidwell/contract/reports/endpoints';
import type { Context } from '../../context.ts';
import { runYielding } from '../../platform/concurrency/yielding.ts';
import { actorOf } from '../../platform/http/auth/auth.ts';
import { route } from '../../platform/http/route.ts';
import { sendJson } from '../../platform/http/bodies/serializer.ts';
import type { Http } from '../../platform/http/server.ts';
import { exportCohorts, cohortJson } from './cohorts/cohort-export.ts';
import { cohortReport } from './cohorts/cohort-report.ts';
import { type ExportQueue, exportEvents, exportReport } from './export.ts';
import { levelReport } from './level-report.ts';
import { type ReportQueue, reportRoute } from './report-queue.ts';
import { bundleReport, highlights } from './service.ts';
import { reportJson } from './tree.ts';

/** Registers the calls on the counts of a company. */
export function registerReports(http: Http, ctx: Context, queue: ReportQueue): void {
  const { run, options } = queue;
  reportRoute(http, queue, endpoints.readHighlights, async (actor, query) => highlights(ctx, actor, query));
  reportRoute(http, queue, endpoints.reportByBundle, async (actor, query) => bundleReport(ctx, actor, query));
  route(http, endpoints.reportByCohorts, options, async (request, reply) => {
    const text = await run(request, reply, request.body, async () =>
      runYielding(cohortJson(await cohortReport(ctx, actorOf(request), request.body))),
    );
    return sendJson(reply, text);
  });
  route(http, endpoints.reportByLevels, options, async (request, reply) => {
    const text = await run(request, reply, request.body, async () =>
      runYielding(reportJson(await levelReport(ctx, actorOf(request), request.body))),
    );
    return sendJson(reply, text);
  });
}

/** Registers the exports of a report and of the events of a day. */
export function registerExports(http: Http, ctx: Context, { send, options }: ExportQueue): void {
  route(http, endpoints.exportReport, options, async (request, reply) => {
    const { start_date, end_date } = request.body;
    const file = { name: `report-${start_date}-${end_date}`, format: 'csv' } as const;
    return send(request, reply, file, () => exportReport(ctx, actorOf(request), request.body));
  });
  route(http, endpoints.exportCohorts, options, async (request, reply) => {
    const { start_date, end_date, format } = request.body;
    const file = { name: `cohorts-${start_date}-${end_date}`, format };
    return send(request, reply, file, () => exportCohorts(ctx, actorOf(request), request.body));
  });
  route(http, endpoints.exportEvents, options, async (request, reply) => {
    const { date, format } = request.query;
    const file = { name: `events-${date}`, format };
    return send(request, reply, file, () => exportEvents(ctx, actorOf(request), request.query));
  });
}
