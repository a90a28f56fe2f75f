import { Campaign, CampaignInput, CampaignUpdate } from '@bidwell/contract/campaign';
import { CreatedRange, UuidParams, envelope } from '@bidwell/contract/wire';
import { z } from 'zod';
import type { Engines } from '../../engines.ts';
import { actorOf } from '../../platform/http/auth.ts';
import { cachedList } from '../../platform/http/response-cache.ts';
import { conflictResponse } from '../../platform/http/openapi/document.ts';
import type { Http } from '../../platform/http/server.ts';
import { created } from '../../platform/idempotency/created.ts';
import { createCampaign, getCampaign, listCampaigns, updateCampaign } from './service.ts';
import { pauseCampaign, startCampaign } from './start.ts';

const CampaignList = z.object({ campaigns: z.array(Campaign) });

/** Registers the calls on campaigns. */
export function registerCampaigns(http: Http, engines: Engines): void {
  http.get(
    '/campaign',
    {
      schema: {
        summary: 'List campaigns',
        querystring: CreatedRange,
        response: { 200: envelope(CampaignList) },
      },
    },
    async (request, reply) =>
      cachedList(engines, request, reply, async () => ({
        campaigns: await listCampaigns(engines, actorOf(request), request.query),
      })),
  );

  http.get(
    '/campaign/:uuid',
    { schema: { summary: 'Read a campaign', params: UuidParams, response: { 200: envelope(Campaign) } } },
    async (request) => ({ data: await getCampaign(engines, actorOf(request), request.params.uuid) }),
  );

  http.post(
    '/campaign',
    { schema: { summary: 'Create a campaign', body: CampaignInput, response: { 201: envelope(Campaign) } } },
    async (request, reply) =>
      created(engines, request, reply, () => createCampaign(engines, actorOf(request), request.body)),
  );

  http.put(
    '/campaign/:uuid',
    {
      schema: {
        summary: 'Update a campaign',
        params: UuidParams,
        body: CampaignUpdate,
        response: { 200: envelope(Campaign) },
      },
    },
    async (request) => ({
      data: await updateCampaign(engines, actorOf(request), request.params.uuid, request.body),
    }),
  );

  http.post(
    '/campaign/:uuid/start',
    {
      schema: {
        summary: 'Start a campaign',
        params: UuidParams,
        response: { 200: envelope(Campaign), ...conflictResponse },
      },
    },
    async (request) => ({ data: await startCampaign(engines, actorOf(request), request.params.uuid) }),
  );

  http.post(
    '/campaign/:uuid/pause',
    { schema: { summary: 'Pause a campaign', params: UuidParams, response: { 200: envelope(Campaign) } } },
    async (request) => ({ data: await pauseCampaign(engines, actorOf(request), request.params.uuid) }),
  );
}
