import { Mmp } from '@bidwell/contract/apps/fields';
import { postbackApiMessages } from '@bidwell/contract/postbacks/api-messages';
import { POSTBACK_TESTS_PER_MINUTE } from '@bidwell/contract/postbacks/schema';
import rateLimit from '@fastify/rate-limit';
import * as endpoints from '@bidwell/contract/postbacks/endpoints';
import type { FastifyRequest } from 'fastify';
import type { Context } from '../../../context.ts';
import { NotFound } from '../../../platform/errors.ts';
import { actorOf } from '../../../platform/http/auth/auth.ts';
import { publicUrlOf } from '../../../platform/http/public-url.ts';
import { limitTo } from '../../../platform/http/limits/rate-limit.ts';
import { route } from '../../../platform/http/route.ts';
import type { Http } from '../../../platform/http/server.ts';
import { readPostbacks, rotatePostbackSecret, testPostback, updatePostbackSource } from './service.ts';

/**
 * Registers the calls on postbacks: addresses for the measurement partners, recent outcomes, verification settings, and
 * test installs. `clickIdOf` creates the id of a test click of a company.
 */
export async function registerPostbackSettings(
  http: Http,
  ctx: Context,
  clickIdOf: (companyId: string) => string,
): Promise<void> {
  await http.register(rateLimit, { global: false });
  const origin = publicUrlOf(ctx.config);

  route(http, endpoints.readPostbacks, async (request, reply) => {
    void reply.header('cache-control', 'no-store');
    return { data: await readPostbacks(ctx, actorOf(request), origin) };
  });
  route(
    http,
    endpoints.rotatePostbackSecret,
    async (request, reply) => {
      await rotatePostbackSecret(ctx, actorOf(request));
      void reply.header('cache-control', 'no-store');
      return { data: await readPostbacks(ctx, actorOf(request), origin) };
    },
    // No idempotency key: repeating the response would require storing the secret.
    { config: { answersSecret: true } },
  );
  route(http, endpoints.updatePostbackSource, async (request) => {
    const mmp = partnerOf(request.params.mmp);
    return { data: await updatePostbackSource(ctx, actorOf(request), mmp, request.body) };
  });
  route(
    http,
    endpoints.testPostback,
    async (request) => {
      const mmp = partnerOf(request.params.mmp);
      return { data: await testPostback(ctx, actorOf(request), mmp, { origin, clickIdOf }) };
    },
    { onRequest: limitTests(http) },
  );
}

function limitTests(http: Http) {
  const limit = {
    max: POSTBACK_TESTS_PER_MINUTE,
    timeWindow: 60_000,
    keyGenerator: (request: FastifyRequest) => actorOf(request).companyId,
  };
  return limitTo(http, limit, postbackApiMessages.postbackTestRate(POSTBACK_TESTS_PER_MINUTE));
}

function partnerOf(text: string): Mmp {
  const mmp = Mmp.safeParse(text);
  if (!mmp.success) throw new NotFound('Measurement partner');
  return mmp.data;
}
