import * as endpoints from '@bidwell/contract/apps/endpoints';
import type { Context } from '../../../context.ts';
import { listRoute } from '../../../platform/http/list-route.ts';
import { dataRoute, named } from '../../../platform/http/data-route.ts';
import type { Http } from '../../../platform/http/server.ts';
import { createRoute } from '../../../platform/idempotency/create-route.ts';
import { createApp, deleteApps, getApp, listApps, parseLink, updateApp } from './service.ts';
import { listSourceIdentifiers } from './source-identifiers.ts';
import { createStorePageReader } from './app-store-listing.ts';

/** Registers the calls on apps. */
export function registerApps(http: Http, ctx: Context): void {
  const readPage = createStorePageReader(ctx);

  listRoute(http, ctx, endpoints.listApps, named('apps', listApps));
  dataRoute(http, ctx, endpoints.readApp, async (_, actor, { uuid }) => getApp(ctx, actor, uuid));
  createRoute(http, ctx, endpoints.createApp, createApp);
  dataRoute(http, ctx, endpoints.updateApp, updateApp);
  dataRoute(http, { readPage }, endpoints.parseStoreLink, parseLink);
  dataRoute(http, ctx, endpoints.listSourceIdentifiers, listSourceIdentifiers);
  dataRoute(http, ctx, endpoints.deleteApps, async (_, actor, apps) => {
    await deleteApps(ctx, actor, apps.uuids);
    return apps;
  });
}
