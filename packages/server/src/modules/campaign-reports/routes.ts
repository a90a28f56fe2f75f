import * as endpoints from '@bidwell/contract/campaign-reports/endpoints';
import { readMeasurement } from '@bidwell/contract/measurement/endpoints';
import type { FastifyReply, FastifyRequest, RouteShorthandOptions } from 'fastify';
import type { Engines } from '../../context.ts';
import { actorOf } from '../../platform/http/auth.ts';
import { route } from '../../platform/http/route.ts';
import type { Http } from '../../platform/http/server.ts';
import { startPublisherPages } from '../apps/service.ts';
import { listBids } from '../bid-log/service.ts';
import { campaignBundles } from './campaign-bundles.ts';
import { campaignChanges } from './campaign-changes.ts';
import { campaignCreatives } from './campaign-creatives.ts';
import { campaignPrices } from './campaign-prices.ts';
import { measurementReport } from '../measurement/service.ts';

/** Runs a report in the order of the fair queue; `asked` identifies the query among those of its path. */
export type Queued = <T>(
  request: FastifyRequest,
  reply: FastifyReply,
  asked: object,
  ask: () => Promise<T>,
) => Promise<T>;

/** Registers the reports of where the money of one campaign went, and of how its clicks and postbacks were measured. */
export function registerCampaignReports(
  http: Http,
  engines: Engines,
  queued: Queued,
  options: Pick<RouteShorthandOptions, 'config' | 'onRequest'>,
): void {
  const pages = startPublisherPages(engines);
  http.addHook('onClose', () => pages.stop());
  route(
    http,
    endpoints.readCampaignBundles,
    async (request, reply) => {
      const asked = { ...request.params, ...request.query };
      const ask = () => campaignBundles(engines, actorOf(request), pages, asked);
      return { data: await queued(request, reply, asked, ask) };
    },
    options,
  );
  route(
    http,
    endpoints.readCampaignCreatives,
    async (request, reply) => {
      const asked = { ...request.params, ...request.query };
      const ask = () => campaignCreatives(engines, actorOf(request), asked);
      return { data: await queued(request, reply, asked, ask) };
    },
    options,
  );
  route(
    http,
    endpoints.readCampaignChanges,
    async (request, reply) => {
      const asked = { ...request.params, ...request.query };
      const ask = () => campaignChanges(engines, actorOf(request), asked);
      return { data: await queued(request, reply, asked, ask) };
    },
    options,
  );
  route(
    http,
    endpoints.readCampaignPrices,
    async (request, reply) => {
      const asked = { ...request.params, ...request.query };
      const ask = () => campaignPrices(engines, actorOf(request), asked);
      return { data: await queued(request, reply, asked, ask) };
    },
    options,
  );
  route(
    http,
    readMeasurement,
    async (request, reply) => {
      const ask = () => measurementReport(engines, actorOf(request), request.query);
      return { data: await queued(request, reply, request.query, ask) };
    },
    options,
  );
  route(
    http,
    endpoints.listBids,
    async (request, reply) => {
      const ask = () => listBids(engines, actorOf(request), request.query);
      return { data: await queued(request, reply, request.query, ask) };
    },
    options,
  );
}
