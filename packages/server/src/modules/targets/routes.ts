import { Target, TargetInput, TargetUpdate } from '@bidwell/contract/target';
import { CreatedRange, UuidParams, envelope } from '@bidwell/contract/wire';
import { z } from 'zod';
import type { Engines } from '../../engines.ts';
import { actorOf } from '../../platform/http/auth.ts';
import { cachedList } from '../../platform/http/response-cache.ts';
import { conflictResponse } from '../../platform/http/openapi/document.ts';
import type { Http } from '../../platform/http/server.ts';
import { created } from '../../platform/idempotency/created.ts';
import { createTarget, getTarget, listTargets, updateTarget } from './service.ts';

const TargetList = z.object({ targets: z.array(Target) });

/** Registers the calls on targets. */
export function registerTargets(http: Http, engines: Engines): void {
  http.get(
    '/target',
    {
      schema: { summary: 'List targets', querystring: CreatedRange, response: { 200: envelope(TargetList) } },
    },
    async (request, reply) =>
      cachedList(engines, request, reply, async () => ({
        targets: await listTargets(engines, actorOf(request), request.query),
      })),
  );

  http.get(
    '/target/:uuid',
    { schema: { summary: 'Read a target', params: UuidParams, response: { 200: envelope(Target) } } },
    async (request) => ({ data: await getTarget(engines, actorOf(request), request.params.uuid) }),
  );

  http.post(
    '/target',
    { schema: { summary: 'Create a target', body: TargetInput, response: { 201: envelope(Target) } } },
    async (request, reply) =>
      created(engines, request, reply, () => createTarget(engines, actorOf(request), request.body)),
  );

  http.put(
    '/target/:uuid',
    {
      schema: {
        summary: 'Update a target',
        params: UuidParams,
        body: TargetUpdate,
        response: { 200: envelope(Target), ...conflictResponse },
      },
    },
    async (request) => ({
      data: await updateTarget(engines, actorOf(request), request.params.uuid, request.body),
    }),
  );
}
