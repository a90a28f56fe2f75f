import type { RankedFindings } from '@bidwell/contract/insight/company-delivery';
import type { CreativeFinding } from '@bidwell/contract/insight/creative-finding';
import type { DeliveryQuery, LostRequest, LostRequestQuery } from '@bidwell/contract/insight/delivery-report';
import {
  listCreativeFindings,
  listMainFindings,
  listRankedFindings,
  readFindings,
  readLostRequest,
} from '@bidwell/contract/insight/endpoints';
import type { CampaignFinding, Finding } from '@bidwell/contract/insight/finding';
import type { RouteShorthandOptions } from 'fastify';
import type { Actor } from '../../platform/actor.ts';
import { actorOf } from '../../platform/http/auth.ts';
import { route } from '../../platform/http/route.ts';
import type { Http } from '../../platform/http/server.ts';
import type { Queued } from '../campaign-reports/routes.ts';

/** Why campaigns, ad sets and creatives deliver less than they could. */
export interface FindingCalls {
  findingsOf: (actor: Actor, campaignUuid: string, query: DeliveryQuery) => Promise<Finding[]>;
  lostRequest: (actor: Actor, campaignUuid: string, query: LostRequestQuery) => Promise<LostRequest | null>;
  mainFindings: (actor: Actor, query: DeliveryQuery) => Promise<CampaignFinding[]>;
  rankedFindings: (actor: Actor, query: DeliveryQuery) => Promise<RankedFindings>;
  creativeFindings: (actor: Actor, query: DeliveryQuery) => Promise<CreativeFinding[]>;
}

/** Registers the calls on findings, which wait in the queue of reports. */
export function registerFindings(
  http: Http,
  calls: FindingCalls,
  queued: Queued,
  options: Pick<RouteShorthandOptions, 'config' | 'onRequest'>,
): void {
  route(
    http,
    readFindings,
    async (request, reply) => {
      const { uuid } = request.params;
      const ask = () => calls.findingsOf(actorOf(request), uuid, request.query);
      return { data: { findings: await queued(request, reply, { uuid, ...request.query }, ask) } };
    },
    options,
  );
  route(
    http,
    readLostRequest,
    async (request, reply) => {
      const { uuid } = request.params;
      const ask = () => calls.lostRequest(actorOf(request), uuid, request.query);
      return { data: { lost: await queued(request, reply, { uuid, ...request.query }, ask) } };
    },
    options,
  );
  route(
    http,
    listMainFindings,
    async (request, reply) => {
      const ask = () => calls.mainFindings(actorOf(request), request.query);
      return { data: { campaigns: await queued(request, reply, request.query, ask) } };
    },
    options,
  );
  route(
    http,
    listRankedFindings,
    async (request, reply) => {
      const ask = () => calls.rankedFindings(actorOf(request), request.query);
      return { data: await queued(request, reply, request.query, ask) };
    },
    options,
  );
  route(
    http,
    listCreativeFindings,
    async (request, reply) => {
      const ask = () => calls.creativeFindings(actorOf(request), request.query);
      return { data: { creatives: await queued(request, reply, request.query, ask) } };
    },
    options,
  );
}
