import * as endpoints from '@bidwell/contract/changes/endpoints';
import type { Context } from '../../context.ts';
import { actorOf } from '../../platform/http/auth/auth.ts';
import { route } from '../../platform/http/route.ts';
import { sendJson } from '../../platform/http/bodies/send-json.ts';
import type { Http } from '../../platform/http/server.ts';
import { listChanges } from '../changes/service.ts';
import { type StatusCalls, undoChange, withUndo } from './service.ts';

/** Registers the calls on the change log and the undo of a change. */
export function registerHistory(http: Http, ctx: Context, calls: StatusCalls): void {
  route(http, endpoints.listChanges, async (request, reply) => {
    const actor = actorOf(request);
    const page = { owner: actor.companyId, route: request.routeOptions.url ?? '', address: request.url };
    const json = await ctx.responseMemory.build(page, async () => {
      const { changes, total } = await listChanges(ctx, actor, request.params.uid, request.query);
      const data = { changes: await withUndo(ctx, actor, changes), total };
      const body = reply.serialize({ data }) as string;
      return { body, jsonLength: body.length };
    });
    return sendJson(reply, json);
  });
  route(http, endpoints.undoChange, async (request) => ({
    data: await undoChange(ctx, actorOf(request), request.params.uuid, calls),
  }));
}
