import * as endpoints from '@bidwell/contract/company-overview/endpoints';
import type { Context } from '../../../context.ts';
import { actorOf } from '../../../platform/http/auth/auth.ts';
import { route } from '../../../platform/http/route.ts';
import type { Http } from '../../../platform/http/server.ts';
import type { ReportQueue } from '../../reporting/public.ts';
import { listCompanySummaries } from './service.ts';

/** Registers the overview of a person's companies, which waits in the queue of reports. */
export function registerCompanyOverview(http: Http, ctx: Context, { run, options }: ReportQueue): void {
  route(http, endpoints.listCompanySummaries, options, async (request, reply) => {
    const actor = actorOf(request);
    // Only calls of one session are shared: other users of the company have other companies.
    const key = { sessionId: actor.sessionId };
    const companies = await run(request, reply, key, async (signal) =>
      listCompanySummaries(ctx, actor, signal),
    );
    return { data: { companies } };
  });
}
