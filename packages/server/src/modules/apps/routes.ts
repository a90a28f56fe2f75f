import { App, AppBatch, AppInput, AppUpdate, ParsedStoreLink, StoreLinkInput } from '@bidwell/contract/app';
import { CreatedRange, UuidParams, envelope } from '@bidwell/contract/wire';
import { z } from 'zod';
import type { Engines } from '../../engines.ts';
import { actorOf } from '../../platform/http/auth.ts';
import { cachedList } from '../../platform/http/response-cache.ts';
import { conflictResponse, notFoundResponse } from '../../platform/http/openapi/document.ts';
import type { Http } from '../../platform/http/server.ts';
import { created } from '../../platform/idempotency/created.ts';
import { createApp, deleteApps, getApp, listApps, parseLink, updateApp } from './service.ts';
import { createStorePageReader } from './store-page.ts';

const AppList = z.object({ apps: z.array(App) });

/** Registers the calls on apps. */
export function registerApps(http: Http, engines: Engines): void {
  const readStorePage = createStorePageReader(engines);
  http.get(
    '/app',
    { schema: { summary: 'List apps', querystring: CreatedRange, response: { 200: envelope(AppList) } } },
    async (request, reply) =>
      cachedList(engines, request, reply, async () => ({
        apps: await listApps(engines, actorOf(request), request.query),
      })),
  );

  http.get(
    '/app/:uuid',
    { schema: { summary: 'Read an app', params: UuidParams, response: { 200: envelope(App) } } },
    async (request) => ({ data: await getApp(engines, actorOf(request), request.params.uuid) }),
  );

  http.post(
    '/app',
    {
      schema: {
        summary: 'Register an app',
        body: AppInput,
        response: { 201: envelope(App), ...conflictResponse },
      },
    },
    async (request, reply) =>
      created(engines, request, reply, () => createApp(engines, actorOf(request), request.body)),
  );

  http.post(
    '/app/parse',
    {
      schema: {
        summary: 'Read a store link',
        body: StoreLinkInput,
        response: { 200: envelope(ParsedStoreLink) },
      },
    },
    async (request) => ({ data: await parseLink(readStorePage, request.body.link) }),
  );

  http.put(
    '/app/:uuid',
    {
      schema: {
        summary: 'Update an app',
        params: UuidParams,
        body: AppUpdate,
        response: { 200: envelope(App), ...conflictResponse },
      },
    },
    async (request) => ({
      data: await updateApp(engines, actorOf(request), request.params.uuid, request.body),
    }),
  );

  http.delete(
    '/app/batch',
    {
      schema: {
        summary: 'Delete apps, all or none',
        body: AppBatch,
        response: { 200: envelope(AppBatch), ...notFoundResponse, ...conflictResponse },
      },
    },
    async (request) => {
      await deleteApps(engines, actorOf(request), request.body.uuids);
      return { data: request.body };
    },
  );
}
