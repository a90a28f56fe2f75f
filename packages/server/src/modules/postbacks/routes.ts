import { Mmp } from '@bidwell/contract/app';
import { PostbackSource, PostbackSourceUpdate, Postbacks } from '@bidwell/contract/postback';
import { envelope } from '@bidwell/contract/wire';
import { z } from 'zod';
import { publicUrlOf } from '../../platform/http/public-url.ts';
import type { Engines } from '../../engines.ts';
import { NotFound } from '../../platform/errors.ts';
import { actorOf } from '../../platform/http/auth.ts';
import type { Http } from '../../platform/http/server.ts';
import { readPostbacks, rotatePostbackSecret, updatePostbackSource } from './service.ts';

/**
 * Registers the calls on postbacks: addresses for the measurement partners, recent outcomes, and verification
 * settings.
 */
export function registerPostbackSettings(http: Http, engines: Engines): void {
  const origin = publicUrlOf(engines.config);

  http.get(
    '/postbacks',
    { schema: { summary: 'Read the addresses of postbacks', response: { 200: envelope(Postbacks) } } },
    async (request, reply) => {
      void reply.header('cache-control', 'no-store');
      return { data: await readPostbacks(engines, actorOf(request), origin) };
    },
  );

  http.post(
    '/postbacks/secret',
    {
      schema: {
        summary: 'Replace the secret in the addresses of postbacks; the one before stays valid for a day',
        response: { 200: envelope(Postbacks) },
      },
      // No idempotency key: repeating the response would require storing the secret.
      config: { answersSecret: true },
    },
    async (request, reply) => {
      await rotatePostbackSecret(engines, actorOf(request));
      void reply.header('cache-control', 'no-store');
      return { data: await readPostbacks(engines, actorOf(request), origin) };
    },
  );

  http.put(
    '/postbacks/:mmp',
    {
      schema: {
        summary: 'Set how postbacks of a partner are checked',
        params: z.object({ mmp: z.string() }),
        body: PostbackSourceUpdate,
        response: { 200: envelope(PostbackSource) },
      },
    },
    async (request) => {
      const mmp = Mmp.safeParse(request.params.mmp);
      if (!mmp.success) throw new NotFound('Measurement partner');
      return { data: await updatePostbackSource(engines, actorOf(request), mmp.data, request.body) };
    },
  );
}
