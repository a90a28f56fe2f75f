import * as endpoints from '@bidwell/contract/drafts/endpoints';
import type { Context } from '../../../context.ts';
import { actorOf } from '../../../platform/http/auth/auth.ts';
import { route } from '../../../platform/http/route.ts';
import type { Http } from '../../../platform/http/server.ts';
import { created } from '../../../platform/idempotency/idempotency.ts';
import { createDraft, discardDraft, getDraft, listDrafts, updateDraft } from './service.ts';

/** Registers the calls on drafts of campaigns. */
export function registerDrafts(http: Http, ctx: Context): void {
  route(http, endpoints.listDrafts, async (request) => ({
    data: { drafts: await listDrafts(ctx, actorOf(request)) },
  }));
  route(http, endpoints.readDraft, async (request) => ({
    data: await getDraft(ctx, actorOf(request), request.params.uuid),
  }));
  route(http, endpoints.createDraft, async (request, reply) =>
    created(ctx, request, reply, () => createDraft(ctx, actorOf(request), request.body)),
  );
  route(http, endpoints.updateDraft, async (request) => ({
    data: await updateDraft(ctx, actorOf(request), request.params.uuid, request.body),
  }));
  route(http, endpoints.discardDraft, async (request) => {
    await discardDraft(ctx, actorOf(request), request.params.uuid);
    return { data: { discarded: true as const } };
  });
}
