import * as endpoints from '@bidwell/contract/campaign-reports/endpoints';
import type { Context } from '../../context.ts';
import { actorOf } from '../../platform/http/auth/auth.ts';
import { route } from '../../platform/http/route.ts';
import type { Http } from '../../platform/http/server.ts';
import { startPublisherPages } from '../apps/publisher-pages.ts';
import { campaignBundles } from './campaign-bundles.ts';
import { campaignChanges } from './campaign-changes.ts';
import { campaignCreatives } from './campaign-creatives.ts';
import { campaignPrices } from './campaign-prices.ts';
import type { ReportQueue } from '../reports/report-queue.ts';

/** Registers the reports of where the money of one campaign went, which wait in the queue of reports. */
export function registerCampaignReports(http: Http, ctx: Context, { run, options }: ReportQueue): void {
  const pages = startPublisherPages(ctx);
  http.addHook('onClose', () => pages.stop());
  route(
    http,
    endpoints.readCampaignBundles,
    async (request, reply) => {
      const asked = { ...request.params, ...request.query };
      const ask = () => campaignBundles(ctx, actorOf(request), pages, asked);
      return { data: await run(request, reply, asked, ask) };
    },
    options,
  );
  route(
    http,
    endpoints.readCampaignCreatives,
    async (request, reply) => {
      const asked = { ...request.params, ...request.query };
      const ask = () => campaignCreatives(ctx, actorOf(request), asked);
      return { data: await run(request, reply, asked, ask) };
    },
    options,
  );
  route(
    http,
    endpoints.readCampaignChanges,
    async (request, reply) => {
      const asked = { ...request.params, ...request.query };
      const ask = () => campaignChanges(ctx, actorOf(request), asked);
      return { data: await run(request, reply, asked, ask) };
    },
    options,
  );
  route(
    http,
    endpoints.readCampaignPrices,
    async (request, reply) => {
      const asked = { ...request.params, ...request.query };
      const ask = () => campaignPrices(ctx, actorOf(request), asked);
      return { data: await run(request, reply, asked, ask) };
    },
    options,
  );
}
