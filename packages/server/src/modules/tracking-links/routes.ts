import * as endpoints from '@bidwell/contract/endpoints/tracking-links';
import type { Engines } from '../../engines.ts';
import { actorOf } from '../../platform/http/auth.ts';
import { listRoute } from '../../platform/http/list-route.ts';
import { route } from '../../platform/http/route.ts';
import type { Http } from '../../platform/http/server.ts';
import { created } from '../../platform/idempotency/created.ts';
import { createTrackingLink, getTrackingLink, listTrackingLinks, updateTrackingLink } from './service.ts';

/** Registers the calls on tracking links. */
export function registerTrackingLinks(http: Http, engines: Engines): void {
  listRoute(http, engines, endpoints.listTrackingLinks, async (from, actor, range) => ({
    tracking_links: await listTrackingLinks(from, actor, range),
  }));
  route(http, endpoints.readTrackingLink, async (request) => ({
    data: await getTrackingLink(engines, actorOf(request), request.params.uuid),
  }));
  route(http, endpoints.createTrackingLink, async (request, reply) =>
    created(engines, request, reply, () => createTrackingLink(engines, actorOf(request), request.body)),
  );
  route(http, endpoints.updateTrackingLink, async (request) => ({
    data: await updateTrackingLink(engines, actorOf(request), request.params.uuid, request.body),
  }));
}
