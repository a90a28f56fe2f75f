import { readMeasurement } from '@bidwell/contract/measurement/endpoints';
import type { Context } from '../../context.ts';
import type { Http } from '../../platform/http/server.ts';
import type { ReportQueue } from '../reports/report-queue.ts';
import { reportRoute } from '../reports/report-route.ts';
import { measurementReport } from './service.ts';

/** Registers the report of how clicks and postbacks were measured, which waits in the queue of reports. */
export function registerMeasurement(http: Http, ctx: Context, queue: ReportQueue): void {
  reportRoute(http, queue, readMeasurement, async (actor, query) => measurementReport(ctx, actor, query));
}
