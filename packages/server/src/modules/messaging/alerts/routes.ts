import rateLimit from '@fastify/rate-limit';
import * as endpoints from '@bidwell/contract/alerts/endpoints';
import { ALERT_SENDS_PER_MINUTE } from '@bidwell/contract/alerts/schema';
import type { Context } from '../../../context.ts';
import { ONE_CLICK_BYTES_MAX, acceptOneClick } from '../../../platform/http/bodies/one-click.ts';
import { limitTo } from '../../../platform/http/limits/rate-limit.ts';
import { answering, dataRoute, named } from '../../../platform/http/data-route.ts';
import { route } from '../../../platform/http/route.ts';
import type { Http } from '../../../platform/http/server.ts';
import { listAlertDeliveries, replayAlertDelivery, testAlertChannel } from './deliveries.ts';
import { readAlertPreferences, saveAlertPreferences, unsubscribe } from './preferences.ts';
import { createAlertChannel, deleteAlertChannel, listAlertChannels, updateAlertChannel } from './channels.ts';

/** Registers the calls on channels of alerts and their deliveries. */
export async function registerAlerts(http: Http, ctx: Context): Promise<void> {
  await http.register(rateLimit, { global: false });
  dataRoute(http, ctx, endpoints.listAlertChannels, named('channels', listAlertChannels));
  dataRoute(http, ctx, endpoints.createAlertChannel, async (_, actor, body, reply) => {
    void reply.header('cache-control', 'no-store');
    return createAlertChannel(ctx, actor, body);
  });
  dataRoute(http, ctx, endpoints.updateAlertChannel, updateAlertChannel);
  dataRoute(http, ctx, endpoints.deleteAlertChannel, answering({ deleted: true }, deleteAlertChannel));
  registerDeliveries(http, ctx);
  dataRoute(http, ctx, endpoints.readAlertPreferences, readAlertPreferences);
  dataRoute(http, ctx, endpoints.saveAlertPreferences, saveAlertPreferences);
}

/** Registers the call that ends mails, which needs no session. */
export async function registerUnsubscribe(http: Http, ctx: Context): Promise<void> {
  await http.register(rateLimit, { global: false });
  acceptOneClick(http, endpoints.unsubscribe.path, '/unsubscribe');
  const limit = { preHandler: limitTo(http, { max: 60 }), bodyLimit: ONE_CLICK_BYTES_MAX };
  route(http, endpoints.unsubscribe, limit, async (request) => ({
    data: await unsubscribe(ctx, request.params.token),
  }));
}

function registerDeliveries(http: Http, ctx: Context): void {
  const perCompany = { preHandler: limitTo(http, { max: ALERT_SENDS_PER_MINUTE, per: 'company' }) };
  dataRoute(http, ctx, endpoints.listAlertDeliveries, listAlertDeliveries);
  dataRoute(http, ctx, endpoints.testAlertChannel, perCompany, testAlertChannel);
  dataRoute(http, ctx, endpoints.replayAlertDelivery, perCompany, replayAlertDelivery);
}
