import * as endpoints from '@bidwell/contract/apps/endpoints';
import type { Context } from '../../../context.ts';
import { actorOf } from '../../../platform/http/auth/auth.ts';
import { listRoute } from '../../../platform/http/list-route.ts';
import { route } from '../../../platform/http/route.ts';
import type { Http } from '../../../platform/http/server.ts';
import { created } from '../../../platform/idempotency/idempotency.ts';
import { createApp, deleteApps, getApp, listApps, parseLink, updateApp } from './service.ts';
import { listSourceIdentifiers } from './source-identifiers.ts';
import { createStorePageReader } from './app-store-listing.ts';

/** Registers the calls on apps. */
export function registerApps(http: Http, ctx: Context): void {
  const readPage = createStorePageReader(ctx);

  listRoute(http, ctx, endpoints.listApps, async (from, actor, range) => ({
    apps: await listApps(from, actor, range),
  }));
  route(http, endpoints.readApp, async (request) => ({
    data: await getApp(ctx, actorOf(request), request.params.uuid),
  }));
  route(http, endpoints.createApp, async (request, reply) =>
    created(ctx, request, reply, () => createApp(ctx, actorOf(request), request.body)),
  );
  route(http, endpoints.updateApp, async (request) => ({
    data: await updateApp(ctx, actorOf(request), request.params.uuid, request.body),
  }));
  route(http, endpoints.parseStoreLink, async (request) => ({
    data: await parseLink({ readPage }, actorOf(request), request.body),
  }));
  route(http, endpoints.listSourceIdentifiers, async (request) => ({
    data: await listSourceIdentifiers(ctx, actorOf(request), request.params.uuid),
  }));
  route(http, endpoints.deleteApps, async (request) => {
    await deleteApps(ctx, actorOf(request), request.body.uuids);
    return { data: request.body };
  });
}
