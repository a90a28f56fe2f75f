import * as endpoints from '@bidwell/contract/campaigns/endpoints';
import type { Context } from '../../context.ts';
import { listRoute } from '../../platform/http/list-route.ts';
import { dataRoute, named } from '../../platform/http/data-route.ts';
import type { Http } from '../../platform/http/server.ts';
import { createRoute } from '../../platform/idempotency/create-route.ts';
import { createCampaign, getCampaign, listCampaigns, updateCampaign, duplicateCampaign } from './service.ts';
import { pauseCampaign, startCampaign } from './start.ts';
import { duplicateEndpoints } from '@bidwell/contract/duplicates/endpoints';
import { duplicateAdset } from './adsets/service.ts';
import { duplicateTarget } from '../catalog/public.ts';

/** Registers the calls on campaigns. */
export function registerCampaigns(http: Http, ctx: Context): void {
  listRoute(http, ctx, endpoints.listCampaigns, named('campaigns', listCampaigns));
  dataRoute(http, ctx, endpoints.readCampaign, async (_, actor, { uuid }) => getCampaign(ctx, actor, uuid));
  createRoute(http, ctx, endpoints.createCampaign, createCampaign);
  dataRoute(http, ctx, endpoints.updateCampaign, updateCampaign);
  dataRoute(http, ctx, endpoints.startCampaign, startCampaign);
  dataRoute(http, ctx, endpoints.pauseCampaign, pauseCampaign);
}

/** Registers `POST …/{uuid}/duplicate` for campaigns, ad sets and targets. */
export function registerDuplicates(http: Http, ctx: Context): void {
  createRoute(http, ctx, duplicateEndpoints.campaign, duplicateCampaign);
  createRoute(http, ctx, duplicateEndpoints.adset, duplicateAdset);
  createRoute(http, ctx, duplicateEndpoints.target, duplicateTarget);
}
