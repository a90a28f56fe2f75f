import { duplicateEndpoints } from '@bidwell/contract/duplicates/endpoints';
import type { Engines } from '../../context.ts';
import { actorOf } from '../../platform/http/auth.ts';
import { route } from '../../platform/http/route.ts';
import type { Http } from '../../platform/http/server.ts';
import { created } from '../../platform/idempotency/created.ts';
import { duplicateAdset } from '../adsets/service.ts';
import { saveInTurn } from '../adsets/save-queue.ts';
import { duplicateCampaign } from '../campaigns/service.ts';
import { duplicateTarget } from '../targets/service.ts';

/** Registers `POST …/{uuid}/duplicate` for campaigns, ad sets and targets. */
export function registerDuplicates(http: Http, engines: Engines): void {
  route(http, duplicateEndpoints.campaign, async (request, reply) =>
    created(engines, request, reply, () =>
      saveInTurn(actorOf(request), (actor) => duplicateCampaign(engines, actor, request.params.uuid)),
    ),
  );
  route(http, duplicateEndpoints.adset, async (request, reply) =>
    created(engines, request, reply, () =>
      saveInTurn(actorOf(request), (actor) => duplicateAdset(engines, actor, request.params.uuid)),
    ),
  );
  route(http, duplicateEndpoints.target, async (request, reply) =>
    created(engines, request, reply, () => duplicateTarget(engines, actorOf(request), request.params.uuid)),
  );
}
