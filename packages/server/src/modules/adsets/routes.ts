import { Adset, AdsetInput, AdsetUpdate } from '@bidwell/contract/adset';
import { UuidParams, envelope } from '@bidwell/contract/wire';
import { z } from 'zod';
import type { Engines } from '../../engines.ts';
import { actorOf } from '../../platform/http/auth.ts';
import { cachedList } from '../../platform/http/response-cache.ts';
import type { Http } from '../../platform/http/server.ts';
import { created } from '../../platform/idempotency/created.ts';
import { createAdset, getAdset, listAdsets, updateAdset } from './service.ts';

const AdsetList = z.object({ adsets: z.array(Adset) });

/** Registers the calls on ad sets. */
export function registerAdsets(http: Http, engines: Engines): void {
  http.get(
    '/adset',
    { schema: { summary: 'List ad sets', response: { 200: envelope(AdsetList) } } },
    async (request, reply) =>
      cachedList(engines, request, reply, async () => ({
        adsets: await listAdsets(engines, actorOf(request)),
      })),
  );

  http.get(
    '/adset/:uuid',
    { schema: { summary: 'Read an ad set', params: UuidParams, response: { 200: envelope(Adset) } } },
    async (request) => ({ data: await getAdset(engines, actorOf(request), request.params.uuid) }),
  );

  http.post(
    '/adset',
    { schema: { summary: 'Create an ad set', body: AdsetInput, response: { 201: envelope(Adset) } } },
    async (request, reply) =>
      created(engines, request, reply, () => createAdset(engines, actorOf(request), request.body)),
  );

  http.put(
    '/adset/:uuid',
    {
      schema: {
        summary: 'Update an ad set',
        params: UuidParams,
        body: AdsetUpdate,
        response: { 200: envelope(Adset) },
      },
    },
    async (request) => ({
      data: await updateAdset(engines, actorOf(request), request.params.uuid, request.body),
    }),
  );
}
