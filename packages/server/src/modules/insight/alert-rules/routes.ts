import * as endpoints from '@bidwell/contract/alerts/endpoints';
import type { Context } from '../../../context.ts';
import { actorOf } from '../../../platform/http/auth/auth.ts';
import { created } from '../../../platform/idempotency/idempotency.ts';
import { route } from '../../../platform/http/route.ts';
import type { Http } from '../../../platform/http/server.ts';
import { createAlertRule, deleteAlertRule, listAlertRules, updateAlertRule } from './service.ts';

/** Registers the calls on rules by which figures alert a company. */
export function registerAlertRules(http: Http, ctx: Context): void {
  route(http, endpoints.listAlertRules, async (request) => ({
    data: { rules: await listAlertRules(ctx, actorOf(request)) },
  }));
  route(http, endpoints.createAlertRule, async (request, reply) =>
    created(ctx, request, reply, async () => createAlertRule(ctx, actorOf(request), request.body)),
  );
  route(http, endpoints.updateAlertRule, async (request) => ({
    data: await updateAlertRule(ctx, actorOf(request), { ...request.body, ...request.params }),
  }));
  route(http, endpoints.deleteAlertRule, async (request) => {
    await deleteAlertRule(ctx, actorOf(request), request.params.uuid);
    return { data: { deleted: true as const } };
  });
}
