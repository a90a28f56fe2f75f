import * as endpoints from '@bidwell/contract/adsets/endpoints';
import { changeBundle as changeBundleEndpoint } from '@bidwell/contract/campaign-reports/endpoints';
import type { Context } from '../../../context.ts';
import { actorOf } from '../../../platform/http/auth/auth.ts';
import { listRoute } from '../../../platform/http/list-route.ts';
import { route } from '../../../platform/http/route.ts';
import type { Http } from '../../../platform/http/server.ts';
import { created } from '../../../platform/idempotency/idempotency.ts';
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
  route(http, endpoints.readAdset, async (request) => ({
    data: await getAdset(ctx, actorOf(request), request.params.uuid),
  }));
  route(http, endpoints.createAdset, async (request, reply) =>
    created(ctx, request, reply, () => createAdset(ctx, actorOf(request), request.body)),
  );
  route(http, endpoints.updateAdset, async (request) => ({
    data: await updateAdset(ctx, actorOf(request), request.params.uuid, request.body),
  }));
  route(http, changeBundleEndpoint, async (request) => ({
    data: { adsets: await changeBundle(ctx, actorOf(request), request.params.uuid, request.body) },
  }));
}
