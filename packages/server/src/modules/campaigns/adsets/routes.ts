import * as endpoints from '@bidwell/contract/adsets/endpoints';
import { changeBundle as changeBundleEndpoint } from '@bidwell/contract/campaign-reports/endpoints';
import type { Context } from '../../../context.ts';
import { listRoute } from '../../../platform/http/list-route.ts';
import { dataRoute } from '../../../platform/http/data-route.ts';
import type { Http } from '../../../platform/http/server.ts';
import { createRoute } from '../../../platform/idempotency/create-route.ts';
import {
  changeBundle,
  bundleBytesOfList,
  createAdset,
  getAdset,
  listAdsets,
  listAdsetSummaries,
  updateAdset,
} from './service.ts';

/** Registers the calls on ad sets. */
export function registerAdsets(http: Http, ctx: Context): void {
  listRoute(
    http,
    ctx,
    endpoints.listAdsets,
    async (from, actor, query) => ({ adsets: await listAdsets(from, actor, query) }),
    { estimate: bundleBytesOfList },
  );
  listRoute(http, ctx, endpoints.listAdsetSummaries, async (from, actor) => ({
    adsets: await listAdsetSummaries(from, actor),
  }));
  dataRoute(http, ctx, endpoints.readAdset, async (_, actor, { uuid }) => getAdset(ctx, actor, uuid));
  createRoute(http, ctx, endpoints.createAdset, createAdset);
  dataRoute(http, ctx, endpoints.updateAdset, async (_, actor, { uuid, ...body }) =>
    updateAdset(ctx, actor, uuid, body),
  );
  dataRoute(http, ctx, changeBundleEndpoint, async (_, actor, { uuid, ...body }) => ({
    adsets: await changeBundle(ctx, actor, uuid, body),
  }));
}
