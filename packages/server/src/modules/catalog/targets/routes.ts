import * as endpoints from '@bidwell/contract/targets/endpoints';
import type { Context } from '../../../context.ts';
import { actorOf } from '../../../platform/http/auth/auth.ts';
import { listRoute } from '../../../platform/http/list-route.ts';
import { route } from '../../../platform/http/route.ts';
import type { Http } from '../../../platform/http/server.ts';
import { created } from '../../../platform/idempotency/idempotency.ts';
import { createTarget, getTarget, listTargets, updateTarget } from './service.ts';

/** Registers the calls on targets. */
export function registerTargets(http: Http, ctx: Context): void {
  listRoute(http, ctx, endpoints.listTargets, async (from, actor, range) => ({
    targets: await listTargets(from, actor, range),
  }));
  route(http, endpoints.readTarget, async (request) => ({
    data: await getTarget(ctx, actorOf(request), request.params.uuid),
  }));
  route(http, endpoints.createTarget, async (request, reply) =>
    created(ctx, request, reply, () => createTarget(ctx, actorOf(request), request.body)),
  );
  route(http, endpoints.updateTarget, async (request) => ({
    data: await updateTarget(ctx, actorOf(request), request.params.uuid, request.body),
  }));
}
