import * as endpoints from '@bidwell/contract/campaigns/endpoints';
import type { Context } from '../../context.ts';
import { listRoute } from '../../platform/http/list-route.ts';
import { dataRoute } from '../../platform/http/data-route.ts';
import type { Http } from '../../platform/http/server.ts';
import { createRoute } from '../../platform/idempotency/create-route.ts';
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
  dataRoute(http, ctx, endpoints.readCampaign, async (_, actor, { uuid }) => getCampaign(ctx, actor, uuid));
  createRoute(http, ctx, endpoints.createCampaign, createCampaign);
  dataRoute(http, ctx, endpoints.updateCampaign, async (_, actor, { uuid, ...body }) =>
    updateCampaign(ctx, actor, uuid, body),
  );
  dataRoute(http, ctx, endpoints.startCampaign, async (_, actor, { uuid }) =>
    startCampaign(ctx, actor, uuid),
  );
  dataRoute(http, ctx, endpoints.pauseCampaign, async (_, actor, { uuid }) =>
    pauseCampaign(ctx, actor, uuid),
  );
}

/** Registers `POST …/{uuid}/duplicate` for campaigns, ad sets and targets. */
export function registerDuplicates(http: Http, ctx: Context): void {
  createRoute(http, ctx, duplicateEndpoints.campaign, async (_, actor, { uuid }) =>
    duplicateCampaign(ctx, actor, uuid),
  );
  createRoute(http, ctx, duplicateEndpoints.adset, async (_, actor, { uuid }) =>
    duplicateAdset(ctx, actor, uuid),
  );
  createRoute(http, ctx, duplicateEndpoints.target, async (_, actor, { uuid }) =>
    duplicateTarget(ctx, actor, uuid),
  );
}
