import * as endpoints from '@bidwell/contract/accounts/api-token-endpoints';
import type { Context } from '../../../context.ts';
import { actorOf } from '../../../platform/http/auth/auth.ts';
import { route } from '../../../platform/http/route.ts';
import type { Http } from '../../../platform/http/server.ts';
import { createApiToken, listApiTokens, revokeApiToken } from './api-tokens.ts';

/** Registers the calls on API tokens. They require a session; API tokens are not admitted. */
export function registerApiTokens(http: Http, ctx: Context): void {
  route(http, endpoints.listApiTokens, async (request) => ({
    data: { api_tokens: await listApiTokens(ctx, actorOf(request)) },
  }));
  route(
    http,
    endpoints.createApiToken,
    async (request, reply) => {
      const made = await createApiToken(ctx, actorOf(request), request.body);
      return reply.code(201).header('cache-control', 'no-store').send({ data: made });
    },
    // No idempotency key: repeating the response would require storing the secret.
    { config: { answersSecret: true } },
  );
  route(http, endpoints.revokeApiToken, async (request) => {
    await revokeApiToken(ctx, actorOf(request), request.params.uuid);
    return { data: { revoked: true as const } };
  });
}
