import * as endpoints from '@bidwell/contract/approvals/endpoints';
import type { Context } from '../../../context.ts';
import { actorOf } from '../../../platform/http/auth/auth.ts';
import { route } from '../../../platform/http/route.ts';
import type { Http } from '../../../platform/http/server.ts';
import { created } from '../../../platform/idempotency/idempotency.ts';
import { getApprovalLimits, setApprovalLimits } from './budget-approval.ts';
import { approve, listApprovals, reject, requestApproval, withdraw } from './service.ts';

/** Registers the calls on approvals of budgets. */
export function registerApprovals(http: Http, ctx: Context): void {
  route(http, endpoints.readApprovalLimits, async (request) => ({
    data: await getApprovalLimits(ctx, actorOf(request)),
  }));
  route(http, endpoints.setApprovalLimits, async (request) => ({
    data: await setApprovalLimits(ctx, actorOf(request), request.body),
  }));
  route(http, endpoints.listApprovals, async (request) => ({
    data: { approvals: await listApprovals(ctx, actorOf(request)) },
  }));
  route(http, endpoints.requestApproval, async (request, reply) =>
    created(ctx, request, reply, () => requestApproval(ctx, actorOf(request), request.body)),
  );
  route(http, endpoints.approve, async (request) => ({
    data: await approve(ctx, actorOf(request), request.params.uuid, request.body),
  }));
  route(http, endpoints.reject, async (request) => ({
    data: await reject(ctx, actorOf(request), request.params.uuid, request.body),
  }));
  route(http, endpoints.withdraw, async (request) => ({
    data: await withdraw(ctx, actorOf(request), request.params.uuid),
  }));
}
