import * as endpoints from '@bidwell/contract/approvals/endpoints';
import type { Context } from '../../../context.ts';
import { dataRoute, named } from '../../../platform/http/data-route.ts';
import type { Http } from '../../../platform/http/server.ts';
import { createRoute } from '../../../platform/idempotency/create-route.ts';
import { getApprovalLimits, setApprovalLimits } from './budget-approval.ts';
import { approve, listApprovals, reject, requestApproval, withdraw } from './service.ts';

/** Registers the calls on approvals of budgets. */
export function registerApprovals(http: Http, ctx: Context): void {
  dataRoute(http, ctx, endpoints.readApprovalLimits, getApprovalLimits);
  dataRoute(http, ctx, endpoints.setApprovalLimits, setApprovalLimits);
  dataRoute(http, ctx, endpoints.listApprovals, named('approvals', listApprovals));
  createRoute(http, ctx, endpoints.requestApproval, requestApproval);
  dataRoute(http, ctx, endpoints.approve, approve);
  dataRoute(http, ctx, endpoints.reject, reject);
  dataRoute(http, ctx, endpoints.withdraw, withdraw);
}
