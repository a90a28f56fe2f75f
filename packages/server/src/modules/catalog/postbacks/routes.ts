import { Mmp } from '@bidwell/contract/apps/fields';
import { postbackApiMessages } from '@bidwell/contract/postbacks/api-messages';
import { POSTBACK_TESTS_PER_MINUTE } from '@bidwell/contract/postbacks/schema';
import rateLimit from '@fastify/rate-limit';
import * as endpoints from '@bidwell/contract/postbacks/endpoints';
import type { Context } from '../../../context.ts';
import { NotFound } from '../../../platform/errors.ts';
import { publicUrlOf } from '../../../platform/http/public-url.ts';
import { limitTo } from '../../../platform/http/limits/rate-limit.ts';
import { dataRoute } from '../../../platform/http/data-route.ts';
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

  dataRoute(http, ctx, endpoints.readPostbacks, async (_, actor, _input, reply) => {
    void reply.header('cache-control', 'no-store');
    return readPostbacks(ctx, actor, origin);
  });
  dataRoute(http, ctx, endpoints.rotatePostbackSecret, async (_, actor, _input, reply) => {
    await rotatePostbackSecret(ctx, actor);
    void reply.header('cache-control', 'no-store');
    return readPostbacks(ctx, actor, origin);
  });
  dataRoute(http, ctx, endpoints.updatePostbackSource, async (_, actor, { mmp, ...source }) =>
    updatePostbackSource(ctx, actor, partnerOf(mmp), source),
  );
  dataRoute(http, ctx, endpoints.testPostback, { onRequest: limitTests(http) }, async (_, actor, { mmp }) =>
    testPostback(ctx, actor, partnerOf(mmp), { origin, clickIdOf }),
  );
}

function limitTests(http: Http) {
  const limit = { max: POSTBACK_TESTS_PER_MINUTE, per: 'company' } as const;
  return limitTo(http, limit, postbackApiMessages.postbackTestRate(POSTBACK_TESTS_PER_MINUTE));
}

function partnerOf(text: string): Mmp {
  const mmp = Mmp.safeParse(text);
  if (!mmp.success) throw new NotFound('Measurement partner');
  return mmp.data;
}
