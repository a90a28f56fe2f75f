import * as endpoints from '@bidwell/contract/campaign-reports/endpoints';
import type { Context } from '../../../context.ts';
import type { Http } from '../../../platform/http/server.ts';
import { startPublisherPages } from '../../catalog/public.ts';
import { type ReportQueue, reportRoute } from '../../reporting/public.ts';
import { campaignBundles } from './campaign-bundles.ts';
import { campaignChanges } from './campaign-changes.ts';
import { campaignCreatives } from './campaign-creatives.ts';
import { campaignPrices } from './campaign-prices.ts';
import { campaignReach } from './campaign-reach.ts';

/** Registers the reports of where the money of one campaign went, which wait in the queue of reports. */
export function registerCampaignReports(http: Http, ctx: Context, queue: ReportQueue): void {
  const pages = startPublisherPages(ctx);
  http.addHook('onClose', () => pages.stop());
  reportRoute(http, queue, endpoints.readCampaignBundles, async (actor, query) =>
    campaignBundles(ctx, actor, pages, query),
  );
  reportRoute(http, queue, endpoints.readCampaignCreatives, async (actor, query) =>
    campaignCreatives(ctx, actor, query),
  );
  reportRoute(http, queue, endpoints.readCampaignChanges, async (actor, query) =>
    campaignChanges(ctx, actor, query),
  );
  reportRoute(http, queue, endpoints.readCampaignPrices, async (actor, query) =>
    campaignPrices(ctx, actor, query),
  );
  reportRoute(http, queue, endpoints.readCampaignReach, async (actor, query) =>
    campaignReach(ctx, actor, query),
  );
}
