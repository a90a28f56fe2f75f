import * as endpoints from '@bidwell/contract/creative-groups/endpoints';
import type { Context } from '../../../context.ts';
import { listRoute } from '../../../platform/http/list-route.ts';
import { dataRoute, named } from '../../../platform/http/data-route.ts';
import type { Http } from '../../../platform/http/server.ts';
import { createRoute } from '../../../platform/idempotency/create-route.ts';
import { createGroup, getGroup, listGroups, updateGroup } from './service.ts';

/** Registers the calls on creative groups. `/creative_group` and `/internal_creative_group` serve the same groups. */
export function registerCreativeGroups(http: Http, ctx: Context): void {
  listRoute(http, ctx, endpoints.listCreativeGroups, named('internal_creative_groups', listGroups));
  dataRoute(http, ctx, endpoints.readCreativeGroup, async (_, actor, { uuid }) => getGroup(ctx, actor, uuid));
  for (const endpoint of [endpoints.createCreativeGroup, endpoints.createCreativeGroupAlias])
    createRoute(http, ctx, endpoint, createGroup);
  for (const endpoint of [endpoints.updateCreativeGroup, endpoints.updateCreativeGroupAlias])
    dataRoute(http, ctx, endpoint, updateGroup);
}
