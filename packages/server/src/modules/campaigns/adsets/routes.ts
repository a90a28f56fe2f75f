import * as endpoints from '@bidwell/contract/adsets/endpoints';
import { changeBundle as changeBundleEndpoint } from '@bidwell/contract/campaign-reports/endpoints';
import type { Context } from '../../../context.ts';
import { listRoute } from '../../../platform/http/list-route.ts';
import { dataRoute, named } from '../../../platform/http/data-route.ts';
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
  listRoute(http, ctx, endpoints.listAdsets, named('adsets', listAdsets), { estimate: bundleBytesOfList });
  listRoute(http, ctx, endpoints.listAdsetSummaries, named('adsets', listAdsetSummaries));
  dataRoute(http, ctx, endpoints.readAdset, async (_, actor, { uuid }) => getAdset(ctx, actor, uuid));
  createRoute(http, ctx, endpoints.createAdset, createAdset);
  dataRoute(http, ctx, endpoints.updateAdset, updateAdset);
  dataRoute(http, ctx, changeBundleEndpoint, async (_, actor, { uuid, ...body }) => ({
    adsets: await changeBundle(ctx, actor, uuid, body),
  }));
}
