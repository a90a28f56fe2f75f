import rateLimit from '@fastify/rate-limit';
import * as endpoints from '@bidwell/contract/alerts/endpoints';
import { ALERT_SENDS_PER_MINUTE } from '@bidwell/contract/alerts/schema';
import { accountApiMessages } from '@bidwell/contract/accounts/api-messages';
import type { FastifyRequest } from 'fastify';
import type { Context } from '../../../context.ts';
import { ONE_CLICK_BYTES_MAX, acceptOneClick } from '../../../platform/http/bodies/one-click.ts';
import { actorOf } from '../../../platform/http/auth/auth.ts';
import { limitTo } from '../../../platform/http/limits/rate-limit.ts';
import { route } from '../../../platform/http/route.ts';
import type { Http } from '../../../platform/http/server.ts';
import { listAlertDeliveries, replayAlertDelivery, testAlertChannel } from './deliveries.ts';
import { readAlertPreferences, saveAlertPreferences, unsubscribe } from './preferences.ts';
import { createAlertChannel, deleteAlertChannel, listAlertChannels, updateAlertChannel } from './channels.ts';

/** Registers the calls on channels of alerts and their deliveries. */
export async function registerAlerts(http: Http, ctx: Context): Promise<void> {
  await http.register(rateLimit, { global: false });
  route(http, endpoints.listAlertChannels, async (request) => ({
    data: { channels: await listAlertChannels(ctx, actorOf(request)) },
  }));
  route(http, endpoints.createAlertChannel, async (request, reply) => {
    const made = await createAlertChannel(ctx, actorOf(request), request.body);
    return reply.code(201).header('cache-control', 'no-store').send({ data: made });
  });
  route(http, endpoints.updateAlertChannel, async (request) => ({
    data: await updateAlertChannel(ctx, actorOf(request), { ...request.body, ...request.params }),
  }));
  route(http, endpoints.deleteAlertChannel, async (request) => {
    await deleteAlertChannel(ctx, actorOf(request), request.params.uuid);
    return { data: { deleted: true as const } };
  });
  registerDeliveries(http, ctx);
  route(http, endpoints.readAlertPreferences, async (request) => ({
    data: await readAlertPreferences(ctx, actorOf(request)),
  }));
  route(http, endpoints.saveAlertPreferences, async (request) => ({
    data: await saveAlertPreferences(ctx, actorOf(request), request.body),
  }));
}

/** Registers the call that ends mails, which needs no session. */
export async function registerUnsubscribe(http: Http, ctx: Context): Promise<void> {
  await http.register(rateLimit, { global: false });
  acceptOneClick(http, endpoints.unsubscribe.path, '/unsubscribe');
  route(
    http,
    endpoints.unsubscribe,
    async (request) => ({ data: await unsubscribe(ctx, request.params.token) }),
    {
      preHandler: limitTo(http, { max: 60, timeWindow: 60_000 }, accountApiMessages.attempts),
      bodyLimit: ONE_CLICK_BYTES_MAX,
    },
  );
}

function registerDeliveries(http: Http, ctx: Context): void {
  const keyGenerator = (request: FastifyRequest) => actorOf(request).companyId;
  const max = { max: ALERT_SENDS_PER_MINUTE, timeWindow: 60_000, keyGenerator };
  const perCompany = { preHandler: limitTo(http, max, accountApiMessages.attempts) };
  route(http, endpoints.listAlertDeliveries, async (request) => ({
    data: { deliveries: await listAlertDeliveries(ctx, actorOf(request), request.params.uuid) },
  }));
  route(
    http,
    endpoints.testAlertChannel,
    async (request) => ({ data: await testAlertChannel(ctx, actorOf(request), request.params.uuid) }),
    perCompany,
  );
  route(
    http,
    endpoints.replayAlertDelivery,
    async (request) => ({ data: await replayAlertDelivery(ctx, actorOf(request), request.params.uuid) }),
    perCompany,
  );
}
