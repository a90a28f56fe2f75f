import { duplicateEndpoints } from '@bidwell/contract/duplicates/endpoints';
import type { Context } from '../../context.ts';
import { actorOf } from '../../platform/http/auth/auth.ts';
import { route } from '../../platform/http/route.ts';
import type { Http } from '../../platform/http/server.ts';
import { created } from '../../platform/idempotency/created.ts';
import { duplicateAdset } from './adsets/service.ts';
import { saveInTurn } from './adsets/save-queue.ts';
import { duplicateCampaign } from '../campaigns/service.ts';
import { duplicateTarget } from '../catalog/public.ts';

/** Registers `POST …/{uuid}/duplicate` for campaigns, ad sets and targets. */
export function registerDuplicates(http: Http, ctx: Context): void {
  route(http, duplicateEndpoints.campaign, async (request, reply) =>
    created(ctx, request, reply, () =>
      saveInTurn(actorOf(request), (actor) => duplicateCampaign(ctx, actor, request.params.uuid)),
    ),
  );
  route(http, duplicateEndpoints.adset, async (request, reply) =>
    created(ctx, request, reply, () =>
      saveInTurn(actorOf(request), (actor) => duplicateAdset(ctx, actor, request.params.uuid)),
    ),
  );
  route(http, duplicateEndpoints.target, async (request, reply) =>
    created(ctx, request, reply, () => duplicateTarget(ctx, actorOf(request), request.params.uuid)),
  );
}
