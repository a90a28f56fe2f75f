import * as endpoints from '@bidwell/contract/approvals/endpoints';
import type { Context } from '../../../context.ts';
import { dataRoute } from '../../../platform/http/data-route.ts';
import type { Http } from '../../../platform/http/server.ts';
import { createRoute } from '../../../platform/idempotency/create-route.ts';
import { getApprovalLimits, setApprovalLimits } from './budget-approval.ts';
import { approve, listApprovals, reject, requestApproval, withdraw } from './service.ts';

/** Registers the calls on approvals of budgets. */
export function registerApprovals(http: Http, ctx: Context): void {
  dataRoute(http, ctx, endpoints.readApprovalLimits, getApprovalLimits);
  dataRoute(http, ctx, endpoints.setApprovalLimits, setApprovalLimits);
  dataRoute(http, ctx, endpoints.listApprovals, async (_, actor) => ({
    approvals: await listApprovals(ctx, actor),
  }));
  createRoute(http, ctx, endpoints.requestApproval, requestApproval);
  dataRoute(http, ctx, endpoints.approve, async (_, actor, { uuid, ...body }) =>
    approve(ctx, actor, uuid, body),
  );
  dataRoute(http, ctx, endpoints.reject, async (_, actor, { uuid, ...body }) =>
    reject(ctx, actor, uuid, body),
  );
  dataRoute(http, ctx, endpoints.withdraw, async (_, actor, { uuid }) => withdraw(ctx, actor, uuid));
}
