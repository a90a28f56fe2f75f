import * as endpoints from '@bidwell/contract/notifications/endpoints';
import type { Context } from '../../../context.ts';
import { readerOf } from '../../../platform/actor.ts';
import { listRoute } from '../../../platform/http/list-route.ts';
import { dataRoute } from '../../../platform/http/data-route.ts';
import type { Http } from '../../../platform/http/server.ts';
import { listNotifications, markRead } from './service.ts';

/** Registers the calls on notifications. */
export function registerNotifications(http: Http, ctx: Context): void {
  listRoute(http, ctx, endpoints.listNotifications, listNotifications, {
    readerOf,
  });
  dataRoute(http, ctx, endpoints.markNotificationsRead, async (_, actor, { ids }) =>
    markRead(ctx, actor, ids),
  );
}
