import * as endpoints from '@bidwell/contract/targets/endpoints';
import type { Context } from '../../../context.ts';
import { listRoute } from '../../../platform/http/list-route.ts';
import { dataRoute, named } from '../../../platform/http/data-route.ts';
import type { Http } from '../../../platform/http/server.ts';
import { createRoute } from '../../../platform/idempotency/create-route.ts';
import { createTarget, getTarget, listTargets, updateTarget } from './service.ts';

/** Registers the calls on targets. */
export function registerTargets(http: Http, ctx: Context): void {
  listRoute(http, ctx, endpoints.listTargets, named('targets', listTargets));
  dataRoute(http, ctx, endpoints.readTarget, async (_, actor, { uuid }) => getTarget(ctx, actor, uuid));
  createRoute(http, ctx, endpoints.createTarget, createTarget);
  dataRoute(http, ctx, endpoints.updateTarget, updateTarget);
}
