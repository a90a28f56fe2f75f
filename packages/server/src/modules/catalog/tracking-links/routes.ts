import * as endpoints from '@bidwell/contract/tracking-links/endpoints';
import { LINK_CHECKS_PER_MINUTE } from '@bidwell/contract/tracking-links/link-check';
import { trackingLinkApiMessages } from '@bidwell/contract/tracking-links/api-messages';
import rateLimit from '@fastify/rate-limit';
import type { Context } from '../../../context.ts';
import { listRoute } from '../../../platform/http/list-route.ts';
import { limitTo } from '../../../platform/http/limits/rate-limit.ts';
import { dataRoute, named } from '../../../platform/http/data-route.ts';
import type { Http } from '../../../platform/http/server.ts';
import { fairQueue } from '../../../platform/concurrency/fair-queue.ts';
import { createRoute } from '../../../platform/idempotency/create-route.ts';
import { checkTrackingLink, checkViewUrl } from './link-check.ts';
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
  listRoute(http, ctx, endpoints.listTrackingLinks, named('tracking_links', listTrackingLinks));
  dataRoute(http, ctx, endpoints.readTrackingLink, async (_, actor, { uuid }) =>
    getTrackingLink(ctx, actor, uuid),
  );
  createRoute(http, ctx, endpoints.createTrackingLink, createTrackingLink);
  const perCompany = { onRequest: limitChecks(http) };
  dataRoute(http, ctx, endpoints.checkTrackingLink, perCompany, async (_, actor, link) =>
    checks.run(actor.companyId, () => checkTrackingLink(ctx, actor, link)),
  );
  dataRoute(http, ctx, endpoints.checkViewUrl, perCompany, async (_, actor, link) =>
    checks.run(actor.companyId, () => checkViewUrl(ctx, actor, link)),
  );
  dataRoute(http, ctx, endpoints.updateTrackingLink, updateTrackingLink);
}

function limitChecks(http: Http) {
  const limit = { max: LINK_CHECKS_PER_MINUTE, per: 'company' } as const;
  return limitTo(http, limit, trackingLinkApiMessages.linkCheckRate(LINK_CHECKS_PER_MINUTE));
}
