import { TrackingLink, TrackingLinkInput, TrackingLinkUpdate } from '@bidwell/contract/tracking-link';
import { CreatedRange, UuidParams, envelope } from '@bidwell/contract/wire';
import { z } from 'zod';
import type { Engines } from '../../engines.ts';
import { actorOf } from '../../platform/http/auth.ts';
import { cachedList } from '../../platform/http/response-cache.ts';
import { conflictResponse } from '../../platform/http/openapi/document.ts';
import type { Http } from '../../platform/http/server.ts';
import { created } from '../../platform/idempotency/created.ts';
import { createTrackingLink, getTrackingLink, listTrackingLinks, updateTrackingLink } from './service.ts';

const TrackingLinkList = z.object({ tracking_links: z.array(TrackingLink) });

/** Registers the calls on tracking links. */
export function registerTrackingLinks(http: Http, engines: Engines): void {
  http.get(
    '/tracking_link',
    {
      schema: {
        summary: 'List tracking links',
        querystring: CreatedRange,
        response: { 200: envelope(TrackingLinkList) },
      },
    },
    async (request, reply) =>
      cachedList(engines, request, reply, async () => ({
        tracking_links: await listTrackingLinks(engines, actorOf(request), request.query),
      })),
  );

  http.get(
    '/tracking_link/:uuid',
    {
      schema: {
        summary: 'Read a tracking link',
        params: UuidParams,
        response: { 200: envelope(TrackingLink) },
      },
    },
    async (request) => ({ data: await getTrackingLink(engines, actorOf(request), request.params.uuid) }),
  );

  http.post(
    '/tracking_link',
    {
      schema: {
        summary: 'Create a tracking link',
        body: TrackingLinkInput,
        response: { 201: envelope(TrackingLink) },
      },
    },
    async (request, reply) =>
      created(engines, request, reply, () => createTrackingLink(engines, actorOf(request), request.body)),
  );

  http.put(
    '/tracking_link/:uuid',
    {
      schema: {
        summary: 'Update a tracking link',
        params: UuidParams,
        body: TrackingLinkUpdate,
        response: { 200: envelope(TrackingLink), ...conflictResponse },
      },
    },
    async (request) => ({
      data: await updateTrackingLink(engines, actorOf(request), request.params.uuid, request.body),
    }),
  );
}
