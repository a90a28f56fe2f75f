import { readMeasurement } from '@bidwell/contract/measurement/endpoints';
import type { Context } from '../../context.ts';
import { actorOf } from '../../platform/http/auth/auth.ts';
import { route } from '../../platform/http/route.ts';
import type { Http } from '../../platform/http/server.ts';
import type { ReportQueue } from '../reports/report-queue.ts';
import { measurementReport } from './service.ts';

/** Registers the report of how clicks and postbacks were measured, which waits in the queue of reports. */
export function registerMeasurement(http: Http, ctx: Context, { run, options }: ReportQueue): void {
  route(
    http,
    readMeasurement,
    async (request, reply) => {
      const ask = () => measurementReport(ctx, actorOf(request), request.query);
      return { data: await run(request, reply, request.query, ask) };
    },
    options,
  );
}
