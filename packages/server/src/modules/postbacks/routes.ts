import { Mmp } from '@bidwell/contract/app';
import * as endpoints from '@bidwell/contract/endpoints/postbacks';
import type { Engines } from '../../engines.ts';
import { NotFound } from '../../platform/errors.ts';
import { actorOf } from '../../platform/http/auth.ts';
import { publicUrlOf } from '../../platform/http/public-url.ts';
import { route } from '../../platform/http/route.ts';
import type { Http } from '../../platform/http/server.ts';
import { readPostbacks, rotatePostbackSecret, updatePostbackSource } from './service.ts';

/**
 * Registers the calls on postbacks: addresses for the measurement partners, recent outcomes, and verification
 * settings.
 */
export function registerPostbackSettings(http: Http, engines: Engines): void {
  const origin = publicUrlOf(engines.config);

  route(http, endpoints.readPostbacks, async (request, reply) => {
    void reply.header('cache-control', 'no-store');
    return { data: await readPostbacks(engines, actorOf(request), origin) };
  });
  route(
    http,
    endpoints.rotatePostbackSecret,
    async (request, reply) => {
      await rotatePostbackSecret(engines, actorOf(request));
      void reply.header('cache-control', 'no-store');
      return { data: await readPostbacks(engines, actorOf(request), origin) };
    },
    // No idempotency key: repeating the response would require storing the secret.
    { config: { answersSecret: true } },
  );
  route(http, endpoints.updatePostbackSource, async (request) => {
    const mmp = Mmp.safeParse(request.params.mmp);
    if (!mmp.success) throw new NotFound('Measurement partner');
    return { data: await updatePostbackSource(engines, actorOf(request), mmp.data, request.body) };
  });
}
