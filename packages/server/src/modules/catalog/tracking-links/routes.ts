import * as endpoints from '@bidwell/contract/tracking-links/endpoints';
import { LINK_CHECKS_PER_MINUTE } from '@bidwell/contract/tracking-links/link-check';
import { trackingLinkApiMessages } from '@bidwell/contract/tracking-links/api-messages';
import rateLimit from '@fastify/rate-limit';
import type { FastifyRequest } from 'fastify';
import type { Context } from '../../../context.ts';
import { actorOf } from '../../../platform/http/auth/auth.ts';
import { listRoute } from '../../../platform/http/list-route.ts';
import { limitTo } from '../../../platform/http/limits/rate-limit.ts';
import { route } from '../../../platform/http/route.ts';
import type { Http } from '../../../platform/http/server.ts';
import { fairQueue } from '../../../platform/concurrency/fair-queue.ts';
import { created } from '../../../platform/idempotency/idempotency.ts';
import { checkTrackingLink } from './link-check.ts';
import { createTrackingLink, getTrackingLink, listTrackingLinks, updateTrackingLink } from './service.ts';

/** The slow links of one company leave room for the links of others. */
const CHECKS = {
  running: 16,
  runningEach: 2,
  waiting: 200,
  waitingEach: LINK_CHECKS_PER_MINUTE,
  waitMs: 60_000,
};

/** Registers the calls on tracking links. */
export async function registerTrackingLinks(http: Http, ctx: Context): Promise<void> {
  await http.register(rateLimit, { global: false });
  const checks = fairQueue(CHECKS, 'link checks');
  listRoute(http, ctx, endpoints.listTrackingLinks, async (from, actor, range) => ({
    tracking_links: await listTrackingLinks(from, actor, range),
  }));
  route(http, endpoints.readTrackingLink, async (request) => ({
    data: await getTrackingLink(ctx, actorOf(request), request.params.uuid),
  }));
  route(http, endpoints.createTrackingLink, async (request, reply) =>
    created(ctx, request, reply, () => createTrackingLink(ctx, actorOf(request), request.body)),
  );
  route(
    http,
    endpoints.checkTrackingLink,
    async (request) => {
      const actor = actorOf(request);
      const check = () => checkTrackingLink(ctx, actor, request.body);
      return { data: await checks.run(actor.companyId, check) };
    },
    { onRequest: limitChecks(http) },
  );
  route(http, endpoints.updateTrackingLink, async (request) => ({
    data: await updateTrackingLink(ctx, actorOf(request), request.params.uuid, request.body),
  }));
}

function limitChecks(http: Http) {
  const limit = {
    max: LINK_CHECKS_PER_MINUTE,
    timeWindow: 60_000,
    keyGenerator: (request: FastifyRequest) => actorOf(request).companyId,
  };
  return limitTo(http, limit, trackingLinkApiMessages.linkCheckRate(LINK_CHECKS_PER_MINUTE));
}
