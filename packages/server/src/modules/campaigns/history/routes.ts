import * as endpoints from '@bidwell/contract/changes/endpoints';
import type { Context } from '../../../context.ts';
import { actorOf } from '../../../platform/http/auth/auth.ts';
import { dataRoute } from '../../../platform/http/data-route.ts';
import { route } from '../../../platform/http/route.ts';
import { sendJson } from '../../../platform/http/bodies/serializer.ts';
import type { Http } from '../../../platform/http/server.ts';
import { type StatusCalls, listHistory, undoChange } from './service.ts';

/** Registers the calls on the change log and the undo of a change. */
export function registerHistory(http: Http, ctx: Context, calls: StatusCalls): void {
  route(http, endpoints.listChanges, async (request, reply) => {
    const actor = actorOf(request);
    const page = { owner: actor.companyId, route: request.routeOptions.url ?? '', address: request.url };
    const json = await ctx.responseMemory.build(page, async () => {
      const data = await listHistory(ctx, actor, request.params.uid, request.query);
      const body = reply.serialize({ data }) as string;
      return { body, jsonLength: body.length };
    });
    return sendJson(reply, json);
  });
  dataRoute(http, ctx, endpoints.undoChange, async (_, actor, { uuid }) =>
    undoChange(ctx, actor, uuid, calls),
  );
}
