import * as endpoints from '@bidwell/contract/creative-groups/endpoints';
import type { Context } from '../../../context.ts';
import { actorOf } from '../../../platform/http/auth/auth.ts';
import { listRoute } from '../../../platform/http/list-route.ts';
import { route } from '../../../platform/http/route.ts';
import type { Http } from '../../../platform/http/server.ts';
import { created } from '../../../platform/idempotency/idempotency.ts';
import { createGroup, getGroup, listGroups, updateGroup } from './service.ts';

/** Registers the calls on creative groups. `/creative_group` and `/internal_creative_group` serve the same groups. */
export function registerCreativeGroups(http: Http, ctx: Context): void {
  listRoute(http, ctx, endpoints.listCreativeGroups, async (from, actor) => ({
    internal_creative_groups: await listGroups(from, actor),
  }));
  route(http, endpoints.readCreativeGroup, async (request) => ({
    data: await getGroup(ctx, actorOf(request), request.params.uuid),
  }));
  for (const endpoint of [endpoints.createCreativeGroup, endpoints.createCreativeGroupAlias])
    route(http, endpoint, async (request, reply) =>
      created(ctx, request, reply, () => createGroup(ctx, actorOf(request), request.body)),
    );
  for (const endpoint of [endpoints.updateCreativeGroup, endpoints.updateCreativeGroupAlias])
    route(http, endpoint, async (request) => ({
      data: await updateGroup(ctx, actorOf(request), request.params.uuid, request.body),
    }));
}
