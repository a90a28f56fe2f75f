import { NEXT_CURSOR } from '@bidwell/contract/bid-log/schema';
import * as endpoints from '@bidwell/contract/campaign-reports/endpoints';
import type { Context } from '../../../context.ts';
import { actorOf } from '../../../platform/http/auth/auth.ts';
import { route } from '../../../platform/http/route.ts';
import type { Http } from '../../../platform/http/server.ts';
import { type ExportQueue, type ReportQueue, reportRoute } from '../../reporting/public.ts';
import { exportBids, listBids } from './service.ts';

/** Registers the list of bids and its export, which wait in the queues of reports and of exports. */
export function registerBidLog(
  http: Http,
  ctx: Context,
  queues: { reports: ReportQueue; exports: ExportQueue },
): void {
  reportRoute(http, queues.reports, endpoints.listBids, async (actor, query) => listBids(ctx, actor, query));
  route(http, endpoints.exportBids, queues.exports.options, async (request, reply) => {
    const { start_date, end_date, format } = request.query;
    const file = { name: `bids-${start_date}-${end_date}`, format };
    return queues.exports.send(request, reply, file, async () => {
      const { parts, next } = await exportBids(ctx, actorOf(request), request.query);
      if (next !== null) reply.header(NEXT_CURSOR, next);
      return parts;
    });
  });
}
