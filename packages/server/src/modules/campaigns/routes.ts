import * as endpoints from '@bidwell/contract/campaigns/endpoints';
import type { Context } from '../../context.ts';
import { actorOf } from '../../platform/http/auth/auth.ts';
import { listRoute } from '../../platform/http/list-route.ts';
import { route } from '../../platform/http/route.ts';
import type { Http } from '../../platform/http/server.ts';
import { created } from '../../platform/idempotency/idempotency.ts';
import { createCampaign, getCampaign, listCampaigns, updateCampaign, duplicateCampaign } from './service.ts';
import { pauseCampaign, startCampaign } from './start.ts';
import { duplicateEndpoints } from '@bidwell/contract/duplicates/endpoints';
import { duplicateAdset } from './adsets/service.ts';
import { duplicateTarget } from '../catalog/public.ts';

/** Registers the calls on campaigns. */
export function registerCampaigns(http: Http, ctx: Context): void {
  listRoute(http, ctx, endpoints.listCampaigns, async (from, actor, range) => ({
    campaigns: await listCampaigns(from, actor, range),
  }));
  route(http, endpoints.readCampaign, async (request) => ({
    data: await getCampaign(ctx, actorOf(request), request.params.uuid),
  }));
  route(http, endpoints.createCampaign, async (request, reply) =>
    created(ctx, request, reply, () => createCampaign(ctx, actorOf(request), request.body)),
  );
  route(http, endpoints.updateCampaign, async (request) => ({
    data: await updateCampaign(ctx, actorOf(request), request.params.uuid, request.body),
  }));
  route(http, endpoints.startCampaign, async (request) => ({
    data: await startCampaign(ctx, actorOf(request), request.params.uuid),
  }));
  route(http, endpoints.pauseCampaign, async (request) => ({
    data: await pauseCampaign(ctx, actorOf(request), request.params.uuid),
  }));
}

/** Registers `POST …/{uuid}/duplicate` for campaigns, ad sets and targets. */
export function registerDuplicates(http: Http, ctx: Context): void {
  route(http, duplicateEndpoints.campaign, async (request, reply) =>
    created(ctx, request, reply, () => duplicateCampaign(ctx, actorOf(request), request.params.uuid)),
  );
  route(http, duplicateEndpoints.adset, async (request, reply) =>
    created(ctx, request, reply, () => duplicateAdset(ctx, actorOf(request), request.params.uuid)),
  );
  route(http, duplicateEndpoints.target, async (request, reply) =>
    created(ctx, request, reply, () => duplicateTarget(ctx, actorOf(request), request.params.uuid)),
  );
}
