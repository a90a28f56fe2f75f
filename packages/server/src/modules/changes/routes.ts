import { ChangeList } from '@bidwell/contract/change';
import { Page, Uuid, envelope } from '@bidwell/contract/wire';
import { z } from 'zod';
import type { Engines } from '../../engines.ts';
import { actorOf } from '../../platform/http/auth.ts';
import type { Http } from '../../platform/http/server.ts';
import { listChanges } from './service.ts';

/** Registers the call on the change log. */
export function registerChanges(http: Http, engines: Engines): void {
  http.get(
    '/company/:uid/changes',
    {
      schema: {
        summary: 'Read the change log',
        params: z.object({ uid: Uuid }),
        querystring: Page,
        response: { 200: envelope(ChangeList) },
      },
    },
    async (request) => ({
      data: await listChanges(engines, actorOf(request), request.params.uid, request.query),
    }),
  );
}
