import { MarkRead, Notification } from '@bidwell/contract/notification';
import { envelope } from '@bidwell/contract/wire';
import { z } from 'zod';
import type { Engines } from '../../engines.ts';
import { actorOf } from '../../platform/http/auth.ts';
import { cachedList } from '../../platform/http/response-cache.ts';
import type { Http } from '../../platform/http/server.ts';
import { listNotifications, markRead } from './service.ts';

/** Registers the calls on notifications. */
export function registerNotifications(http: Http, engines: Engines): void {
  const response = { 200: envelope(z.array(Notification)) };

  http.get(
    '/notifications',
    { schema: { summary: 'List notifications', response } },
    async (request, reply) =>
      cachedList(engines, request, reply, async () => listNotifications(engines, actorOf(request))),
  );

  http.patch(
    '/notifications',
    {
      schema: { summary: 'Mark notifications as read', body: MarkRead, response },
      config: { whileSuspended: true },
    },
    async (request) => ({
      data: await markRead(engines, actorOf(request), request.body.ids),
    }),
  );
}
