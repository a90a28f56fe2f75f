import { CreativeGroup, CreativeGroupInput, CreativeGroupUpdate } from '@bidwell/contract/creative-group';
import { UuidParams, envelope } from '@bidwell/contract/wire';
import { z } from 'zod';
import type { Engines } from '../../engines.ts';
import { actorOf } from '../../platform/http/auth.ts';
import { cachedList } from '../../platform/http/response-cache.ts';
import type { Http } from '../../platform/http/server.ts';
import { created } from '../../platform/idempotency/created.ts';
import { createGroup, getGroup, listGroups, updateGroup } from './service.ts';

const GroupList = z.object({ internal_creative_groups: z.array(CreativeGroup) });

/** Registers the calls on creative groups. `/creative_group` and `/internal_creative_group` serve the same groups. */
export function registerCreativeGroups(http: Http, engines: Engines): void {
  http.get(
    '/internal_creative_group',
    { schema: { summary: 'List creative groups', response: { 200: envelope(GroupList) } } },
    async (request, reply) =>
      cachedList(engines, request, reply, async () => ({
        internal_creative_groups: await listGroups(engines, actorOf(request)),
      })),
  );

  http.get(
    '/internal_creative_group/:uuid',
    {
      schema: {
        summary: 'Read a creative group',
        params: UuidParams,
        response: { 200: envelope(CreativeGroup) },
      },
    },
    async (request) => ({ data: await getGroup(engines, actorOf(request), request.params.uuid) }),
  );

  for (const path of ['/internal_creative_group', '/creative_group']) {
    http.post(
      path,
      {
        schema: {
          summary: 'Create a creative group',
          body: CreativeGroupInput,
          response: { 201: envelope(CreativeGroup) },
        },
      },
      async (request, reply) =>
        created(engines, request, reply, () => createGroup(engines, actorOf(request), request.body)),
    );

    http.put(
      `${path}/:uuid`,
      {
        schema: {
          summary: 'Update a creative group',
          params: UuidParams,
          body: CreativeGroupUpdate,
          response: { 200: envelope(CreativeGroup) },
        },
      },
      async (request) => ({
        data: await updateGroup(engines, actorOf(request), request.params.uuid, request.body),
      }),
    );
  }
}
